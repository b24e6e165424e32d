import { describe, expect, test } from 'bun:test'
import { createContext } from '../../cli/runtime/context'
import {
  checkCharges,
  closeAgreement,
  recordPayment,
  refundAdvance,
  refundDeposit,
  reversePayments,
  takePaymentBack,
} from '../../cli/smoke/bookkeeping'
import { endAgreement } from '../../cli/smoke/leasing'
import { runFlow } from '../../cli/smoke/run-flow'
import { StepSkipped, type Flow, type Step, type StepResult } from '../../cli/smoke/flow'
import { KirayaError } from '../../sdk'
import { recordTerminal } from './shell'

const fail = (error: Error) => async () => {
  throw error
}

/** The landlord's client, of an agreement in a state, and the changes that it asked for. */
function createFlow(status = 'ACTIVE', changes: Partial<Flow> = {}) {
  const sent: string[] = []
  const record =
    (name: string) =>
    async (...given: unknown[]) => {
      sent.push([name, ...given].join(' '))
      return {}
    }
  const client = {
    token: 'a.b.c',
    agreements: { get: async () => ({ status }), delete: record('delete'), terminate: record('terminate') },
    deposits: { get: async () => ({ held: 0 }) },
    properties: { delete: record('delete property') },
    auth: { sendOtp: record('send'), eraseMyData: record('erase') },
  }
  const flow = {
    context: createContext(recordTerminal().terminal, {}),
    otp: '123456',
    sandbox: 'open',
    isOtpGiven: false,
    landlord: { id: 7, phone: '9876543210', client },
    agreement: { id: 31 },
    property: { id: 1 },
    ...changes,
  } as unknown as Flow
  return { flow, client, sent }
}

const toStep = (title: string, run: Step['run'], needs?: Step['needs']): Step => ({ title, run, needs })

async function run(flow: Flow, steps: Step[]) {
  const reported: StepResult[] = []
  const { results, error } = await runFlow(flow, steps, result => void reported.push(result))
  expect(reported).toEqual(results)
  return { error, results, states: results.map(({ step, status }) => `${step} ${status}`) }
}

describe('a flow', () => {
  test('ends with the first step that fails, whose error is its own, and cleans up', async () => {
    const { flow, client } = createFlow()
    const refusal = new KirayaError('Not now', { code: 'FORBIDDEN', requestId: 'r-1' })
    client.properties.delete = fail(new Error('The clean-up fails too'))
    const steps = [toStep('health', fail(refusal)), toStep('profile', async () => {})]
    const { error, results, states } = await run(flow, steps)
    expect(states).toEqual(['health failed', 'clean up failed'])
    expect(error).toBe(refusal)
    expect(results.map(result => result.error)).toMatchObject([
      { code: 'FORBIDDEN', message: 'Not now', request_id: 'r-1' },
      { code: 'FAILED', message: 'The clean-up fails too' },
    ])
  })

  const skip = fail(new StepSkipped('needs luck'))
  test.each<[sandbox: Flow['sandbox'], isOtpGiven: boolean, step: Step, reason: string | undefined]>([
    ['absent', false, toStep('a', async () => {}, 'the sandbox'), 'needs the sandbox'],
    ['absent', true, toStep('a', async () => {}, 'the sandbox'), 'needs the sandbox'],
    ['guarded', false, toStep('a', async () => {}, 'the sandbox'), undefined],
    ['absent', false, toStep('a', async () => {}, 'users of its own'), 'needs users of its own'],
    ['absent', true, toStep('a', async () => {}, 'users of its own'), undefined],
    ['open', false, toStep('a', async () => {}, 'users of its own'), undefined],
    ['open', false, toStep('a', skip), 'needs luck'],
  ])('with the sandbox %s (an OTP is given: %p) %# ends with what cannot run', async (...given) => {
    const [sandbox, isOtpGiven, step, reason] = given
    const { flow } = createFlow('COMPLETED', { sandbox, isOtpGiven })
    const { error, results, states } = await run(flow, [step, toStep('b', async () => {})])
    const expected = reason ? ['a skipped'] : ['a passed', 'b passed']
    expect([error, results[0]!.reason, ...states]).toEqual([
      undefined,
      reason,
      ...expected,
      'clean up passed',
    ])
  })

  test.each([
    ['DRAFT', ['delete 31']],
    ['PENDING', ['terminate 31']],
    ['ACTIVE', ['terminate 31']],
    ['TERMINATED', []],
    ['COMPLETED', []],
  ])('ends what is %s, deletes the property and erases the user', async (status, ending) => {
    const { flow, sent } = createFlow(status)
    await run(flow, [])
    expect(sent).toEqual([...ending, 'delete property 1', 'send 9876543210', 'erase 123456'])
  })

  test('never erases a user who was there before', async () => {
    const { flow, sent } = createFlow('COMPLETED', { sandbox: 'absent' })
    await run(flow, [])
    expect(sent).toEqual(['delete property 1'])
  })

  test('is clean if nothing is left', async () => {
    const { flow, client } = createFlow()
    const gone = fail(new KirayaError('Gone', { code: 'NOT_FOUND' }))
    Object.assign(client.agreements, { get: gone })
    Object.assign(client.properties, { delete: gone })
    expect((await run(flow, [])).states).toEqual(['clean up passed'])
  })
})

type Changes = {
  charges?: { type: string; amount_outstanding: number }[][]
  payment?: object
  refunded?: number
  reversed?: string
  held?: number
  settlement?: object
  completed?: string
  ended?: string
  posted?: object[]
}

/** A flow whose server answers in order, but for these changes, and what was sent to it. */
function createBooks(changes: Changes = {}) {
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
    agreements: {
      complete: answer('complete', () => ({ status: changes.completed ?? 'COMPLETED' })),
      terminate: answer('terminate', () => ({ status: changes.ended ?? 'TERMINATED' })),
    },
  }
  const person = { id: 7, phone: '9876543210', client }
  const agreement = { id: 31, deposit_amount: 100_000 }
  return { flow: { landlord: person, tenant: person, agreement } as unknown as Flow, client, sent }
}

const steps = {
  checkCharges,
  recordPayment,
  refundAdvance,
  takePaymentBack,
  endAgreement,
  refundDeposit,
  closeAgreement,
}
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
  ['endAgreement', { ended: 'ACTIVE' }, 'status: expected TERMINATED, got ACTIVE'],
  ['refundDeposit', { held: 1 }, 'deposit that is held: expected 100000, got 1'],
  ['refundDeposit', { settlement: { status: 'accepted' } }, 'settlement: expected posted, got accepted'],
  ['refundDeposit', { settlement: { refund_amount: 1 } }, 'refund of the deposit: expected 100000, got 1'],
  ['closeAgreement', { completed: 'TERMINATED' }, 'status: expected COMPLETED, got TERMINATED'],
]

test.each(wrong)('%s fails where the server answers %j', async (step, changes, message) => {
  await expect(steps[step](createBooks(changes).flow)).rejects.toThrow(message)
})

test('advances that are left go back before the agreement is closed', async () => {
  const { flow, sent } = createBooks({ posted: [{ unapplied_amount: 0.1 }, { unapplied_amount: 0.2 }] })
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
  const { client, sent } = createBooks({ held, posted: paid })
  await reversePayments(client as never, 31)
  expect(sent.filter(([verb]) => verb === 'reverse').map(([, id]) => id)).toEqual(ids)
})
