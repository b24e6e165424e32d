import { expect, test } from 'bun:test'
import { hashJournal, type PostedJournal } from '../../../../server/books/ledger/journals'
import type { Line } from '../../../../server/books/ledger/accounts'

const AGREEMENT = '5b1c8a52-9d55-4a53-9c61-0f6d2b7a2222'
const journal: PostedJournal = {
  position: 3,
  kind: 'credit',
  effective_on: '2027-01-05',
  posted_at: '2027-01-05T06:30:00.000Z',
  actor_id: 1,
  charge_id: 2,
  payment_id: null,
  reverses_id: null,
  refund_id: null,
  reason: 'waiver',
  reference: null,
}
const lines: Line[] = [
  { account: 'waived', debit: 10_000, credit: 0 },
  { account: 'receivable', debit: 0, credit: 10_000 },
]

test('the hash of a journal is the one that stored chains have', () => {
  expect(hashJournal(null, AGREEMENT, journal, lines)).toBe(
    'dff42c03ccd14dc2bd846b0716cb10ba2d693e593831e6ae0fbd59e753ad0dda',
  )
})

test('it covers the journal before, the agreement, and each field and line', () => {
  const changes: Partial<PostedJournal>[] = [
    { position: 4 },
    { kind: 'charge' },
    { effective_on: '2027-01-06' },
    { posted_at: '2027-01-05T06:30:00.001Z' },
    { actor_id: null },
    { charge_id: 3 },
    { payment_id: 2 },
    { reverses_id: 2 },
    { reason: 'correction' },
    { reference: 'UTR-1' },
    { refund_id: 5 },
  ]
  const others: Line[][] = [
    [lines[0]!],
    lines.map(line => ({ ...line, account: 'bank' })),
    lines.map(line => ({ ...line, debit: line.debit + 1 })),
    lines.map(line => ({ ...line, credit: line.credit + 1 })),
  ]
  const hashes = [
    hashJournal(null, AGREEMENT, journal, lines),
    hashJournal('0', AGREEMENT, journal, lines),
    hashJournal(null, crypto.randomUUID(), journal, lines),
    ...changes.map(change => hashJournal(null, AGREEMENT, { ...journal, ...change }, lines)),
    ...others.map(other => hashJournal(null, AGREEMENT, journal, other)),
  ]
  expect(new Set(hashes).size).toBe(hashes.length)
})
