import { describe, expect, test } from 'bun:test'
import { createClient, type CallOptions, type Kiraya } from '../../sdk'
import {
  createTestToken,
  catchError,
  createConnectionLosingServer,
  createStubServer,
  errorResponse,
} from './stub-server'

type Call = (client: Kiraya, options: CallOptions) => Promise<unknown>
const profile = { first_name: 'Asha', last_name: 'Rao', email: 'asha@example.com' }
const token = createTestToken({ phone: '9876543210' })

/** What a one-time secret or a password proves. A repeated request would find it used up, or count as a guess. */
const calls: [description: string, call: Call][] = [
  ['auth.verify', ({ auth }, options) => auth.verify('9876543210', '123456', options)],
  ['auth.login', ({ auth }, options) => auth.login('9876543210', 'correct horse', options)],
  ['auth.eraseMyData', ({ auth }, options) => auth.eraseMyData('123456', options)],
  [
    'profile.complete with an OTP',
    ({ profile: p }, options) => p.complete({ ...profile, otp: '123456' }, options),
  ],
  [
    'profile.complete with the current password',
    ({ profile: p }, options) =>
      p.complete({ ...profile, password: 'correct horse', current_password: 'wrong horse' }, options),
  ],
]
const failures = [
  errorResponse(503, 'SERVICE_UNAVAILABLE'),
  errorResponse(500, 'INTERNAL_SERVER_ERROR'),
  errorResponse(429, 'TOO_MANY_REQUESTS', { 'retry-after': '0' }),
  errorResponse(408, 'REQUEST_TIMEOUT'),
]
/** Even a caller who asks for retries gets none. */
const options = { maxRetries: 5, idempotencyKey: 'key' }

describe.each(calls)('%s is sent once', (_, call) => {
  test('after every failure that others are retried after', async () => {
    for (const failure of failures) {
      using server = createStubServer(failure)
      await catchError(call(createClient({ baseUrl: server.url, token }), options))
      expect(server.requests).toHaveLength(1)
    }
  })

  test('after a lost and a refused connection', async () => {
    using server = createConnectionLosingServer()
    await catchError(call(createClient({ baseUrl: server.url, token }), options))
    expect(server.getCallCount()).toBe(1)

    let attempts = 0
    const refuse = () => {
      attempts++
      return Promise.reject(Object.assign(new Error('refused'), { code: 'ECONNREFUSED' }))
    }
    await catchError(call(createClient({ baseUrl: server.url, token, fetch: refuse }), options))
    expect(attempts).toBe(1)
  })
})

test('profile.complete without a proof is retried', async () => {
  using server = createStubServer(failures[0]!, failures[0]!)
  await catchError(createClient({ baseUrl: server.url, token }).profile.complete(profile, { maxRetries: 1 }))
  expect(server.requests).toHaveLength(2)
})
