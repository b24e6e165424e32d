import { afterAll, expect, test } from 'bun:test'
import { join } from 'node:path'
import { canaries, everything, findLeaks } from '../../../server/observability/canaries'
import { toProviderConstants, toProviderSettings } from '../../../server/observability/leaky-provider'
import { createClient, sendEverywhere } from '../../../server/observability/leaky-requests'
import { openFreshDatabase } from '../../../support/database'
import { freePort, startProgram, type ServerProcess } from '../../../support/process'
import { waitUntil } from '../../../support/round'

// That nothing personal is logged whatever fails is tested in process; here is what a process adds to its log.

const PROVIDER = 'https://provider.example.com'
const settings = {
  NODE_ENV: 'production',
  PORT: '0',
  HOST: '127.0.0.1',
  PUBLIC_URL: 'https://api.example.com',
  LOG_LEVEL: 'debug',
  ...toProviderSettings(PROVIDER),
  CONSTANTS: JSON.stringify(toProviderConstants(PROVIDER)),
  JWT_SECRET: canaries['JWT secret'],
  CREDENTIALS_KEY: canaries['credentials key'],
  OPS_TOKEN: canaries['operations token'],
}
const started: ServerProcess[] = []
afterAll(() => {
  for (const { child } of started) child.kill('SIGKILL')
})

function startServer(env: Record<string, string>, ...flags: string[]) {
  const server = startProgram([...flags, 'test/support/serve.ts'], { ...settings, ...env })
  started.push(server)
  return server
}
const readLines = ({ log }: ServerProcess) => log().trim().split('\n')
const addPassword = (url: string) => url.replace('kiraya@', `kiraya:${canaries['database password']}@`)

test('a failed start logs the reason but no password', async () => {
  const unreachableUrl = addPassword('postgresql://kiraya@127.0.0.1:1/kiraya')
  const unreachable = startServer({ DATABASE_URL: unreachableUrl })
  await waitUntil(() => unreachable.log().includes('waiting for the database'), 'the wait')
  await unreachable.end('SIGTERM')
  const wrong = startServer({ DATABASE_URL: addPassword('mysql://kiraya@127.0.0.1/kiraya') })
  const weak = startServer({ DATABASE_URL: unreachableUrl, JWT_SECRET: canaries['WhatsApp token'] })

  expect([await wrong.end(), await weak.end()]).toEqual([1, 1])
  expect([wrong, weak].map(server => readLines(server).at(-1))).toEqual([
    expect.stringContaining('DATABASE_URL must be'),
    expect.stringContaining('JWT_SECRET must be'),
  ])
  expect([unreachable, wrong, weak].flatMap(({ log }) => findLeaks(log()))).toEqual([])
}, 60_000)

test('requests and an unhandled rejection are logged without canaries; an exception shuts the server down gracefully', async () => {
  await using database = await openFreshDatabase()
  const PORT = freePort()
  const env = { PORT, DATABASE_URL: addPassword(database.url), LEAK: everything }
  const server = startServer(env, '--preload', join(import.meta.dir, 'rejecting.ts'))
  await server.listening
  await sendEverywhere(createClient(`http://127.0.0.1:${PORT}`), everything)

  expect(await server.end('SIGUSR2')).toBe(1)

  expect(findLeaks(server.log())).toEqual([])
  const lines = readLines(server).map(line => JSON.parse(line))
  const rejections = lines.filter(({ msg }) => msg === 'Unhandled promise rejection')
  expect(rejections.map(({ err }) => err.type)).toEqual(['Error', 'string'])
  expect(lines.filter(({ level }) => level === 'fatal')).toMatchObject([
    { err: { type: 'AggregateError', cause: { type: 'TypeError' } } },
  ])
  expect(lines.at(-1).msg).toBe('Stopped')
}, 60_000)
