import { expect, test } from 'bun:test'
import { runCli } from '../../cli/program'
import { createTerminal } from '../../cli/terminal'
import { createStubServer, dataResponse } from '../sdk/stub-server'
import { createShell } from './shell'

/** What a person sees in a terminal when the server responds with the data. */
async function runInTerminal(commandLine: string, data: unknown) {
  using server = createStubServer(dataResponse(data))
  const lines: string[] = []
  const terminal = {
    ...createTerminal(),
    env: { KIRAYA_URL: server.url, KIRAYA_TOKEN: 'a.b.c', KIRAYA_OPS_TOKEN: 'o', HOME: '/nonexistent' },
    isStdoutTty: true,
    out: (text: string) => void lines.push(text),
    err: (text: string) => void lines.push(text),
  }
  expect(await runCli(commandLine.split(' '), terminal)).toBe(0)
  return lines.join('\n')
}

const signatures = [{ id: 1, signer_id: 2, signer_role: 'tenant', status: 'signed' }]

test.each([
  [true, 'All parties have signed'],
  [false, 'Not all parties have signed yet'],
])('agreement signatures, allSigned %p: %s', async (allSigned, remark) => {
  const lines = await runInTerminal('agreement signatures 1', { allSigned, signatures })

  expect(lines).toContain('SIGNER_ROLE')
  expect(lines).toEndWith(remark)
})

const failure = { id: 'f', name: 'remind', error: 'the provider is down', failed_at: '2026-11-22T06:00:00Z' }
const job = { name: 'remind', state: 'failed', runs: 1, newest: '2026-11-22T06:00:00Z' }
const report = { waiting: { open_signatures: 3 }, jobs: [job], failed: [failure] }

test('ops jobs shows a single failure, and nothing in its place if there is none', async () => {
  expect(await runInTerminal('ops jobs', report)).toContain(failure.error)

  const lines = await runInTerminal('ops jobs', { ...report, failed: [] })
  expect(lines).toContain('open_signatures  3')
  expect(lines).not.toContain('None')
})

test('open signing shows an address without what controls a terminal', async () => {
  const signing = { user: { id: 1 }, signing_url: 'http://127.0.0.1:1/\u001b[31msign' }
  const lines = await runInTerminal('open signing 1', signing)
  expect(lines).toContain('sign')
  expect(lines).not.toContain('\u001b')
})

test('a program gets every character of the data as JSON', async () => {
  const property = { id: 1, alias_name: 'White\u202eHouse\u009b' }
  using server = createStubServer(dataResponse(property))
  using shell = createShell(server.url)
  expect((await shell.kiraya('property get 1 --json')).out).toContain(property.alias_name)
})
