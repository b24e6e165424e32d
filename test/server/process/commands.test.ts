import { expect, test } from 'bun:test'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freshDatabase } from '../../support/database'

const root = join(import.meta.dir, '../../..')

async function runServer(args: string[], env: Record<string, string> = {}) {
  const run = Bun.spawn([process.execPath, 'server/index.ts', ...args], {
    cwd: root,
    env: { PATH: process.env.PATH, HOME: process.env.HOME, ...env },
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'pipe',
  })
  const [out, err] = await Promise.all([new Response(run.stdout).text(), new Response(run.stderr).text()])
  return { exitCode: await run.exited, out, err }
}

test.each(['--verion', 'start', '--port=1'])('an unknown argument is refused: %s', async arg => {
  const { exitCode, out, err } = await runServer([arg])
  expect({ exitCode, out }).toEqual({ exitCode: 2, out: '' })
  expect(err).toContain(`Unknown argument: ${arg}`)
})

test('--version is printed without a database or a valid setting', async () => {
  const { out, exitCode } = await runServer(['--version'], { PORT: 'none' })
  expect(exitCode).toBe(0)
  expect(out).toMatch(/^\d+\.\d+\.\d+\n$/)
})

test('a database is dumped, restored and migrated', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'kiraya-commands-'))
  const file = join(folder, 'kiraya.gz')
  const [from, to] = [await freshDatabase(), await freshDatabase()]

  const withoutFile = await runServer(['dump'], { DATABASE_URL: from.url })
  const dump = await runServer(['dump', file], { DATABASE_URL: from.url })
  const restore = await runServer(['restore', file], { DATABASE_URL: to.url })
  const migrate = await runServer(['migrate'], { DATABASE_URL: to.url })

  expect(withoutFile.exitCode).toBe(2)
  expect([dump.err, restore.err, migrate.err]).toEqual(['', '', ''])
  expect([dump.exitCode, restore.exitCode, migrate.exitCode]).toEqual([0, 0, 0])
  expect(dump.out).toStartWith('Dumped')
  expect(restore.out).toStartWith('Restored')
  expect(migrate.out).toContain('The database is as it should be')
  await Promise.all([from.drop(), to.drop(), rm(folder, { recursive: true })])
})
