import { expect, test } from 'bun:test'
import { createStubServer } from '../sdk/stub-server'
import { createShell } from './shell'

const fail = (status: number, code: string, reason?: string) => () =>
  Response.json({ success: false, data: null, error: { code, reason, message: 'No' } }, { status })
const succeed = (data: unknown) => () => Response.json({ success: true, data })

const wrong = fail(401, 'UNAUTHORIZED', 'wrong_otp')
const user = { access_token: 'token', user: { id: 1, phone: '9876543210' }, status: 'LOGIN_SUCCESSFUL' }
const signIn = ['POST /auth/verify', 'GET /sandbox/control', 'POST /auth/send-otp', 'POST /auth/verify']

/** Signs in with a one-time password that no one has asked for; returns the exit code and the requests. */
async function login(...answers: (() => Response)[]) {
  using server = createStubServer(...answers, succeed({ message: 'Sent' }), succeed(user))
  using shell = createShell(server.url)
  const { exitCode } = await shell.kiraya('login --phone 9876543210 --otp 123456')
  return { exitCode, calls: server.requests.map(({ method, path }) => `${method} ${path}`) }
}

test.each([
  ['an open sandbox', succeed({})],
  ['a sandbox with a token', fail(401, 'UNAUTHORIZED')],
])('the known one-time password of %s is sent, and tried again', async (_, answer) => {
  expect(await login(wrong, answer)).toEqual({ exitCode: 0, calls: signIn })
})

test('4: without a sandbox, a wrong one-time password stays wrong, and none is sent', async () => {
  expect(await login(wrong, fail(404, 'NOT_FOUND'))).toEqual({ exitCode: 4, calls: signIn.slice(0, 2) })
})

test('4: another refusal is final', async () => {
  expect(await login(fail(401, 'UNAUTHORIZED'))).toEqual({ exitCode: 4, calls: signIn.slice(0, 1) })
})

test('1: onboard sends no one-time password after another failure than a wrong one', async () => {
  using server = createStubServer(fail(429, 'TOO_MANY_REQUESTS'), succeed({ message: 'Sent' }), succeed(user))
  using shell = createShell(server.url)

  const { exitCode } = await shell.kiraya(
    'onboard --phone 9876543210 --otp 123456 --first-name Asha --last-name Rao --email a@example.com',
  )

  const calls = server.requests.map(({ method, path }) => `${method} ${path}`)
  expect([exitCode, calls]).toEqual([1, ['POST /auth/verify']])
})
