import { expect, test } from 'bun:test'
import { checkAnswer } from '../../support/description'
import { testServer } from '../../support/server'

const server = testServer()

const json = new Headers({ 'content-type': 'application/json' })
const health = { success: true, data: { status: 'live' } }
const withPid = { ...health, data: { status: 'live', pid: 1 } }
const error = {
  success: false,
  data: null,
  error: { code: 'NOT_FOUND', reason: 'property_not_found', message: 'x' },
}

const otherReason = { ...error, error: { ...error.error, reason: 'wrong_otp' } }

test.each<[path: string, status: number, body: object, message: string]>([
  ['/health/live', 404, error, 'its description does not have this status'],
  ['/health/live', 200, withPid, 'body/data must NOT have additional properties pid'],
  ['/nothing', 200, health, 'the description does not have this operation'],
  ['/health/ready', 503, error, 'the header Retry-After is missing'],
  ['/tenants', 401, otherReason, 'the reason wrong_otp is not listed for it'],
])('an answer that the description does not have fails a test: %s, %d', (path, status, body, message) => {
  expect(() => checkAnswer('GET', server.url + path, { status, headers: json, body })).toThrow(message)
})
