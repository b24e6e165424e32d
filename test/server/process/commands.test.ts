import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { openDatabase } from '../../../db/database'
import { migrations } from '../../../db/migrations'
import { createHelp } from '../../../server/process/help'
import { settings } from '../../../server/settings/table'
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

test('an unknown argument is refused', async () => {
  const { exitCode, out, err } = await runServer(['--verion'])
  expect({ exitCode, out }).toEqual({ exitCode: 2, out: '' })
  expect(err).toContain('Unknown argument: --verion')
})

// The settings are not valid, and there is no database.
test.each([
  ['--version', /^\d+\.\d+\.\d+\n$/],
  ['--help', /PostgreSQL 15 or later/],
  ['--help --markdown', /^## Server\n[^]*\| `PORT` \| `3000` \|/],
])('%s needs no valid setting', async (args, text) => {
  const { out, exitCode } = await runServer(args.split(' '), { PORT: 'none', NODE_ENV: 'production' })
  expect(exitCode).toBe(0)
  expect(out).toMatch(text)
})

test('the help has a line for each setting: its name, its meaning and its default', () => {
  const lines = createHelp().split('\n')
  const width = Math.max(...Object.keys(settings).map(name => name.length))
  const line = (name: string, meaning: string) => `  ${name.padEnd(width)}  ${meaning}`

  for (const name of Object.keys(settings)) expect(lines.join()).toContain(`  ${name} `)
  expect(lines).toContain(line('PORT', 'Port to listen on; 0 takes any free one (3000)'))
  expect(lines).toContain(
    line('MSG91_AUTH_KEY', 'Credential of MSG91, for SMS; required with MESSAGE_CHANNELS=sms'),
  )
  expect(lines[0]).toBe('Runs the Kiraya server. Environment variables are its settings.')
})

test('a migration says what it did, or why it did not', async () => {
  const { url, drop } = await freshDatabase({ migrated: false })

  const done = await runServer(['migrate'], { DATABASE_URL: url })
  const again = await runServer(['migrate', '--create'], { DATABASE_URL: url })
  const invalid = await runServer(['migrate'], { DATABASE_URL: 'somewhere' })

  expect(done).toEqual({ exitCode: 0, out: expect.stringContaining(migrations.at(-1)!.name), err: '' })
  expect(again).toEqual({
    exitCode: 0,
    out: 'The database is as it should be\nThe entities have not changed\n',
    err: '',
  })
  expect([invalid.exitCode, invalid.out]).toEqual([1, ''])
  expect(invalid.err).toMatch(/^Kiraya cannot migrate: .*DATABASE_URL/)
  await drop()
})

test('a database of another baseline is refused by a migration and by a start', async () => {
  const { url, drop } = await freshDatabase()
  const database = openDatabase(url)
  await database.sendStatement(`update mikro_orm_migrations set name = '0001-baseline'`, [])
  await database.close()

  const migrated = await runServer(['migrate'], { DATABASE_URL: url })
  const started = await runServer([], { DATABASE_URL: url, PORT: '0', LOG_LEVEL: 'silent' })

  const reason = 'Another version of Kiraya has created the database (by 0001-baseline; this version needs'
  expect(migrated).toEqual({
    exitCode: 1,
    out: '',
    err: expect.stringContaining(`cannot migrate: ${reason}`),
  })
  expect(started).toEqual({ exitCode: 1, out: '', err: expect.stringContaining(`cannot start: ${reason}`) })
  await drop()
})
