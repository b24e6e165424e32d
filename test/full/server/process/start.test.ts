import { afterAll, expect, test } from 'bun:test'
import { mkdtemp, rm, readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '../../../support/process'
import { sendRequest, signInUser } from '../../../support/users'

const root = join(import.meta.dir, '../../../..')
const folders: string[] = []
const started = new Set<Bun.Subprocess>()

async function createDataDir() {
  const folder = await mkdtemp(join(tmpdir(), 'kiraya-start-'))
  folders.push(folder)
  return folder
}

/** Starts the server as `bun start` does. */
async function startServer(DATA_DIR: string, env: Record<string, string> = {}) {
  const running = Bun.spawn([process.execPath, 'server/index.ts'], {
    cwd: root,
    env: { PATH: process.env.PATH, HOME: process.env.HOME, DATA_DIR, PORT: '0', ...env },
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'pipe',
  })
  started.add(running)
  let output = ''
  const url = Promise.withResolvers<string>()
  const read = (async () => {
    for await (const chunk of running.stdout.pipeThrough(new TextDecoderStream())) {
      output += chunk
      const found = /Kiraya listens on (\S+?)"/.exec(output)?.[1]
      if (found) url.resolve(found)
    }
    url.reject(new Error(`ended: ${output}${await new Response(running.stderr).text()}`))
  })()
  return {
    process: running,
    url: await url.promise,
    output: () => output,
    end: async (signal: NodeJS.Signals = 'SIGTERM') => {
      running.kill(signal)
      await running.exited
      await read
      return running.exitCode
    },
  }
}

async function isPostgresRunning(output: string) {
  const folder = /PostgreSQL runs on the data in (\S+?)"/.exec(output)![1]!
  const pidFile = await readFile(join(folder, 'postmaster.pid'), 'utf8').catch(() => '')
  return pidFile.split('\n')[7]?.trim() === 'ready'
}

afterAll(async () => {
  for (const each of started) each.kill('SIGKILL')
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
  expect(new URL(first.url).port).toBe(PORT)
  const person = await signInUser(first.url)
  expect((await person.call('POST', '/properties', { pin_code: 110001, property_type: 'pg' })).status).toBe(
    201,
  )
  await first.end('SIGKILL')

  const second = await startServer(folder)
  const listed = await sendRequest(second.url, 'GET', '/properties', { token: person.token })
  expect(listed.body.metadata.total).toBe(1)
  expect(second.output()).toContain('SANDBOX_EKYC=auto')
  expect(await second.end()).toBe(0)
  expect(await isPostgresRunning(second.output())).toBe(false)
})

test('two servers that start at once share one PostgreSQL, which stops with the last', async () => {
  const folder = await createDataDir()
  const [one, two] = await Promise.all([startServer(folder), startServer(folder)])
  const person = await signInUser(one.url)
  expect((await sendRequest(two.url, 'GET', '/auth/me', { token: person.token })).status).toBe(200)
  expect(await one.end()).toBe(0)
  expect((await sendRequest(two.url, 'GET', '/health/ready')).status).toBe(200)
  expect(await two.end('SIGINT')).toBe(0)
  expect(two.output()).toContain(`npx kiraya login --url ${two.url} --phone`)
  expect(await isPostgresRunning(two.output())).toBe(false)
})

test('a start that fails leaves no PostgreSQL behind', async () => {
  const DATA_DIR = await createDataDir()
  const other = Bun.listen({ hostname: '127.0.0.1', port: 0, socket: { data() {} } })
  const failed = Bun.spawn([process.execPath, 'server/index.ts'], {
    cwd: root,
    env: {
      PATH: process.env.PATH,
      HOME: process.env.HOME,
      DATA_DIR,
      HOST: '127.0.0.1',
      PORT: `${other.port}`,
    },
    stdout: 'pipe',
    stderr: 'pipe',
  })
  started.add(failed)
  const [output, errors] = [
    await new Response(failed.stdout).text(),
    await new Response(failed.stderr).text(),
  ]

  expect([errors, await failed.exited]).toEqual([
    `Kiraya cannot start: PORT ${other.port} is already in use\n`,
    1,
  ])
  expect(await isPostgresRunning(output)).toBe(false)
  other.stop(true)
})
