import { describe, expect, test } from 'bun:test'
import { createClient } from '../../sdk'
import { toKirayaError } from '../../sdk/error-mapping'
import { shouldRetry } from '../../sdk/retries'
import { createStubServer, createTestToken, dataResponse } from './stub-server'

describe('a wait that the server asks for', () => {
  const cases: [retryAfter: string | undefined, decision: string][] = [
    [undefined, 'up to ky'],
    ['0', 'up to ky'],
    ['5', 'up to ky'],
    ['6', 'refused'],
    ['3600', 'refused'],
  ]
  test.each(cases)('of %p seconds: a further attempt is %s', (retryAfter, decision) => {
    const headers = new Headers(retryAfter === undefined ? {} : { 'retry-after': retryAfter })
    const failure = { response: { headers, status: 503 } }
    const answer = shouldRetry({ error: Object.assign(new Error('x'), failure) }, true)
    expect(answer).toBe(decision === 'refused' ? false : undefined)
  })

  test.each([
    [undefined, undefined],
    ['0', undefined],
    ['soon', undefined],
    ['7', 7],
  ])('of %p seconds is %p in the error', (retryAfter, seconds) => {
    const headers = new Headers(retryAfter === undefined ? {} : { 'retry-after': retryAfter })
    expect(toKirayaError(503, {}, headers).retryAfter).toBe(seconds!)
  })
})

describe('an answer of a proxy, which names no code', () => {
  const cases: [status: number, code: string, name: string][] = [
    [400, 'BAD_REQUEST', 'ValidationError'],
    [409, 'BAD_REQUEST', 'ValidationError'],
    [499, 'BAD_REQUEST', 'ValidationError'],
    [500, 'INTERNAL_SERVER_ERROR', 'ServerError'],
    [501, 'INTERNAL_SERVER_ERROR', 'ServerError'],
    [502, 'SERVICE_UNAVAILABLE', 'ServerError'],
    [504, 'SERVICE_UNAVAILABLE', 'ServerError'],
  ]
  test.each(cases)('%d is %s', (status, code, name) => {
    const message = `The server responded with status ${status}`
    expect(toKirayaError(status, '<html>')).toMatchObject({ status, code, name, message })
  })
})

test.each([8, 255])('a password of %d characters is sent', async length => {
  using server = createStubServer(dataResponse())
  const token = createTestToken({ phone: '9876543210' })
  const { profile } = createClient({ baseUrl: server.url, token })

  await profile.complete({
    first_name: 'Asha',
    last_name: 'Rao',
    email: 'asha@example.com',
    password: 'x'.repeat(length),
  })

  expect(server.requests).toHaveLength(1)
  expect(server.requests[0]!.body).toMatchObject({ password: expect.stringMatching(/^[0-9a-f]{64}$/) })
})
