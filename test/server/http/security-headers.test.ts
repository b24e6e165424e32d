import { describe, expect, test } from 'bun:test'
import { fallbackErrorHandler } from '../../../server/http/security-headers'
import { createLog } from '../../../server/observability/log'
import { fetchChecked } from '../../support/description'
import { testServer } from '../../support/server'
import { freshPhone, sendRequest, signInUser } from '../../support/users'
import { enveloped, plain, UUID } from './forms'

const server = testServer()
const json = { 'content-type': 'application/json' }
const request = (method: string, body?: string, headers?: Record<string, string>) => ({
  method,
  body,
  headers,
})

test.each<[status: number, title: string, path: string, init: RequestInit]>([
  [200, 'a health check', '/health/live', {}],
  [200, 'an API call', '/auth', request('POST', '{"phoneNumber":"9876543210"}', json)],
  [400, 'no body', '/auth', request('POST')],
  [400, 'malformed JSON', '/auth', request('POST', '{', json)],
  [400, 'an unknown content type', '/auth', request('POST', 'x')],
  [400, 'a webhook', '/webhooks/ekyc', request('POST', 'x')],
  [401, 'no token', '/auth/me', {}],
  [401, 'a webhook without a signature', '/webhooks/esign', request('POST', '{}')],
  [404, 'an unknown path', '/nothing', {}],
  [404, 'an unknown method', '/auth', request('DELETE')],
  [200, 'a page', '/verified', {}],
  [404, 'an unknown page', '/sandbox/verify/x', {}],
  [200, 'the documentation', '/openapi.json', {}],
])('%d, %s: has an x-request-id of its own, and is not sniffed or cached', async (status, _, path, init) => {
  const responses = [await fetchChecked(server.url + path, init), await fetchChecked(server.url + path, init)]
  const ids = responses.map(({ headers }) => headers.get('x-request-id'))
  expect(ids).toEqual([UUID, UUID])
  expect(ids[0]).not.toBe(ids[1])
  for (const { status: answered, headers } of responses) {
    expect([answered, headers.get('x-content-type-options')]).toEqual([status, 'nosniff'])
    if (path !== '/openapi.json') expect(headers.get('cache-control')).toContain('no-store')
  }
})

describe('404', () => {
  test.each([
    '/nothing',
    '/docs/nothing',
    '/assets/nothing.js',
    '/auth/nothing',
    '/profile',
    '/profile/',
    '/webhooks',
    '/sandbox/nothing',
    '/auth/verify/x',
    '/Auth',
    '/AUTH/ME',
  ])('%s, with and without a token', async path => {
    const { token } = await signInUser(server)
    for (const method of ['GET', 'POST'])
      for (const options of [{ token }, {}]) {
        const response = await sendRequest(server, method, path, options)
        expect([response.status, response.body]).toEqual([404, enveloped(404)])
      }
  })

  test.each([
    ['GET', '/auth', plain(404)],
    ['PUT', '/auth/verify', plain(404)],
    ['GET', '/auth/send-otp', enveloped(404)],
    ['DELETE', '/auth/logout', enveloped(404)],
    ['POST', '/profile/complete', plain(404)],
    ['POST', '/dashboard', plain(404)],
    ['POST', '/auth/me', enveloped(404)],
    ['POST', '/health/live', enveloped(404)],
  ])('%s %s: a method that does not exist', async (method, path, body) => {
    const response = await sendRequest(server, method, path)
    expect([response.status, response.body]).toEqual([404, body])
  })
})

test('no response sets a cookie', async () => {
  const { phone } = await signInUser(server)
  for (const body of [{ phone_number: phone }, { phoneNumber: freshPhone() }]) {
    const { headers } = await sendRequest(server, 'POST', '/auth', { body })
    expect(headers.get('set-cookie')).toBeNull()
  }
})

test('500: an error of the handlers themselves has the headers of every response, and is logged', async () => {
  const lines: string[] = []
  const log = createLog('error', false, { write: line => lines.push(line) })

  const response = fallbackErrorHandler(log, 'https://api.example.com').error(new Error('canary'))

  expect(response.status).toBe(500)
  expect(Object.fromEntries(response.headers)).toMatchObject({
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    'strict-transport-security': 'max-age=31536000; includeSubDomains',
  })
  expect(await response.text()).not.toContain('canary')
  expect(lines).toHaveLength(1)
})
