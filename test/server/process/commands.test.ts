import { expect, test } from 'bun:test'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { migrations } from '../../../db/migrations'
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

  expect(withoutFile).toEqual({ exitCode: 2, out: '', err: 'Name a file: dump FILE, or restore FILE\n' })
  expect([dump.err, restore.err, migrate.err]).toEqual(['', '', ''])
  expect([dump.exitCode, restore.exitCode, migrate.exitCode]).toEqual([0, 0, 0])
  const totals = / (\d+ rows of \d+ tables) in \d+(\.\d)? s: /
  expect(dump.out).toMatch(new RegExp(`^Dumped${totals.source}${file}\n$`))
  expect(restore.out).toMatch(new RegExp(`^Restored${totals.source}${file}\n$`))
  expect(totals.exec(restore.out)![1]).toBe(totals.exec(dump.out)![1]!)
  expect(migrate.out).toBe('The database is as it should be\n')
  await Promise.all([from.drop(), to.drop(), rm(folder, { recursive: true })])
})

test('a restore that fails says why, and that nothing was changed', async () => {
  const { url, drop } = await freshDatabase({ migrated: false })

  const { exitCode, out, err } = await runServer(['restore', '/nowhere/at/all'], { DATABASE_URL: url })

  expect([exitCode, out]).toEqual([1, ''])
  expect(err).toStartWith('The restore failed, and nothing was changed: ENOENT')
  await drop()
})

test('a migration says what it did, or why it did not', async () => {
  const { url, drop } = await freshDatabase()
  const last = migrations.at(-1)!.name

  const back = await runServer(['migrate', '--to', migrations.at(-2)!.name], { DATABASE_URL: url })
  const again = await runServer(['migrate', '--create', 'nothing'], { DATABASE_URL: url })
  const invalid = await runServer(['migrate'], { DATABASE_URL: 'somewhere' })

  const done = `Done: ${last}\n`
  expect(back).toEqual({ exitCode: 0, out: done, err: '' })
  expect(again).toEqual({ exitCode: 0, out: `${done}The entities have not changed\n`, err: '' })
  expect([invalid.exitCode, invalid.out]).toEqual([1, ''])
  expect(invalid.err).toMatch(/^Kiraya cannot migrate: .*DATABASE_URL/)
  await drop()
})

test.each(['migrate', 'dump', 'restore'])(
  '%s says why the PostgreSQL of its own does not start',
  async command => {
    const folder = await mkdtemp(join(tmpdir(), 'kiraya-commands-'))
    // The first stands in the way of a cluster of root, the second in that of any other user.
    await writeFile(join(folder, 'postgresql-is-in'), '/dev/null/development')
    await writeFile(join(folder, 'development'), '')

    const { exitCode, out, err } = await runServer([command, '/nowhere'], { DATA_DIR: folder })

    expect([exitCode, out]).toEqual([1, ''])
    expect(err).toStartWith(`Kiraya cannot ${command}: `)
    expect(err).toContain('/development')
    await rm(folder, { recursive: true })
  },
)
