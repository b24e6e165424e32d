import { expect, test } from 'bun:test'
import { chmodSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { testServer } from '../support/server'
import { freshPhone } from '../support/users'
import { createLandlordShell, createShell, OTP } from './shell'

const server = testServer()
const getMode = (path: string) => statSync(path).mode & 0o777

test('onboard stores a sign-in that only its owner can read, and logout removes it', async () => {
  using shell = await createLandlordShell(server.url)

  const signedIn = await shell.kiraya('status')
  expect(signedIn.data).toMatchObject({ phone: shell.phone, status: 'LOGIN_SUCCESSFUL' })
  const folder = join(shell.home, '.config/kiraya')
  expect(getMode(folder)).toBe(0o700)
  expect(getMode(join(folder, 'credentials.json'))).toBe(0o600)

  const logout = await shell.kiraya('logout')
  expect(logout.exitCode).toBe(0)
  const signedOut = await shell.kiraya('status')
  expect(signedOut.exitCode).toBe(4)
})

test('login without --otp sends a one-time password and names the next command', async () => {
  using shell = createShell(server.url)
  const phone = freshPhone()

  const request = await shell.kiraya(`login --phone ${phone}`)
  expect(request.exitCode).toBe(0)
  expect(request.err).toContain(`kiraya login --phone ${phone} --otp`)

  const signedIn = await shell.kiraya(`login --phone ${phone} --otp ${OTP}`)
  expect(signedIn.data).toMatchObject({ phone, status: 'NEEDS_PROFILE_COMPLETION' })
  const kyc = await shell.kiraya('kyc start')
  expect(kyc.exitCode).toBe(6)
})

test("login with the sandbox's one-time password needs none that was asked for", async () => {
  using shell = createShell(server.url)
  const phone = freshPhone()

  const wrong = await shell.kiraya(`login --phone ${phone} --otp 654321`)
  const signedIn = await shell.kiraya(`login --phone ${freshPhone()} --otp ${OTP}`)

  expect(wrong.exitCode).toBe(4)
  expect(signedIn.exitCode).toBe(0)
  expect(signedIn.data.status).toBe('NEEDS_PROFILE_COMPLETION')
})

test('a password is read from stdin and signs in', async () => {
  using owner = await createLandlordShell(server.url)
  using other = createShell(server.url)
  const login = `login --phone ${owner.phone} --password-stdin`

  const change = await owner.kiraya(
    'profile complete --first-name Asha --last-name Rao --email a@b.co --password-stdin',
    { stdin: 'correct horse\n' },
  )
  const wrong = await other.kiraya(login, { stdin: 'wrong horse\n' })
  const right = await other.kiraya(login, { stdin: 'correct horse\n' })

  expect([change.exitCode, wrong.exitCode, right.exitCode]).toEqual([0, 4, 0])
})

test('a password is changed with the current one from stdin, or with a one-time password', async () => {
  using shell = await createLandlordShell(server.url)
  const change = 'profile complete --first-name Asha --last-name Rao --email a@b.co --password-stdin'
  await shell.kiraya(change, { stdin: 'correct horse' })

  const alone = await shell.kiraya(change, { stdin: 'another horse' })
  const withWrong = await shell.kiraya(`${change} --current-password-stdin`, {
    stdin: 'wrong horse\nanother horse\n',
  })
  const withCurrent = await shell.kiraya(`${change} --current-password-stdin`, {
    stdin: 'correct horse\nanother horse\n',
  })
  await shell.kiraya(`login --phone ${shell.phone}`)
  const withOtp = await shell.kiraya(`${change} --otp ${OTP}`, { stdin: 'a third horse' })
  const login = await shell.kiraya(`login --phone ${shell.phone} --password-stdin`, {
    stdin: 'a third horse',
  })

  const runs = [alone, withWrong, withCurrent, withOtp, login]
  expect(runs.map(({ exitCode }) => exitCode)).toEqual([6, 4, 0, 0, 0])
})

test('auth export shows all stored data, or writes it to a file for its owner alone', async () => {
  using shell = await createLandlordShell(server.url)
  const file = join(shell.home, 'me.json')

  const shown = await shell.kiraya('auth export')
  const written = await shell.kiraya(`auth export --file ${file}`)

  expect(shown.data).toMatchObject({
    user: { phone: shell.phone, first_name: 'Asha' },
    identity_checks: [{ status: 'SUCCESS' }],
  })
  expect(written.exitCode).toBe(0)
  const { user } = await Bun.file(file).json()
  expect(user.phone).toBe(shell.phone)
  expect(getMode(file)).toBe(0o600)

  chmodSync(file, 0o666)
  await shell.kiraya(`auth export --file ${file}`)
  expect(getMode(file)).toBe(0o600)
})

test('auth erase needs --yes and a one-time password, and ends the session', async () => {
  using shell = await createLandlordShell(server.url)

  const unconfirmed = await shell.kiraya('auth erase')
  expect(unconfirmed.exitCode).toBe(2)
  const withoutOtp = await shell.kiraya('auth erase --yes')
  expect([withoutOtp.exitCode, withoutOtp.err]).toEqual([0, expect.stringContaining('--otp')])
  const wrongOtp = await shell.kiraya('auth erase --yes --otp 000000')
  expect(wrongOtp.exitCode).toBe(4)
  const erased = await shell.kiraya(`auth erase --yes --otp ${OTP}`)
  expect(erased.data).toEqual({ message: expect.any(String) })

  const status = await shell.kiraya('status')
  expect(status.exitCode).toBe(4)
})

test('a token goes only to the server that issued it', async () => {
  using shell = await createLandlordShell(server.url)
  const authorizations: (string | null)[] = []
  using other = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch: request => {
      authorizations.push(request.headers.get('authorization'))
      const error = { code: 'UNAUTHORIZED', message: 'No' }
      return Response.json({ success: false, data: null, error }, { status: 401 })
    },
  })

  const { exitCode } = await shell.kiraya(`status --url http://127.0.0.1:${other.port}`)

  expect(exitCode).toBe(4)
  expect(authorizations).toEqual([null])
})

test('--profile separates sign-ins, and KIRAYA_TOKEN overrides them', async () => {
  using shell = createShell(server.url)
  const phones = { one: freshPhone(), two: freshPhone() }
  for (const [profile, phone] of Object.entries(phones)) {
    await shell.kiraya(`login --profile ${profile} --phone ${phone}`)
    await shell.kiraya(`login --profile ${profile} --phone ${phone} --otp ${OTP}`)
  }

  const one = await shell.kiraya('status --profile one')
  const two = await shell.kiraya('--profile two status')
  const invalid = await shell.kiraya('status --profile one', { env: { KIRAYA_TOKEN: 'not.a.token' } })

  expect([one.data.phone, two.data.phone]).toEqual([phones.one, phones.two])
  expect(invalid.exitCode).toBe(4)
})

test('KIRAYA_URL comes before the address of the stored sign-in, and --url before both', async () => {
  using shell = await createLandlordShell(server.url)
  const unreachable = { KIRAYA_URL: 'http://127.0.0.1:1' }

  const stored = await shell.kiraya('status', { env: { KIRAYA_URL: '' } })
  const fromEnvironment = await shell.kiraya('status', { env: unreachable })
  const fromFlag = await shell.kiraya(`status --url ${server.url}`, { env: unreachable })

  expect([stored.exitCode, fromEnvironment.exitCode, fromFlag.exitCode]).toEqual([2, 8, 0])
})
