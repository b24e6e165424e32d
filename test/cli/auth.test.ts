import { describe, expect, test } from 'bun:test'
import { hashPassword } from '../../sdk/password'
import { createStubServer, dataResponse, errorResponse } from '../sdk/stub-server'
import { testServer } from '../support/server'
import { createLandlordShell, runAgainst } from './shell'

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

test('a token goes only to the server that issued it, whose address may end in slashes', async () => {
  using shell = await createLandlordShell(server.url)
  using other = createStubServer(errorResponse(401, 'UNAUTHORIZED'))

  expect((await shell.kiraya(`status --url ${other.url}`)).exitCode).toBe(4)
  expect(other.requests.map(({ authorization }) => authorization)).toEqual([null])
  expect((await shell.kiraya(`status --url ${server.url}//`)).exitCode).toBe(0)
})
