import { afterAll, expect, test } from 'bun:test'
import { sql } from 'kysely'
import { createLog } from '../../../server/observability/log'
import { testServer } from '../../support/server'
import { freshPhone, sendRequest } from '../../support/users'
import { canaries, everything, findLeaks } from './canaries'
import { startLeakyProvider, toProviderConstants, toProviderSettings } from './leaky-provider'
import {
  breakTables,
  callFailingProvider,
  createClient,
  createRequests,
  sendEverywhere,
  signIn,
} from './leaky-requests'

const createRecordingLog = () => {
  const lines: string[] = []
  return { lines, log: createLog('trace', false, { write: line => void lines.push(line) }) }
}
const leaking = createRecordingLog()
const sandbox = createRecordingLog()
const provider = startLeakyProvider()
const server = testServer({
  env: {
    ...toProviderSettings(provider.url),
    JWT_SECRET: canaries['JWT secret'],
    CREDENTIALS_KEY: canaries['credentials key'],
    OPS_TOKEN: canaries['operations token'],
  },
  // One behaviour is no response.
  constants: {
    ...toProviderConstants(provider.url),
    PROVIDER_TIMEOUT_MS: 200,
    PROVIDER_TOTAL_TIMEOUT_MS: 400,
  },
  overrides: { log: leaking.log },
  own: true,
})
const inSandbox = testServer({ overrides: { log: sandbox.log } })
afterAll(() => provider.stop())

test('no canary is logged, even if every provider and table fails', async () => {
  const client = createClient(server.url)
  const secrets = await signIn(client, provider)
  const requests = await createRequests(server, client, secrets.OTP)
  for (const text of [everything, secrets.OTP, secrets.token]) await sendEverywhere(client, text)
  for (const behaviour of provider.behaviours) {
    provider.setBehaviour(behaviour)
    await callFailingProvider(client, requests)
  }
  provider.setBehaviour('normal')
  const execute = (text: string) => sql.raw(text).execute(server.db)
  const tables = ['users', 'properties', 'agreements', 'tenant_contacts']
  const ofRepairs = ['maintenance_requests', 'maintenance_entries', 'maintenance_files']
  await breakTables(client, execute, requests, [...tables, ...ofRepairs])

  const output = leaking.lines.join('')
  expect(findLeaks(output, secrets)).toEqual([])
  const lines = leaking.lines.map(line => JSON.parse(line))
  expect(lines.filter(({ level }) => level === 'error').length).toBeGreaterThan(20)
  const frames: string[] = lines.flatMap(({ err }) => err?.at ?? [])
  expect(frames.some(frame => /^server\/[\w/]+\/service\.ts:\d+:\d+$/.test(frame))).toBe(true)
})

test("the log has the sandbox's OTP, and only the last digits of the phone", async () => {
  const phone = freshPhone()
  await sendRequest(inSandbox, 'POST', '/auth/send-otp', { body: { phone_number: phone } })
  const line = sandbox.lines.findLast(text => text.includes('123456'))!
  expect(line).toContain('one-time password')
  expect(line).toContain(phone.slice(-2))
  expect(sandbox.lines.join('')).not.toContain(phone)
})
