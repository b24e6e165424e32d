import { expect, test } from 'bun:test'
import type { AgreementStatus, TimelineEventType } from '@kiraya/sdk/contract'
import {
  createCertificateData,
  landlord,
  minute,
  openCertificate,
  removeSpaces,
  sha256,
  tenant,
  uuid,
} from './certificate-fixture'

const labels: [type: TimelineEventType, label: string][] = [
  ['created', 'Agreement drawn up'],
  ['changed', 'Draft changed'],
  ['sent', 'Sent for signature'],
  ['recorded', 'Lease and names recorded'],
  ['viewed', 'Opened for signing'],
  ['signed', 'Signed'],
  ['declined', 'Signature declined'],
  ['expired', 'Request for signature expired'],
  ['cancelled', 'Request for signature cancelled'],
  ['reissued', 'Request for signature issued again'],
  ['reminded', 'Signer reminded'],
  ['activated', 'Agreement became active'],
  ['renewed', 'Lease renewed'],
  ['ended', 'Lease came to its end'],
  ['terminated', 'Lease terminated'],
  ['completed', 'Agreement closed'],
  ['revised', 'Agreement revised'],
  ['document_stored', 'Signed document stored'],
  ['address_changed', 'Address of the building changed'],
  ['deleted', 'Agreement deleted'],
  ['deposit_proposed', 'Settlement of the deposit proposed'],
  ['deposit_accepted', 'Settlement of the deposit accepted'],
  ['deposit_disputed', 'Settlement of the deposit disputed'],
  ['deposit_settled', 'Deposit settled'],
  ['rent_proposed', 'New rent proposed'],
  ['rent_accepted', 'New rent accepted'],
  ['rent_declined', 'New rent declined'],
  ['renewal_drafted', 'Next term drawn up'],
]

test('each event of the timeline has its row', async () => {
  const events = labels.map(([type], index) => ({
    position: index + 1,
    type,
    occurred_at: minute(0),
    actor: 'Asha',
    hash: sha256(index),
  }))
  const { text } = await openCertificate({ ...createCertificateData(), events })
  const missing = labels.filter(([, label], index) => {
    const [start, end] = [`${index + 1} 21 Nov 2026, 15:04:05 IST`, `Asha ${sha256(index).slice(0, 12)}…`]
    const head = label.slice(0, label.lastIndexOf(' '))
    // A long label has its last word in a second line, which comes after the cells of the first.
    const rows = [`${start} ${label} ${end}`, `${start} ${head} ${end} ${label.slice(head.length)}`]
    return !rows.some(row => text.includes(removeSpaces(row)))
  })
  expect(missing).toEqual([])
})

test.each<[status: AgreementStatus, text: string]>([
  ['DRAFT', 'Draft since 21 Nov 2026'],
  ['PENDING', 'Awaiting signatures since 21 Nov 2026'],
  ['ACTIVE', 'Active since 21 Nov 2026'],
  ['TERMINATED', 'Terminated on 21 Nov 2026'],
  ['COMPLETED', 'Completed on 21 Nov 2026'],
])('the status %s reads “%s”', async (status, shown) => {
  const data = createCertificateData()
  const { text } = await openCertificate({ ...data, agreement: { ...data.agreement, status } })
  expect(text).toContain(removeSpaces(`Status${shown}`))
})

test('the sections, their fields and notes follow each other', async () => {
  const { text } = await openCertificate({
    ...createCertificateData(),
    parties: [{ ...landlord, name: 'Asha Rao', role: 'MANAGER' }, tenant],
  })
  const parts = [
    'Certificate of completion',
    'Agreement AGR-2026-000042',
    'The lease',
    `Agreement ID ${uuid(1)}`,
    'Unit A-101',
    'Address Prestige',
    'Term 1 Dec 2026',
    'Monthly rent ₹1,23,456.50',
    'Deposit ₹1,00,00,000.00',
    'Status Active',
    'The parties',
    'Asha Rao Manager',
    'Phone ******3210',
    'Signature ID',
    'Provider setu',
    "Provider's request request-2",
    "Provider's signature signer-2",
    'Zoë D’Souza Tenant',
    'The signed documents',
    'Signed by Asha Rao',
    `Signature ID ${uuid(2)}`,
    `SHA-256 ${sha256(2)}`,
    'Size 2,48,113 bytes',
    'Stored 21 Nov 2026, 15:20:05 IST',
    'Signed by Zoë D’Souza',
    'A copy of a document is the one that was signed if the SHA-256 of its file, as printed by sha256sum or certutil, is the one above.',
    'The timeline',
    'No. Time Event By Hash',
    'Hash of event 10, the last one',
    sha256(109),
    "Each event's hash is taken over the event and the hash of the event before it",
    'nothing up to there has been changed, added or removed since this certificate was made.',
  ].map(removeSpaces)

  let end = 0
  for (const part of parts) {
    const start = text.indexOf(part, end)
    expect([part, start]).not.toEqual([part, -1])
    end = start + part.length
  }
})
