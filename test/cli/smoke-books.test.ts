import { expect, test } from 'bun:test'
import {
  checkCharges,
  closeAgreement,
  recordPayment,
  refundAdvance,
  refundDeposit,
  reversePayments,
  takePaymentBack,
} from '../../cli/smoke/bookkeeping'
import type { Flow } from '../../cli/smoke/flow'

type Changes = {
  charges?: { type: string; amount_outstanding: number }[][]
  payment?: object
  refunded?: number
  reversed?: string
  held?: number
  settlement?: object
  completed?: string
  posted?: object[]
}

/** A flow whose server answers in order, but for these changes, and what was sent to it. */
function createFlow(changes: Changes = {}) {
  const sent: [verb: string, ...given: unknown[]][] = []
  const answer =
    <Result>(verb: string, result: (...given: unknown[]) => Result) =>
    async (...given: unknown[]) => {
      sent.push([verb, ...given])
      return result(...given)
    }
  const due = [
    { type: 'deposit', amount_outstanding: 100_000 },
    { type: 'rent', amount_outstanding: 25_000 },
  ]
  const lists = changes.charges ?? [due, due.map(charge => ({ ...charge, amount_outstanding: 0 }))]
  const { held = 100_000, settlement } = changes
  const client = {
    charges: { list: answer('charges', () => ({ data: lists.length > 1 ? lists.shift()! : lists[0]! })) },
    payments: {
      create: answer('pay', (_, paid) => ({
        id: 8,
        status: 'posted',
        unapplied_amount: (paid as { amount: number }).amount === 1_000 ? 1_000 : 0,
        ...changes.payment,
      })),
      get: answer('get', () => ({ refunded_amount: changes.refunded ?? 1_000 })),
      list: answer('list', () => ({ data: changes.posted ?? [] })),
      refund: answer('refund', () => ({ payments: [{ payment_id: 'p-8' }] })),
      reverse: answer('reverse', () => ({ status: changes.reversed ?? 'reversed' })),
    },
    deposits: {
      get: answer('deposit', () => ({ held })),
      settle: answer('settle', () => ({})),
      accept: answer('accept', () => ({})),
      post: answer('post', () => ({ status: 'posted', refund_amount: held, ...settlement })),
    },
    agreements: { complete: answer('complete', () => ({ status: changes.completed ?? 'COMPLETED' })) },
  }
  const person = { id: 7, phone: '9876543210', client }
  const agreement = { id: 31, deposit_amount: 100_000 }
  return { flow: { landlord: person, tenant: person, agreement } as unknown as Flow, client, sent }
}

const steps = { checkCharges, recordPayment, refundAdvance, takePaymentBack, refundDeposit, closeAgreement }
type StepName = keyof typeof steps

const only = (type: string) => [[{ type, amount_outstanding: 0 }]]
const owed = (amount_outstanding: number) => [{ type: 'rent', amount_outstanding }]
const wrong: [step: StepName, changes: Changes, message: string][] = [
  ['checkCharges', { charges: only('rent') }, 'charge of the deposit: expected true, got false'],
  ['checkCharges', { charges: only('deposit') }, 'charge of the rent: expected true, got false'],
  ['recordPayment', { payment: { status: 'reported' } }, 'payment: expected posted, got reported'],
  ['recordPayment', { payment: { unapplied_amount: 5 } }, 'advance: expected 0, got 5'],
  ['recordPayment', { charges: [owed(10), owed(1)] }, 'what is outstanding: expected 0, got 1'],
  ['refundAdvance', { payment: { unapplied_amount: 0 } }, 'advance: expected 1000, got 0'],
  ['refundAdvance', { refunded: 0 }, 'refund: expected 1000, got 0'],
  ['takePaymentBack', { reversed: 'posted' }, 'status of the payment: expected reversed, got posted'],
  ['refundDeposit', { held: 1 }, 'deposit that is held: expected 100000, got 1'],
  ['refundDeposit', { settlement: { status: 'accepted' } }, 'settlement: expected posted, got accepted'],
  ['refundDeposit', { settlement: { refund_amount: 1 } }, 'refund of the deposit: expected 100000, got 1'],
  ['closeAgreement', { completed: 'TERMINATED' }, 'status: expected COMPLETED, got TERMINATED'],
]

test.each(wrong)('%s fails where the server answers %j', async (step, changes, message) => {
  await expect(steps[step](createFlow(changes).flow)).rejects.toThrow(message)
})

test.each(Object.entries(steps))('%s passes where the books are in order', async (_, run) => {
  expect(await run(createFlow().flow)).toBeUndefined()
})

test('a payment settles exactly what is outstanding', async () => {
  const { flow, sent } = createFlow()
  await recordPayment(flow)
  expect(sent).toContainEqual(['pay', 31, { amount: 125_000, method: 'upi' }])
})

test('advances that are left go back before the agreement is closed', async () => {
  const { flow, sent } = createFlow({ posted: [{ unapplied_amount: 0.1 }, { unapplied_amount: 0.2 }] })
  await closeAgreement(flow)
  expect(sent.map(([verb]) => verb)).toEqual(['list', 'refund', 'complete'])
  expect(sent[1]).toEqual(['refund', 31, { amount: 0.3, method: 'upi' }])
})

const paid = [
  { id: 1, refunded_amount: 0 },
  { id: 2, refunded_amount: 10 },
]
test.each([
  [100, [1]],
  [0, []],
])('while a deposit of %d is held, the payments %j are reversed: none that went back', async (held, ids) => {
  const { client, sent } = createFlow({ held, posted: paid })
  await reversePayments(client as never, 31)
  expect(sent.filter(([verb]) => verb === 'reverse').map(([, id]) => id)).toEqual(ids)
})
