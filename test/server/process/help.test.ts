import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { createHelp } from '../../../server/process/help'
import { settings } from '../../../server/settings/table'

const root = join(import.meta.dir, '../../..')

test.each(['--help', '-h'])('%s lists the settings without a database, and ends', async argument => {
  const env = { PATH: process.env.PATH, NODE_ENV: 'production' }
  const running = Bun.spawn([process.execPath, 'server/index.ts', argument], {
    cwd: root,
    env,
    stdout: 'pipe',
  })
  const text = await new Response(running.stdout).text()

  expect(await running.exited).toBe(0)
  for (const name of Object.keys(settings)) expect(text).toContain(name)
  expect(text).toContain('PostgreSQL 17 or later')
})

test('a setting is one line: its name, its meaning and its default', () => {
  const lines = createHelp().split('\n')
  const width = Math.max(...Object.keys(settings).map(name => name.length))
  const line = (name: string, meaning: string) => `  ${name.padEnd(width)}  ${meaning}`

  expect(lines).toContain(line('PORT', 'Port to listen on; 0 takes any free one (3000)'))
  expect(lines).toContain(line('MSG91_AUTH_KEY', 'Credential of MSG91'))
  expect(lines.slice(0, 9)).toEqual([
    'Runs the Kiraya server. Environment variables are its settings.',
    '',
    '  DATABASE_URL=postgres://kiraya:secret@localhost:5432/kiraya kiraya-server',
    '  kiraya-server migrate | dump FILE | restore FILE | --version',
    '',
    'It needs PostgreSQL 17 or later, and makes its tables itself. Without DATABASE_URL it starts the',
    'PostgreSQL of its packages; the single program has none. The documentation is at /docs once it runs.',
    '',
    'Settings, with their defaults:',
  ])
})
