import { describe, expect, test } from 'bun:test'
import { createContext } from '../../cli/runtime/context'
import { NotSandboxError } from '../../cli/runtime/sandbox'
import type { Flow } from '../../cli/smoke/flow'
import { runFlow, type Step, type StepResult } from '../../cli/smoke/run-flow'
import { KirayaError } from '../../sdk'
import { recordTerminal } from './shell'

const fail = (error: Error) => async () => {
  throw error
}

/** The landlord's client, of an agreement in a state, and the changes that it asked for. */
function createFlow(status = 'ACTIVE', { held = 0, ...changes }: Partial<Flow> & { held?: number } = {}) {
  const sent: string[] = []
  const record =
    (name: string) =>
    async (...given: unknown[]) => {
      sent.push([name, ...given.filter(value => typeof value !== 'object')].join(' '))
      return {}
    }
  const posted = [
    { id: 1, refunded_amount: 0 },
    { id: 2, refunded_amount: 10 },
  ]
  const client = {
    agreements: { get: async () => ({ status }), delete: record('delete'), terminate: record('terminate') },
    deposits: { get: async () => ({ held }) },
    payments: { list: async () => ({ data: posted }), reverse: record('reverse') },
    properties: { delete: record('delete property') },
    auth: { sendOtp: record('send'), eraseMyData: record('erase') },
  }
  const flow = {
    context: createContext(recordTerminal().terminal, {}),
    otp: '123456',
    sandbox: 'open',
    hasOwnUsers: true,
    landlord: { id: 7, phone: '9876543210', client },
    agreement: { id: 31 },
    property: { id: 1 },
    ...changes,
  } as unknown as Flow
  return { flow, client, sent }
}

const pass = async () => {}

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
    const steps = [
      { title: 'health', run: fail(refusal) },
      { title: 'profile', run: pass },
    ]
    const { error, results, states } = await run(flow, steps)
    expect(states).toEqual(['health failed', 'clean up failed'])
    expect(error).toBe(refusal)
    expect(results.map(result => result.error)).toMatchObject([
      { code: 'FORBIDDEN', message: 'Not now', request_id: 'r-1' },
      { code: 'FAILED', message: 'The clean-up fails too' },
    ])
  })

  const press = fail(new NotSandboxError('no page'))
  test.each<[Partial<Flow>, step: Partial<Step>, reason: string | undefined]>([
    [{ sandbox: 'absent' }, { needs: 'the sandbox' }, 'needs the sandbox'],
    [{ sandbox: 'guarded' }, { needs: 'the sandbox' }, undefined],
    [{ hasOwnUsers: false }, { needs: 'users of its own' }, 'needs users of its own'],
    [{ sandbox: 'absent' }, { needs: 'users of its own' }, undefined],
    [{}, { run: press }, 'no page'],
  ])('with %j the step %j ends it, or not, for the reason %p', async (changes, step, reason) => {
    const { flow } = createFlow('COMPLETED', changes)
    const steps = [
      { title: 'a', run: pass, ...step },
      { title: 'b', run: pass },
    ]
    const { error, results, states } = await run(flow, steps)
    const expected = reason ? ['a skipped'] : ['a passed', 'b passed']
    const all = [undefined, reason, ...expected, 'clean up passed']
    expect([error, results[0]!.reason, ...states]).toEqual(all)
  })

  test.each([
    ['DRAFT', 0, ['delete 31']],
    ['PENDING', 0, ['terminate 31']],
    ['ACTIVE', 0, ['terminate 31']],
    // A refunded payment stays; the others go back, or the deposit would keep the users.
    ['ACTIVE', 100, ['reverse 1', 'terminate 31']],
    ['TERMINATED', 100, ['reverse 1']],
    ['COMPLETED', 0, []],
  ])('ends what is %s with %d held, deletes the property and erases', async (status, held, ending) => {
    const { flow, sent } = createFlow(status, { held })
    await run(flow, [])
    expect(sent).toEqual([...ending, 'delete property 1', 'send 9876543210', 'erase 123456'])
  })

  test('never erases a user who was there before', async () => {
    const { flow, sent } = createFlow('COMPLETED', { hasOwnUsers: false })
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
