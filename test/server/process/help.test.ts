import { expect, test } from 'bun:test'
import { join } from 'node:path'
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
