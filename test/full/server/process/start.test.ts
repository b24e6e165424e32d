import { afterAll, expect, test } from 'bun:test'
import { mkdtemp, readdir, rm, readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort, getPort, startProgram, type ServerProcess } from '../../../support/process'
import { sendRequest, signInUser } from '../../../support/users'

const folders: string[] = []
const started: ServerProcess[] = []

async function createDataDir() {
  const folder = await mkdtemp(join(tmpdir(), 'kiraya-start-'))
  folders.push(folder)
  return folder
}

/** Starts the server as `bun start` does, with a PostgreSQL of its own. */
async function startServer(DATA_DIR: string, env: Record<string, string> = {}) {
  const server = startProgram(['server/index.ts'], { DATA_DIR, PORT: '0', ...env })
  started.push(server)
  await server.listening
  return server
}
const getUrl = (server: ServerProcess) => `http://localhost:${getPort(server)}`

async function isPostgresRunning(output: string) {
  const folder = /PostgreSQL runs on the data in (\S+?)"/.exec(output)![1]!
  const pidFile = await readFile(join(folder, 'postmaster.pid'), 'utf8').catch(() => '')
  return pidFile.split('\n')[7]?.trim() === 'ready'
}

afterAll(async () => {
  for (const { child } of started) child.kill('SIGKILL')
  for (const folder of folders) {
    const home = await readFile(join(folder, 'postgresql-is-in'), 'utf8').then(
      text => text.trim(),
      () => undefined,
    )
    for (const below of [home, folder]) if (below) await rm(below, { recursive: true, force: true })
  }
})

test('data and tokens survive kill -9 and a restart, and PostgreSQL stops with the server', async () => {
  const folder = await createDataDir()
  const PORT = freePort()
  const first = await startServer(folder, { PORT })
  expect(getPort(first)).toBe(PORT)
  const person = await signInUser(getUrl(first))
  expect((await person.call('POST', '/properties', { pin_code: 110001, property_type: 'pg' })).status).toBe(
    201,
  )
  await first.end('SIGKILL')

  const second = await startServer(folder)
  const listed = await sendRequest(getUrl(second), 'GET', '/properties', { token: person.token })
  expect(listed.body.metadata.total).toBe(1)
  expect(second.log()).toContain('Identity checks approve themselves')
  expect(await second.end('SIGTERM')).toBe(0)
  expect(await isPostgresRunning(second.log())).toBe(false)
})

test('two servers that start at once share one PostgreSQL, which stops with the last', async () => {
  const folder = await createDataDir()
  const [one, two] = await Promise.all([startServer(folder), startServer(folder)])
  const person = await signInUser(getUrl(one))
  expect((await sendRequest(getUrl(two), 'GET', '/auth/me', { token: person.token })).status).toBe(200)
  expect(await one.end('SIGTERM')).toBe(0)
  expect((await sendRequest(getUrl(two), 'GET', '/health/ready')).status).toBe(200)
  expect(await two.end('SIGINT')).toBe(0)
  expect(two.log()).toContain(`npx kiraya login --url ${getUrl(two)} --phone`)
  expect(await isPostgresRunning(two.log())).toBe(false)
})

test('a port that is in use is refused, which leaves nothing behind', async () => {
  const DATA_DIR = await createDataDir()
  using other = Bun.listen({ hostname: '127.0.0.1', port: 0, socket: { data() {} } })
  const failed = await startServer(DATA_DIR, { HOST: '127.0.0.1', PORT: String(other.port) })

  expect(await failed.end()).toBe(1)
  expect(failed.log()).toEndWith(`Kiraya cannot start: PORT ${other.port} is already in use\n`)
  expect(await readdir(DATA_DIR)).toEqual([])
})
