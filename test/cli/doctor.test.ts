import { afterEach, expect, test } from 'bun:test'
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { runCli } from '../../cli/program'
import { createTerminal } from '../../cli/terminal'

/** What the doctor finds at a server whose clock is ahead by so many seconds, or behind. */
async function examine(check: string, { seconds = 0, home = '/nonexistent', version = '1.0.0' }) {
  using server = Bun.serve({
    port: 0,
    fetch: () => {
      const headers = { date: new Date(Date.now() + 1000 * seconds).toUTCString() }
      return Response.json({ info: { version } }, { headers })
    },
  })
  const lines: string[] = []
  const terminal = {
    ...createTerminal(),
    env: { KIRAYA_URL: server.url.href, HOME: home },
    out: (text: string) => void lines.push(text),
    err: () => {},
  }
  await runCli(['doctor', '--json', 'check,result'], terminal)
  const findings: { check: string; result: string }[] = JSON.parse(lines.join('\n'))
  return findings.find(finding => finding.check === check)?.result
}

test.each([
  [0, 'ok'],
  [55, 'ok'],
  [-55, 'ok'],
  [70, 'warning'],
  [-70, 'warning'],
])('a clock that differs by %d s is %s', async (seconds, result) => {
  expect(await examine('clock', { seconds })).toBe(result)
})

test.each([
  [0o600, 'ok'],
  [0o640, 'failed'],
  [0o604, 'failed'],
])('a file of sign-ins with the mode %o is %s', async (mode, result) => {
  const home = mkdtempSync(join(tmpdir(), 'kiraya-doctor-'))
  const folder = join(home, '.config/kiraya')
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'credentials.json'), '{}')
  chmodSync(join(folder, 'credentials.json'), mode)

  const found = await examine('sign-in file', { home })

  rmSync(home, { recursive: true })
  expect(found).toBe(result)
})

test.each([
  ['1.0.0', 'ok'],
  ['1.9.0', 'ok'],
  ['2.0.0', 'warning'],
  ['10.0.0', 'warning'],
])('a server of version %s is %s', async (version, result) => {
  expect(await examine('version', { version })).toBe(result)
})

const { versions } = process
const setVersions = (value: object) =>
  Object.defineProperty(process, 'versions', { value, configurable: true })
afterEach(() => void setVersions(versions))

test.each([
  [{ node: '22.12.0' }, 'ok'],
  [{ node: '22.11.9' }, 'failed'],
  [{ node: '20.19.0' }, 'failed'],
  [{ node: '24.0.0' }, 'ok'],
  [{ node: '18.0.0', bun: '1.4.5' }, 'ok'],
])('the runtime %j is %s', async (runtime, result) => {
  setVersions(runtime)
  expect(await examine('runtime', {})).toBe(result)
})
