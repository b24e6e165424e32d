import { expect, spyOn, test } from 'bun:test'
import { createClient, type RequestAttempt, type AttemptResult } from '../../sdk'
import { catchError, createStubServer, dataResponse, errorResponse } from './stub-server'

/** A client whose hooks keep what they are told. */
function createObservedClient(baseUrl: string, token?: string) {
  const requests: RequestAttempt[] = []
  const responses: AttemptResult[] = []
  const client = createClient({
    baseUrl,
    token,
    onRequest: event => requests.push(event),
    onResponse: event => responses.push(event),
  })
  return { client, requests, responses }
}

test('the hooks are told of every attempt of a call', async () => {
  const traced = { 'x-request-id': 'r2' }
  using server = createStubServer(errorResponse(503, 'SERVICE_UNAVAILABLE'), () =>
    Response.json({ success: true, data: {} }, { headers: traced }),
  )
  const { client, requests, responses } = createObservedClient(server.url)

  await client.agreements.get(7)
  await client.agreements.get(7)

  const url = `${server.url}/agreements/7`
  const [first, second] = [1, 2].map(attempt => ({ method: 'GET', url, attempt }))
  const durationMs = expect.any(Number)
  expect(requests).toEqual([first!, second!, first!])
  expect(responses).toEqual([
    { ...first!, status: 503, durationMs, requestId: 'r1' },
    { ...second!, status: 200, durationMs, requestId: 'r2' },
    { ...first!, status: 200, durationMs, requestId: 'r2' },
  ])
})

test('an attempt without a response has an error instead of a status', async () => {
  const { client, responses } = createObservedClient('http://127.0.0.1:1')
  await catchError(client.auth.me({ maxRetries: 0 }))
  expect(responses).toMatchObject([{ attempt: 1, status: undefined, requestId: undefined }])
  expect(responses[0]!.error).toBeInstanceOf(Error)
})

test('the hooks are told how long an attempt lasted', async () => {
  let nowMs = 5_000
  const now = spyOn(performance, 'now').mockImplementation(() => nowMs)
  const durations: number[] = []
  const { auth } = createClient({
    baseUrl: 'http://kiraya.test',
    onResponse: ({ durationMs }) => durations.push(durationMs),
    fetch: () => {
      nowMs += 250
      return dataResponse()()
    },
  })

  await auth.me()

  now.mockRestore()
  expect(durations).toEqual([250])
})

test('the hooks are told no token, password or one-time password', async () => {
  using server = createStubServer(dataResponse({ access_token: 'token-of-sign-in', user: {} }))
  const { client, requests, responses } = createObservedClient(server.url, 'token-before')

  await client.auth.sendOtp('9876543210')
  await client.auth.verify('9876543210', '987123')
  await client.auth.login('9876543210', 'correct horse')
  await client.profile.complete({ first_name: 'A', last_name: 'B', email: 'a@b.co', otp: '987123' })
  await client.auth.eraseMyData('987123')

  expect(requests).toHaveLength(5)
  const told = JSON.stringify([requests, responses])
  expect(told).not.toMatch(/token-|987123|horse/)
  expect(Object.keys(requests[0]!)).toEqual(['method', 'url', 'attempt'])
})

test('a hook that fails is reported and changes nothing', async () => {
  using server = createStubServer(dataResponse({ user: { id: 7 } }))
  const fail = () => {
    throw new Error('The log is full')
  }
  const reported = spyOn(console, 'error').mockImplementation(() => {})

  const { user } = await createClient({ baseUrl: server.url, onRequest: fail, onResponse: fail }).auth.me()

  expect([user.id, server.requests.length, reported.mock.calls.length]).toEqual([7, 1, 2])
  reported.mockRestore()
})
