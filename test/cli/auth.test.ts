import { describe, expect, test } from 'bun:test'
import { chmodSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { readCredential } from '../../cli/runtime/credentials'
import { hashPassword } from '../../sdk/password'
import { createStubServer, dataResponse, errorResponse } from '../sdk/stub-server'
import { testServer } from '../support/server'
import { createLandlordShell, createShell, runAgainst } from './shell'

const server = testServer()
const user = { access_token: 'a.b.c', user: { id: 1, phone: '9876543210' }, status: 'LOGIN_SUCCESSFUL' }
const succeed = dataResponse(user)

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

test('a password from stdin loses its last line break and nothing else', async () => {
  const line = 'login --phone 9876543210 --password-stdin'
  const { requests } = await runAgainst(succeed, line, { stdin: ' two \n blanks \r\n' })
  const password = await hashPassword('9876543210', ' two \n blanks ')
  expect(requests[0]!.body).toEqual({ phone_number: '9876543210', password })
})

test('auth export to a file leaves it to its owner alone', async () => {
  using stub = createStubServer(dataResponse({ user: { phone: '9876543210' } }))
  using shell = createShell(stub.url)
  const file = join(shell.home, 'me.json')
  await Bun.write(file, '')
  chmodSync(file, 0o666)

  await shell.getData('auth export --file me.json')

  expect((await Bun.file(file).json()).user.phone).toBe('9876543210')
  expect(statSync(file).mode & 0o777).toBe(0o600)
})

test('4: auth erase with a wrong one-time password keeps the stored sign-in', async () => {
  using shell = await createLandlordShell(server.url)
  expect((await shell.kiraya('auth erase --yes --otp 000000')).exitCode).toBe(4)
  expect(readCredential({ HOME: shell.home }, 'default')).toMatchObject({ phone: shell.phone })
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
