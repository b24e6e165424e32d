import { describe, expect, test } from 'bun:test'
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openBrowser } from '../../cli/runtime/browser'
import { createStubServer, dataResponse } from '../sdk/stub-server'
import { waitUntil } from '../support/round'
import { createShell, recordTerminal, runAgainst } from './shell'

describe('wait agreement', () => {
  const signer = { signer_id: 7, status: 'declined' }
  test.each([
    ['ACTIVE', 'active', 0, ''],
    ['ACTIVE', 'terminated --timeout 1ms', 9, 'The agreement is not TERMINATED yet\n'],
    ['ACTIVE', 'pending', 7, 'The agreement is ACTIVE, past PENDING (FORBIDDEN)\n'],
    [
      'PENDING',
      'active',
      7,
      expect.stringMatching(/^The signature of user 7 is declined.*\nStart it again: /),
    ],
  ])('that is %s --status %s ends with %d', async (status, flags, exitCode, err) => {
    const respond = dataResponse({ id: 31, status, signatures: [signer] })
    const run = await runAgainst(respond, `wait agreement 31 --status ${flags}`)
    expect([run.exitCode, run.err]).toEqual([exitCode, err])
    if (exitCode === 0) expect(run.data.status).toBe(status)
  })
})

/** A browser that keeps the addresses that it is opened with, each in a line. */
function createBrowser() {
  const folder = mkdtempSync(join(tmpdir(), 'kiraya-browser-'))
  const [program, file] = [join(folder, 'browser'), join(folder, 'opened')]
  writeFileSync(file, '')
  writeFileSync(program, `#!/bin/sh\necho "$@" >> ${file}\n`)
  chmodSync(program, 0o755)
  const readOpened = () => readFileSync(file, 'utf8').split('\n').slice(0, -1)
  return {
    program,
    readOpened,
    waitFor: (count: number) => waitUntil(() => readOpened().length >= count, `address ${count}`),
    [Symbol.dispose]: () => rmSync(folder, { recursive: true }),
  }
}

describe('open', () => {
  const open = (program: string, address: string, isStdoutTty = true) =>
    openBrowser(recordTerminal({ env: { BROWSER: program }, isStdoutTty }).terminal, address)

  test('opens addresses of the web for a person at this machine, and no others', async () => {
    using browser = createBrowser()

    open(browser.program, 'https://example.com/piped', false)
    open(browser.program, 'file:///etc/passwd')
    open(browser.program, '--help')
    open(browser.program, 'https://example.com/a')
    await browser.waitFor(1)
    const env = { BROWSER: browser.program }
    const shown = await runAgainst(dataResponse({}), 'open docs', { replies: [], env })
    await browser.waitFor(2)

    expect(shown.screen).toMatch(/^http:\/\/127.0.0.1:\d+\/docs\n$/)
    expect(browser.readOpened()).toEqual(['https://example.com/a', shown.screen.trim()])
  })

  test('is no failure if the browser does not start', async () => {
    open('/nonexistent/browser', 'https://example.com')
    // The failure to start comes later.
    await Bun.sleep(0)
  })
})

test.each(['bash', 'zsh', 'fish'])('completion %s prints a script that asks the command', async shell => {
  const { exitCode, out } = await runAgainst(dataResponse({}), `completion ${shell}`)
  expect([exitCode, out]).toEqual([0, expect.stringContaining('kiraya complete --')])
})

/** What a shell is offered where a sign-in is stored as one, and whether the server was asked. */
async function complete(words: string) {
  const user = { access_token: 'a.b.c', user: { phone: '9876543210' }, status: 'LOGIN_SUCCESSFUL' }
  using server = createStubServer(dataResponse(user))
  using shell = createShell(server.url)
  await shell.getData('login --profile one --phone 9876543210 --otp 123456')
  const count = server.requests.length
  const { out } = await shell.kiraya(`complete -- ${words}`)
  expect(server.requests).toHaveLength(count)
  return out
}

test.each([
  ['agreement get', ['get']],
  ['unit create 1 --room', ['--room-type']],
  ['completion z', ['zsh']],
  ['property list --language h', ['hi']],
  ['agreement list --profile ""', ['one']],
  ['profile use ""', ['one']],
])('%s is completed without asking the server', async (words, values) => {
  const lines = (await complete(words)).split('\n').filter(line => line.includes('\t'))
  expect(lines.map(line => line.split('\t')[0]!)).toEqual(values)
})

test.each(['import properties ""', 'api POST /tenants --input ""', 'statement download 1 --out ""'])(
  '%s leaves the names of files to the shell',
  async words => {
    expect((await complete(words)).trim()).toBe(':0')
  },
)
