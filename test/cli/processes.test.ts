import { describe, expect, test } from 'bun:test'
import { cpSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import manifest from '../../cli/package.json'
import { createStubServer, errorResponse } from '../sdk/stub-server'
import { testServer } from '../support/server'
import { CLEAR_LINE, CLI, CTRL_C, CTRL_D, runAsPerson } from './pty'
import { createLandlordShell, createShell } from './shell'

// What only a process shows; every other file runs the commands within its own.
const server = testServer()
const root = join(import.meta.dir, '../..')

async function run(command: string[], options: { cwd?: string; env?: object; stdin?: string } = {}) {
  const { cwd, env, stdin = '' } = options
  const running = Bun.spawn(command, {
    cwd,
    env: { PATH: process.env.PATH, ...env },
    stdin: new Blob([stdin]),
    stdout: 'pipe',
    stderr: 'pipe',
  })
  const texts = [new Response(running.stdout).text(), new Response(running.stderr).text()] as const
  const [out, err] = await Promise.all(texts)
  return { exitCode: await running.exited, out, err }
}

describe('a person at a real terminal', () => {
  test('types replies, corrects a mistake and selects a word', async () => {
    using shell = await createLandlordShell(server.url)
    const person = runAsPerson('property create --alias-name "White House"', {
      url: server.url,
      home: shell.home,
    })

    await person.reply('Pin code', 'five')
    await person.reply('must be a whole number', `${CLEAR_LINE}  560048 `)
    await person.reply('Property type', '')

    const { exitCode, text } = await person.end()
    expect({ exitCode, text }).toEqual({ exitCode: 0, text: expect.stringContaining('Bengaluru') })
    expect(await shell.getData('property list')).toMatchObject([
      { alias_name: 'White House', pin_code: 560048, property_type: 'apartment' },
    ])
  })

  test.each([
    ['Ctrl+C', CTRL_C],
    ['Ctrl+D', CTRL_D],
  ])('130: leaves by %s, and nothing is sent', async (_, key) => {
    using stub = createStubServer(errorResponse(500, 'INTERNAL_SERVER_ERROR'))
    using shell = createShell(stub.url)
    const person = runAsPerson('property create', { url: stub.url, home: shell.home })

    await person.reply('Pin code', '560048')
    await person.read('Property type')
    person.type(key)

    expect([(await person.end()).exitCode, stub.requests]).toEqual([130, []])
  })

  test.each([
    ['< /dev/null', 'login', '--phone is required\n'],
    ['> output.txt', 'property create', '--pin-code, --property-type are required\n'],
  ])('2: is asked nothing while a stream goes elsewhere: %s', async (redirection, command, text) => {
    using shell = createShell(server.url)
    const person = runAsPerson(command, { url: server.url, home: shell.home, redirection })
    expect(await person.end()).toMatchObject({ exitCode: 2, text })
  })
})

test('7: a program writes stdin and reads the exit code, with nothing but the error on stderr', async () => {
  using stub = createStubServer(errorResponse(403, 'FORBIDDEN'))
  using shell = createShell(stub.url)
  const command = [process.execPath, CLI, 'api', 'POST', '/tenants', '--input', '-']
  const env = { HOME: shell.home, KIRAYA_URL: stub.url }

  const { exitCode, out, err } = await run(command, { env, stdin: '{"phone_number":"1"}\n' })

  expect([exitCode, JSON.parse(out).error.code, err]).toEqual([7, 'FORBIDDEN', '403 Forbidden\n'])
  expect(stub.requests[0]!.body).toEqual({ phone_number: '1' })
})

test('0: a reader that leaves before the end is no failure', async () => {
  const line = '"$0" --no-env-file "$1" --help | true; exit ${PIPESTATUS[0]}'
  const { exitCode, err } = await run(['bash', '-c', line, process.execPath, CLI])
  expect([exitCode, err]).toEqual([0, ''])
})

test('a bunfig.toml or .env of the current folder is never obeyed', async () => {
  using shell = createShell(server.url)
  writeFileSync(join(shell.home, 'bunfig.toml'), 'preload = ["./planted.ts"]')
  writeFileSync(join(shell.home, 'planted.ts'), 'console.log("planted code")')
  writeFileSync(join(shell.home, '.env'), 'KIRAYA_URL=http://planted.invalid')

  const kiraya = join(root, 'node_modules/.bin/kiraya')
  const { out, err } = await run([kiraya, 'doctor'], { cwd: shell.home, env: { HOME: shell.home } })

  expect(out).toContain('http://localhost:3000')
  expect(out + err).not.toContain('planted')
})

describe('the program of the package', () => {
  /** Runs it on a Node that says it has a version; the rest of the package is one line. */
  async function runLauncher(version: string) {
    using shell = createShell(server.url)
    const program = join(shell.home, 'kiraya.mjs')
    cpSync(join(root, 'cli/launcher.js'), program)
    writeFileSync(join(shell.home, 'package.json'), '{"type":"module"}')
    writeFileSync(join(shell.home, 'main.js'), 'console.log("started")')
    const versions = JSON.stringify({ node: version })
    const pretend = `data:text/javascript,Object.defineProperty(process, 'versions', { value: ${versions} })`
    return await run(['node', '--import', pretend, program])
  }

  test.each(['20.19.5', '22.11.0'])('is refused by one sentence on Node %s', async version => {
    const err = `kiraya needs Node 22.12 or later, and this is Node ${version}: install a newer one\n`
    expect(await runLauncher(version)).toEqual({ exitCode: 1, out: '', err })
  })

  test('starts on the Node that the package names', async () => {
    expect(manifest.engines.node).toBe('>=22.12')
    expect(await runLauncher('22.12.0')).toEqual({ exitCode: 0, out: 'started\n', err: '' })
  })
})
