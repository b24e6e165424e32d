import { expect, test } from 'bun:test'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { scripts } from '../../../package.json'
import { openFreshDatabase } from '../../support/database'
import { getPort, serverSettings } from '../../support/process'
import { waitUntil } from '../../support/round'
import { sendRequest, signInUser } from '../../support/users'

const root = join(import.meta.dir, '../../..')

/** Starts what `bun start` runs. */
function start(env: Record<string, string>) {
  const bun = `'${process.execPath}'`
  return Bun.spawn(['sh', '-c', `exec env ${scripts.start.replace(/\bbun\b/, bun)}`], {
    cwd: root,
    env: { PATH: process.env.PATH, HOME: process.env.HOME, ...serverSettings, ...env },
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'pipe',
  })
}

test('bun start greets, serves, and stops on SIGTERM with exit code 0', async () => {
  await using database = await openFreshDatabase()
  const running = start({ PORT: '0', DATABASE_URL: database.url })
  let log = ''
  const read = (async () => {
    for await (const chunk of running.stdout.pipeThrough(new TextDecoderStream())) log += chunk
  })()
  await waitUntil(() => log.includes('npx kiraya login'), 'the greeting')
  const url = `http://127.0.0.1:${getPort({ log: () => log })}`

  const user = await signInUser(url)
  expect((await sendRequest(url, 'GET', '/auth/me', { token: user.token })).status).toBe(200)
  expect(log).toContain('Identity checks approve themselves')

  running.kill('SIGTERM')
  running.kill('SIGTERM')
  expect(await running.exited).toBe(0)
  await read
  expect(log).toContain('"Stopped"')
})

test('a start without a valid setting fails in one line that names it', async () => {
  const DATA_DIR = await mkdtemp(join(tmpdir(), 'kiraya-start-'))
  const failed = start({ DATA_DIR, API_VARIANT: 'c' })
  expect(await new Response(failed.stderr).text()).toMatch(/^Kiraya cannot start: API_VARIANT [^\n]+\n$/)
  expect(await failed.exited).toBe(1)
  await rm(DATA_DIR, { recursive: true })
})
