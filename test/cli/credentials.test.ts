import { expect, test } from 'bun:test'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readCredentials, storeCredential } from '../../cli/runtime/credentials'
import { createStubServer, createTestToken, dataResponse } from '../sdk/stub-server'
import { createShell } from './shell'

const CREDENTIAL = { url: 'http://localhost:3000', token: 'a.b.c', phone: '9876543210' }

function createHome() {
  const home = mkdtempSync(join(tmpdir(), 'kiraya-home-'))
  const folder = join(home, '.config/kiraya')
  return { env: { HOME: home }, folder, [Symbol.dispose]: () => rmSync(home, { recursive: true }) }
}

test('profiles are stored and removed each by itself', () => {
  using home = createHome()
  const other = { ...CREDENTIAL, url: 'https://api.example.com' }
  storeCredential(home.env, 'default', CREDENTIAL)
  storeCredential(home.env, 'other', other)
  storeCredential(home.env, 'default', undefined)

  expect(readCredentials(home.env).default).toBeUndefined()
  expect(readCredentials(home.env).other).toEqual(other)
  expect(readdirSync(home.folder)).toEqual(['credentials.json'])
})

test('only the owner can open the folder of the sign-ins', () => {
  using home = createHome()
  storeCredential(home.env, 'default', CREDENTIAL)
  expect(statSync(home.folder).mode & 0o777).toBe(0o700)
})

test('only the owner can read a sign-in, also where an interrupted command left its file', () => {
  using home = createHome()
  mkdirSync(home.folder, { recursive: true })
  const leftOver = join(home.folder, `credentials.json.${process.pid}`)
  writeFileSync(leftOver, '{', { mode: 0o644 })

  storeCredential(home.env, 'default', CREDENTIAL)

  expect(statSync(join(home.folder, 'credentials.json')).mode & 0o777).toBe(0o600)
  expect(readCredentials(home.env).default).toEqual(CREDENTIAL)
})

test('XDG_CONFIG_HOME is where sign-ins are, unless it is empty', () => {
  using home = createHome()
  using other = createHome()
  const env = { ...home.env, XDG_CONFIG_HOME: other.env.HOME }
  storeCredential(env, 'default', CREDENTIAL)

  expect(readCredentials(env).default).toEqual(CREDENTIAL)
  expect(readdirSync(join(other.env.HOME, 'kiraya'))).toEqual(['credentials.json'])
  expect(readCredentials({ ...env, XDG_CONFIG_HOME: '' }).default).toBeUndefined()
})

test.each(['', '{'])('a file of sign-ins that holds %p is named, and stays', text => {
  using home = createHome()
  mkdirSync(home.folder, { recursive: true })
  const file = join(home.folder, 'credentials.json')
  writeFileSync(file, text)

  expect(() => readCredentials(home.env).default).toThrow(file)
  expect(() => storeCredential(home.env, 'default', CREDENTIAL)).toThrow(file)
  expect(readFileSync(file, 'utf8')).toBe(text)
})

test('a stored token that is a day old is renewed and stored, unless nothing may change or it is not the stored one', async () => {
  const issuedAt = Math.floor(Date.now() / 1000) - 90_000
  const [old, other] = ['old', 'other'].map(name => createTestToken({ iat: issuedAt, name }))
  using server = createStubServer(dataResponse({ access_token: 'new', user: {} }))
  using shell = createShell(server.url)
  const env = { HOME: shell.home }
  const credential = { ...CREDENTIAL, url: server.url, token: old! }
  storeCredential(env, 'default', credential)

  await shell.kiraya('status --dry-run')
  await shell.kiraya('status', { env: { KIRAYA_TOKEN: other! } })
  expect(readCredentials(env).default).toEqual(credential)
  await shell.kiraya('status')

  expect(readCredentials(env).default).toEqual({ ...credential, token: 'new' })
  const paths = server.requests.map(({ path }) => path)
  expect(paths).toEqual(['/auth/me', '/auth/me', '/auth/renew', '/auth/me'])
})
