import { test } from 'bun:test'
import { join } from 'node:path'
import { renderAnnualBooks } from '../../../../server/reports/annual-pdf'
import { renderSettlement } from '../../../../server/books/deposits/settlement-pdf'
import { renderReceipt } from '../../../../server/books/statements/receipt-pdf'
import { renderRentProof } from '../../../../server/books/statements/rent-proof-pdf'
import { renderStatement } from '../../../../server/books/statements/statement-pdf'
import { expectTagged } from '../../pdf/tagged-text'
import { parties } from '../parties'
import {
  annual,
  cancelledReceipt,
  owedSettlement,
  receipt,
  refundedSettlement,
  rentProof,
  settlement,
  statement,
  taxReceipt,
} from './data'

// What each document of the books says, a line for each tag.
// RECORD=pdf writes what they say now, for you to read what changed.

const { rows: _, ...nothing } = annual.annual
const tenants = [...parties.tenants, { id: 3, name: 'Tara Devi' }]

test.each([
  ['receipt', () => renderReceipt(receipt)],
  ['receipt-cancelled', () => renderReceipt(cancelledReceipt)],
  ['receipt-of-tax', () => renderReceipt(taxReceipt)],
  ['statement', () => renderStatement(statement, { ...parties, tenants })],
  ['rent-proof', () => renderRentProof(rentProof)],
  ['rent-proof-of-nothing', () => renderRentProof({ ...rentProof, rents: [], landlord_pan: 'QWEPZ5678M' })],
  ['settlement', () => renderSettlement(settlement)],
  ['settlement-owed', () => renderSettlement(owedSettlement)],
  ['settlement-refunded', () => renderSettlement(refundedSettlement)],
  ['annual', () => renderAnnualBooks(annual)],
  ['annual-of-nothing', () => renderAnnualBooks({ ...annual, annual: { ...nothing, rows: [] } })],
])('the document %s is as it was read and recorded', async (name, render) => {
  await expectTagged(await render(), join(import.meta.dir, `${name}.txt`))
})
