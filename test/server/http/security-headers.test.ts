import { describe, expect, test } from 'bun:test'
import { fallbackErrorHandler } from '../../../server/http/security-headers'
import { createLog } from '../../../server/observability/log'
import { testServer } from '../../support/server'
import { freshPhone, sendRequest, signInUser } from '../../support/users'
import { enveloped, plain } from './forms'

const server = testServer()

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
