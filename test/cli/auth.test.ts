import { describe, expect, test } from 'bun:test'
import { chmodSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { readCredential } from '../../cli/credentials'
import { hashPassword } from '../../sdk/password'
import { createStubServer, dataResponse, errorResponse } from '../sdk/stub-server'
import { testServer } from '../support/server'
import { freshPhone } from '../support/users'
import { createLandlordShell, createShell, OTP, runAgainst, type Shell } from './shell'

const server = testServer()
const getMode = (path: string) => statSync(path).mode & 0o777
const user = { access_token: 'a.b.c', user: { id: 1, phone: '9876543210' }, status: 'LOGIN_SUCCESSFUL' }
const succeed = dataResponse(user)

/** The exit codes of command lines that run one after the other. */
async function runAll({ kiraya }: Pick<Shell, 'kiraya'>, lines: [line: string, stdin?: string][]) {
  const exitCodes: number[] = []
  for (const [line, stdin] of lines) exitCodes.push((await kiraya(line, { stdin })).exitCode)
  return exitCodes
}

test('onboard stores a sign-in that only its owner can read, and logout removes it', async () => {
  using shell = await createLandlordShell(server.url)

  expect(await shell.getData('status')).toMatchObject({ phone: shell.phone, status: 'LOGIN_SUCCESSFUL' })
  const folder = join(shell.home, '.config/kiraya')
  expect([getMode(folder), getMode(join(folder, 'credentials.json'))]).toEqual([0o700, 0o600])

  expect(await runAll(shell, [['logout'], ['status']])).toEqual([0, 4])
  expect(readCredential({ HOME: shell.home }, 'default')).toBeUndefined()
})

describe('a one-time password that no one has asked for', () => {
  const error = { code: 'UNAUTHORIZED', reason: 'wrong_otp', message: 'No' }
  const wrong = () => Response.json({ success: false, data: null, error }, { status: 401 })
  const login = 'login --phone 9876543210 --otp 123456'
  const verify = 'POST /auth/verify'

  test.each([
    ['an open sandbox', dataResponse({})],
    ['a sandbox with a token', errorResponse(401, 'UNAUTHORIZED')],
  ])('is that of %s: it is sent, and tried again', async (_, answer) => {
    const { exitCode, calls } = await runAgainst([wrong, answer, dataResponse({}), succeed], login)
    expect([exitCode, calls]).toEqual([0, [verify, 'GET /sandbox/control', 'POST /auth/send-otp', verify]])
  })

  test.each([
    [4, 'stays wrong without a sandbox', login, [wrong, errorResponse(404, 'NOT_FOUND')], 2],
    [4, 'is refused otherwise for good', login, [errorResponse(401, 'UNAUTHORIZED')], 1],
    [
      1,
      'is not sent by onboard after another failure',
      login.replace('login', 'onboard --first-name A --last-name B --email a@b.co'),
      [errorResponse(429, 'TOO_MANY_REQUESTS', { 'retry-after': '60' }), succeed],
      1,
    ],
  ])('%d: %s', async (exitCode, _, commandLine, answers, count) => {
    const run = await runAgainst(answers, commandLine)
    expect([run.exitCode, run.calls.length]).toEqual([exitCode, count])
  })
})

test('a password is read from stdin, and changed with the current one or a one-time password', async () => {
  using shell = await createLandlordShell(server.url)
  using other = createShell(server.url)
  const change = 'profile complete --first-name Asha --last-name Rao --email a@b.co --password-stdin'
  const login = `login --phone ${shell.phone} --password-stdin`

  expect(await runAll(shell, [[change, 'correct horse\n']])).toEqual([0])
  expect(
    await runAll(other, [
      [login, 'wrong horse\n'],
      [login, 'correct horse\n'],
    ]),
  ).toEqual([4, 0])

  const current = `${change} --current-password-stdin`
  const exitCodes = await runAll(shell, [
    [change, 'another horse'],
    [current, 'wrong horse\nanother horse\n'],
    [current, 'correct horse\nanother horse\n'],
    [`login --phone ${shell.phone}`],
    [`${change} --otp ${OTP}`, 'a third horse'],
    [login, 'a third horse'],
  ])
  expect(exitCodes).toEqual([6, 4, 0, 0, 0, 0])
})

test('a password from stdin loses its last line break and nothing else', async () => {
  const line = 'login --phone 9876543210 --password-stdin'
  const { requests } = await runAgainst(succeed, line, { stdin: ' two \n blanks \r\n' })
  const password = await hashPassword('9876543210', ' two \n blanks ')
  expect(requests[0]!.body).toEqual({ phone_number: '9876543210', password })
})

test('auth export shows all stored data, or writes it to a file for its owner alone', async () => {
  using shell = await createLandlordShell(server.url)
  const file = join(shell.home, 'me.json')

  expect(await shell.getData('auth export')).toMatchObject({
    user: { phone: shell.phone, first_name: 'Asha' },
    identity_checks: [{ status: 'SUCCESS' }],
  })
  await shell.getData('auth export --file me.json')
  expect((await Bun.file(file).json()).user.phone).toBe(shell.phone)
  expect(getMode(file)).toBe(0o600)

  chmodSync(file, 0o666)
  await shell.getData('auth export --file me.json')
  expect(getMode(file)).toBe(0o600)
})

test('auth erase needs --yes and a one-time password, and removes the stored sign-in', async () => {
  using shell = await createLandlordShell(server.url)

  const withoutOtp = await shell.kiraya('auth erase --yes')
  expect([withoutOtp.exitCode, withoutOtp.err]).toEqual([0, expect.stringContaining('--otp')])
  expect((await shell.kiraya('auth erase --yes --otp 000000')).exitCode).toBe(4)
  expect(readCredential({ HOME: shell.home }, 'default')).toMatchObject({ phone: shell.phone })
  expect(await shell.getData(`auth erase --yes --otp ${OTP}`)).toEqual({ message: expect.any(String) })

  expect(readCredential({ HOME: shell.home }, 'default')).toBeUndefined()
  expect((await shell.kiraya('status')).exitCode).toBe(4)
})

test('a token goes only to the server that issued it, whose address may end in slashes', async () => {
  using shell = await createLandlordShell(server.url)
  using other = createStubServer(errorResponse(401, 'UNAUTHORIZED'))

  expect((await shell.kiraya(`status --url ${other.url}`)).exitCode).toBe(4)
  expect(other.requests.map(({ authorization }) => authorization)).toEqual([null])
  expect((await shell.kiraya(`status --url ${server.url}//`)).exitCode).toBe(0)
})

test('KIRAYA_URL comes before the address of the stored sign-in, and --url before both', async () => {
  using shell = await createLandlordShell(server.url)
  const unreachable = { KIRAYA_URL: 'http://127.0.0.1:1' }

  const stored = await shell.kiraya('status', { env: { KIRAYA_URL: '' } })
  const fromEnvironment = await shell.kiraya('status', { env: unreachable })
  const fromFlag = await shell.kiraya(`status --url ${server.url}`, { env: unreachable })

  expect([stored.exitCode, fromEnvironment.exitCode, fromFlag.exitCode]).toEqual([2, 8, 0])
})

test('profiles separate sign-ins, are chosen, listed and removed; KIRAYA_TOKEN overrides them', async () => {
  using shell = createShell(server.url)
  const phones = { one: freshPhone(), two: freshPhone() }
  for (const [profile, phone] of Object.entries(phones))
    await shell.getData(`login --profile ${profile} --phone ${phone} --otp ${OTP}`)

  expect((await shell.getData('status --profile one')).phone).toBe(phones.one)
  expect((await shell.getData('--profile two status')).phone).toBe(phones.two)
  const env = { KIRAYA_TOKEN: 'not.a.token' }
  expect((await shell.kiraya('status --profile one', { env })).exitCode).toBe(4)

  await shell.getData('profile use two')
  expect((await shell.getData('status')).phone).toBe(phones.two)
  const overridden = await shell.kiraya('profile use two', { env: { KIRAYA_PROFILE: 'one' } })
  expect(overridden.data).toEqual({ profile: 'two', current: false })
  expect(overridden.err).toBe('KIRAYA_PROFILE is set: commands go on using one\n')
  expect(await shell.getData('profile list')).toEqual([
    { profile: 'one', phone: phones.one, url: server.url, current: false },
    { profile: 'two', phone: phones.two, url: server.url, current: true },
  ])
  await shell.getData('profile remove two')
  expect(await shell.getData('profile list')).toHaveLength(1)
  const unknown = await shell.kiraya('profile use three')
  expect([unknown.exitCode, unknown.err]).toEqual([5, 'No sign-in is stored as three; there are one\n'])
})
