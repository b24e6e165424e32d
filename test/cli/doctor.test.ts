import { expect, test } from 'bun:test'
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createStubServer } from '../sdk/stub-server'
import { createShell } from './shell'

type Scene = { seconds?: number; version?: string; mode?: number }

/** What the doctor finds at a server of a version, whose clock differs, with a file of sign-ins of a mode. */
async function examine(check: string, { seconds = 0, version = '1.0.0', mode = 0o600 }: Scene = {}) {
  using stub = createStubServer(() => {
    const headers = { date: new Date(Date.now() + 1000 * seconds).toUTCString() }
    return Response.json({ info: { version } }, { headers })
  })
  using shell = createShell(stub.url)
  const folder = join(shell.home, '.config/kiraya')
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'credentials.json'), '{}')
  chmodSync(join(folder, 'credentials.json'), mode)
  const { data } = await shell.kiraya('doctor --json check,result')
  return data.find((finding: { check: string }) => finding.check === check).result
}

test.each<[check: string, scene: Scene, result: string]>([
  ['clock', { seconds: 0 }, 'ok'],
  ['clock', { seconds: 55 }, 'ok'],
  ['clock', { seconds: -55 }, 'ok'],
  ['clock', { seconds: 70 }, 'warning'],
  ['clock', { seconds: -70 }, 'warning'],
  ['version', { version: '1.0.0' }, 'ok'],
  ['version', { version: '1.9.0' }, 'ok'],
  ['version', { version: '2.0.0' }, 'warning'],
  ['version', { version: '10.0.0' }, 'warning'],
  ['sign-in file', { mode: 0o600 }, 'ok'],
  ['sign-in file', { mode: 0o640 }, 'failed'],
  ['sign-in file', { mode: 0o604 }, 'failed'],
])('%s of %j is %s', async (check, scene, result) => {
  expect(await examine(check, scene)).toBe(result)
})
