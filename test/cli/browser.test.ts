import { expect, test } from 'bun:test'
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openBrowser } from '../../cli/browser'
import { createTerminal } from '../../cli/terminal'
import { waitUntil } from '../support/round'

/** A browser that keeps the addresses that it is opened with, each in a line. */
function createBrowser() {
  const folder = mkdtempSync(join(tmpdir(), 'kiraya-browser-'))
  const [program, file] = [join(folder, 'browser'), join(folder, 'opened')]
  writeFileSync(file, '')
  writeFileSync(program, `#!/bin/sh\necho "$@" >> ${file}\n`)
  chmodSync(program, 0o755)
  return {
    program,
    readOpened: () => readFileSync(file, 'utf8').split('\n').slice(0, -1),
    [Symbol.dispose]: () => rmSync(folder, { recursive: true }),
  }
}

const toTerminal = (BROWSER: string, isStdoutTty = true) => ({
  ...createTerminal(),
  env: { BROWSER },
  isStdoutTty,
})

test('a browser opens the addresses of the web for a person at this machine, and no others', async () => {
  using browser = createBrowser()

  openBrowser(toTerminal(browser.program, false), 'https://example.com/piped')
  openBrowser(toTerminal(browser.program), 'file:///etc/passwd')
  openBrowser(toTerminal(browser.program), '--help')
  openBrowser(toTerminal(browser.program), 'https://example.com/a')
  await waitUntil(() => browser.readOpened().length > 0, 'the first address')
  openBrowser(toTerminal(browser.program), 'http://127.0.0.1:3000/b')
  await waitUntil(() => browser.readOpened().length > 1, 'the second address')

  expect(browser.readOpened()).toEqual(['https://example.com/a', 'http://127.0.0.1:3000/b'])
})

test('a browser that does not start is no failure', async () => {
  openBrowser(toTerminal('/nonexistent/browser'), 'https://example.com')
  // The failure to start comes later.
  await Bun.sleep(0)
})
