import { describe, expect, test } from 'bun:test'
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openBrowser } from '../../cli/runtime/browser'
import { dataResponse } from '../sdk/stub-server'
import { waitUntil } from '../support/round'
import { recordTerminal, runAgainst } from './shell'

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
