import { describe, expect, test } from 'bun:test'
import { checkAnswer } from '../../support/description'
import { testServer } from '../../support/server'

const server = testServer()

const json = new Headers({ 'content-type': 'application/json' })
const health = { success: true, data: { status: 'live' } }
const withPid = { ...health, data: { status: 'live', pid: 1 } }
const fault = {
  success: false,
  data: null,
  error: { code: 'NOT_FOUND', reason: 'property_not_found', message: 'x' },
}

/** Each answer, and what is said of it. */
const undescribed: [name: string, path: string, status: number, body: object, message: string][] = [
  [
    'another status',
    '/health/live',
    404,
    fault,
    'GET /health/live answered 404, but its description does not have this status',
  ],
  [
    'an unknown field',
    '/health/live',
    200,
    withPid,
    'GET /health/live answered 200, but body/data must NOT have additional properties pid',
  ],
  [
    'a missing field',
    '/properties/1',
    200,
    { success: true },
    "GET /properties/{id} answered 200, but body must have required property 'data'",
  ],
  [
    'an unknown operation',
    '/nothing',
    200,
    health,
    'GET /nothing answered 200, but the description does not have this operation',
  ],
  [
    'no Retry-After',
    '/health/ready',
    503,
    fault,
    'GET /health/ready answered 503, but the header Retry-After is missing',
  ],
  [
    'a reason of another operation',
    '/tenants',
    401,
    { ...fault, error: { ...fault.error, reason: 'wrong_otp' } },
    'GET /tenants answered 401, but the reason wrong_otp is not listed for it',
  ],
  [
    'an error without a reason',
    '/properties/1',
    404,
    { ...fault, error: { code: 'NOT_FOUND', message: 'x' } },
    'GET /properties/{id} answered 404, but the reason undefined is not listed for it',
  ],
  [
    'another form of error',
    '/nothing',
    404,
    { error: 'x' },
    'GET /nothing answered 404, but body must have required property',
  ],
]

describe('an answer that the description does not have fails a test', () => {
  test.each(undescribed)('%s', (_, path, status, body, message) => {
    expect(() => checkAnswer('GET', server.url + path, { status, headers: json, body })).toThrow(message)
  })

  test('another media type', () => {
    const headers = new Headers({ 'content-type': 'text/html' })
    const check = () => checkAnswer('GET', `${server.url}/health/live`, { status: 200, headers, body: '' })
    expect(check).toThrow('GET /health/live answered 200, but its description does not have text/html')
  })

  test('described answers, and those of other servers, pass', () => {
    checkAnswer('GET', `${server.url}/health/live`, { status: 200, headers: json, body: health })
    checkAnswer('GET', 'http://127.0.0.1:9/nothing', { status: 200, headers: json, body: health })
  })
})
