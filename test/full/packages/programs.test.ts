import { afterAll, beforeAll, expect, test } from 'bun:test'
import { copyFileSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { OTP } from '../../cli/shell'
import { runAsPerson } from '../../cli/pty'
import { freshDatabase } from '../../support/database'
import { testServer } from '../../support/server'
import { freshPhone } from '../../support/users'
import { createProject, root, runProgram } from './project'

const server = testServer()
const OPS_TOKEN = 'a-token-of-the-operators-for-this-test'
const built = join(root, 'cli/dist')
/** Has no node_modules in itself or above. */
const folder = mkdtempSync(join(tmpdir(), 'kiraya-programs-'))
const [kiraya, kirayaServer] = [join(folder, 'kiraya'), join(folder, 'kiraya-server')]

beforeAll(async () => {
  const build = (script: string) => runProgram([process.execPath, script], root)
  await Promise.all([build('cli/build.ts'), build('server/process/build.ts')])
  copyFileSync(join(built, 'kiraya'), kiraya)
  copyFileSync(join(root, 'server/dist/kiraya-server'), kirayaServer)
})
const servers: Bun.Subprocess[] = []
afterAll(() => {
  for (const running of servers) running.kill('SIGKILL')
  rmSync(folder, { recursive: true })
})

test('the published command needs nothing but Node', async () => {
  const manifest = await Bun.file(join(built, 'package.json')).json()
  expect(manifest).toMatchObject({ name: '@kiraya/cli', bin: { kiraya: 'kiraya.js' } })
  expect(manifest).not.toHaveProperty('dependencies')

  expect(await Bun.file(join(built, 'kiraya.js')).text()).toStartWith('#!/usr/bin/env node\n')
  expect(await Bun.file(join(built, 'main.js')).text()).not.toMatch(/\bBun\./)
})

test.each([22, 24])('the tarball installs and runs in Node %d', async version => {
  using project = createProject({})
  const tarball = join(built, 'kiraya-cli-1.0.0.tgz')
  await project.run('npm', 'install', '--no-audit', '--no-fund', `node@${version}`, tarball)

  const output = await project.run('npx', 'kiraya', 'smoke', '--url', server.url, '--json')
  expect(JSON.parse(output)).toMatchObject({ passed: true })
  const bin = join(project.folder, 'node_modules/.bin')
  await signInAsPerson(project.folder, [join(bin, 'node'), join(bin, 'kiraya')])
})

test('kiraya alone asks a person, selects fields and completes words', async () => {
  await signInAsPerson(folder, [kiraya])

  const env = { HOME: folder, KIRAYA_URL: server.url }
  const run = (...args: string[]) => Bun.spawn([kiraya, ...args], { cwd: folder, env, stdout: 'pipe' })
  const selected = run('status', '--query', 'status')
  expect(await new Response(selected.stdout).text()).toBe('NEEDS_PROFILE_COMPLETION\n')
  const completed = run('complete', '--', 'agr')
  expect(await new Response(completed.stdout).text()).toStartWith('agreement\t')
})

/** The libraries of questions and answers load at run time, so the program has to carry them. */
async function signInAsPerson(home: string, program: string[]) {
  const person = runAsPerson('login', { url: server.url, home, program })
  await person.reply('Phone number', freshPhone())
  await person.reply('One-time password', OTP)
  expect(await person.end()).toMatchObject({ exitCode: 0, text: expect.stringContaining('Signed in') })
}

test.each(['1', '2'])('kiraya and kiraya-server run alone, with WORKERS=%s', async workers => {
  const database = await freshDatabase()
  const running = runServer({ DATABASE_URL: database.url, PORT: '0', WORKERS: workers, OPS_TOKEN })
  const url = await readAddress(running.stdout)

  // Its steps read the table of PIN codes, and the fonts for a certificate.
  const output = await runProgram([kiraya, 'smoke', '--url', url, '--json'], folder)
  expect(JSON.parse(output)).toMatchObject({ passed: true })
  const headers = { authorization: `Bearer ${OPS_TOKEN}` }
  const pages = await Promise.all(
    ['/docs', '/docs/signing', '/metrics'].map(path => fetch(url + path, { headers })),
  )
  expect(pages.map(({ status }) => status)).toEqual([200, 200, 200])

  running.kill('SIGTERM')
  expect(await running.exited).toBe(0)
  await database.drop()
})

test.each([
  ['kiraya', kiraya, 'status'],
  ['kiraya of the checkout', join(root, 'node_modules/.bin/kiraya'), 'status'],
  ['kiraya-server', kirayaServer, 'migrate'],
])('%s runs no code and takes no settings of the current folder', async (_, program, command) => {
  using project = createProject({
    'bunfig.toml': 'preload = ["./planted.ts"]',
    'planted.ts': 'console.log("planted code")',
    '.env': 'KIRAYA_URL=http://planted.example\nDATABASE_URL=planted',
  })
  const env = { HOME: folder, PATH: process.env.PATH }
  const running = Bun.spawn([program, command], { cwd: project.folder, env, stdout: 'pipe', stderr: 'pipe' })
  const output = await Promise.all(
    [running.stdout, running.stderr].map(stream => new Response(stream).text()),
  )
  expect(output.join('')).not.toContain('planted')
  expect(output.join('')).not.toBe('')
})

test('kiraya-server without a PostgreSQL asks for DATABASE_URL', async () => {
  const running = runServer({ PORT: '0' })
  expect(await new Response(running.stderr).text()).toStartWith(
    'Kiraya cannot start: DATABASE_URL is required: this installation has no PostgreSQL of its own',
  )
  expect(await running.exited).toBe(1)
})

test('kiraya-server --help needs no database', async () => {
  const text = await runProgram([kirayaServer, '--help'], folder)
  expect(text).toContain('DATABASE_URL=postgres://kiraya:secret@localhost:5432/kiraya kiraya-server')
})

function runServer(env: Record<string, string>) {
  const running = Bun.spawn([kirayaServer], { cwd: folder, env, stdout: 'pipe', stderr: 'pipe' })
  servers.push(running)
  return running
}

/** Reads the log until the line that names the server's address. */
async function readAddress(log: ReadableStream<Uint8Array>) {
  let text = ''
  const decoder = new TextDecoder()
  const reader = log.getReader()
  for (let { done, value } = await reader.read(); !done; { done, value } = await reader.read()) {
    text += decoder.decode(value, { stream: true })
    const url = /Kiraya listens on (http:[^"\s]+)/.exec(text)?.[1]
    if (url) return url
  }
  throw new Error(`The server did not start:\n${text}`)
}
