import { expect, test } from 'bun:test'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createContext } from '../../cli/context'
import { runCli } from '../../cli/program'
import { runFlow, StepSkipped, type Flow, type StepResult } from '../../cli/smoke/flow'
import type { Step } from '../../cli/smoke/steps'
import { createTerminal } from '../../cli/terminal'
import { KirayaError } from '../../sdk'

const refusal = new KirayaError('Not now', { code: 'FORBIDDEN', requestId: 'r-1' })
const fail = (error: Error) => async () => {
  throw error
}

/** The landlord's client, of an agreement in a state, and the changes that it asked for. */
function createFlow(status = 'ACTIVE', changes: Partial<Flow> = {}) {
  const sent: string[] = []
  const record =
    (name: string, result: unknown = {}) =>
    async (...given: unknown[]) => {
      sent.push([name, ...given].join(' '))
      return result
    }
  const client = {
    token: 'a.b.c',
    agreements: { get: async () => ({ status }), delete: record('delete'), terminate: record('terminate') },
    deposits: { get: async () => ({ held: 0 }) },
    properties: { delete: record('delete property') },
    auth: { sendOtp: record('send'), eraseMyData: record('erase') },
  }
  const flow = {
    context: createContext({ ...createTerminal(), env: {} }, {}),
    number: 2,
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

const toStep = (name: Step['name'], run: Step['run'], changes: Partial<Step> = {}): Step => ({
  name,
  title: name,
  needs: [],
  run,
  ...changes,
})

async function run(flow: Flow, steps: Step[]) {
  const reported: StepResult[] = []
  const { results, error } = await runFlow(flow, steps, result => void reported.push(result))
  expect(reported).toEqual(results)
  return { error, results, states: results.map(({ step, status }) => `${step} ${status}`) }
}

test('a step that fails is the last one before the clean-up, and its error that of the flow', async () => {
  const { flow, client } = createFlow()
  client.properties.delete = fail(new Error('The clean-up fails too'))
  const { error, results, states } = await run(flow, [
    toStep('health', fail(refusal)),
    toStep('profile', async () => {}),
  ])
  expect(states).toEqual(['health failed', 'clean-up failed'])
  expect(error).toBe(refusal)
  expect(results[0]).toMatchObject({
    flow: 2,
    error: { code: 'FORBIDDEN', message: 'Not now', request_id: 'r-1' },
  })
  expect(results[1]!.error).toMatchObject({ code: 'FAILED', message: 'The clean-up fails too' })
})

test('a step that is skipped skips those that need it, and fails nothing', async () => {
  const { error, results, states } = await run(createFlow().flow, [
    toStep('property', fail(new StepSkipped('no property'))),
    toStep('agreement', async () => {}, { needs: ['property'] }),
    toStep('dashboard', async () => {}),
  ])
  expect(error).toBeUndefined()
  expect(states).toEqual(['property skipped', 'agreement skipped', 'dashboard passed', 'clean-up passed'])
  expect(results[1]!.reason).toBe('needs the step property')
})

test.each<[Partial<Flow>, Step['requires'], string]>([
  [{ hasOwnUsers: false }, 'own users', 'skipped'],
  [{ hasOwnUsers: true }, 'own users', 'passed'],
  [{ sandbox: 'absent' }, 'sandbox', 'skipped'],
  [{ sandbox: 'guarded' }, 'sandbox', 'passed'],
])('in a flow with %j a step that requires %s is %s', async (changes, requires, status) => {
  const { results } = await run(createFlow('ACTIVE', changes).flow, [
    toStep('tenant', async () => {}, { requires }),
  ])
  expect(results[0]!.status).toBe(status as StepResult['status'])
})

test.each([
  ['DRAFT', ['delete 31']],
  ['PENDING', ['terminate 31']],
  ['ACTIVE', ['terminate 31']],
  ['TERMINATED', []],
  ['COMPLETED', []],
])('the clean-up ends what is %s, deletes the property and erases the user', async (status, ending) => {
  const { flow, sent } = createFlow(status)
  await run(flow, [])
  expect(sent).toEqual([...ending, 'delete property 1', 'send 9876543210', 'erase 123456'])
})

test('the clean-up never erases a user who was there before', async () => {
  const { flow, sent } = createFlow('COMPLETED', { hasOwnUsers: false })
  await run(flow, [])
  expect(sent).toEqual(['delete property 1'])
})

test('the clean-up passes where nothing is left', async () => {
  const { flow, client } = createFlow()
  const gone = fail(new KirayaError('Gone', { code: 'NOT_FOUND' }))
  client.agreements.get = gone
  client.properties.delete = gone
  expect((await run(flow, [])).states).toEqual(['clean-up passed'])
})

test('the report of an earlier run is gone before anything is sent', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'kiraya-smoke-'))
  const file = join(folder, 'smoke.xml')
  writeFileSync(file, 'earlier')
  const wasThere: boolean[] = []
  using server = Bun.serve({
    port: 0,
    fetch: () => {
      wasThere.push(existsSync(file))
      return Response.json({ success: true, data: {} })
    },
  })
  const env = { KIRAYA_URL: server.url.href, HOME: folder }
  const terminal = { ...createTerminal(), env, out: () => {}, err: () => {} }

  expect(await runCli(['smoke', '--only', 'health', '--junit', file], terminal)).toBe(0)

  const report = readFileSync(file, 'utf8')
  rmSync(folder, { recursive: true })
  expect(new Set(wasThere)).toEqual(new Set([false]))
  expect(report).toContain('tests="2"')
})
