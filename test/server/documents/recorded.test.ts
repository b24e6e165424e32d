import { test } from 'bun:test'
import { join } from 'node:path'
import { renderDocument } from '../../../server/documents/render'
import { expectTagged } from '../../support/tagged-text'
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
import { bareLease, lease } from './lease-data'
import { certificate, endedCertificate, signature, signatures } from './evidence-data'

// What each document says, a line for each tag. RECORD=pdf writes what they say now, for you to read what changed.

const unpaidRent = {
  ...rentProof,
  rents: [],
  total: 0,
  amount_in_words: 'Rupees Zero Only',
  landlord_pan: 'QWEPZ5678M',
}

test.each([
  ['receipt', () => renderDocument('receipt', receipt)],
  ['receipt-in-hindi', () => renderDocument('receipt', receipt, 'hi')],
  ['receipt-cancelled', () => renderDocument('receipt', cancelledReceipt)],
  ['receipt-of-tax', () => renderDocument('receipt', taxReceipt)],
  ['statement', () => renderDocument('statement', statement)],
  ['statement-in-hindi', () => renderDocument('statement', statement, 'hi')],
  ['rent-proof', () => renderDocument('rentProof', rentProof)],
  ['rent-proof-in-hindi', () => renderDocument('rentProof', rentProof, 'hi')],
  ['rent-proof-of-nothing', () => renderDocument('rentProof', unpaidRent)],
  ['settlement', () => renderDocument('settlement', settlement)],
  ['settlement-in-hindi', () => renderDocument('settlement', settlement, 'hi')],
  ['settlement-owed', () => renderDocument('settlement', owedSettlement)],
  ['settlement-refunded', () => renderDocument('settlement', refundedSettlement)],
  ['annual', () => renderDocument('annual', annual)],
  ['annual-in-hindi', () => renderDocument('annual', annual, 'hi')],
  ['annual-of-nothing', () => renderDocument('annual', { ...annual, rows: [] })],
  ['certificate', () => renderDocument('certificate', certificate)],
  ['certificate-of-ended-lease', () => renderDocument('certificate', endedCertificate)],
  ['lease-residential', () => renderDocument('residential', lease)],
  ['lease-residential-in-hindi', () => renderDocument('residential', lease, 'hi')],
  ['lease-leave-and-licence', () => renderDocument('leave_and_licence', lease)],
  ['lease-leave-and-licence-in-hindi', () => renderDocument('leave_and_licence', lease, 'hi')],
  ['lease-commercial', () => renderDocument('commercial', bareLease)],
  ['lease-commercial-in-hindi', () => renderDocument('commercial', bareLease, 'hi')],
  ['lease-pg', () => renderDocument('pg', lease)],
  ['lease-pg-in-hindi', () => renderDocument('pg', lease, 'hi')],
  ['sample-lease', () => renderDocument('sampleLease', {})],
  ['signature', () => renderDocument('signatures', signature)],
  ['signatures', () => renderDocument('signatures', signatures)],
])('the document %s is as it was read and recorded', async (name, render) => {
  await expectTagged(await render(), join(import.meta.dir, 'recorded', `${name}.txt`))
})
