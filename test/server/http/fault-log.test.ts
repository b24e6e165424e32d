import { expect, test } from 'bun:test'
import { refuse } from '../../../server/faults'
import { createLog } from '../../../server/observability/log'
import { testServer } from '../../support/server'
import { freshPhone, sendRequest } from '../../support/users'

type Line = { level: string; msg: string; err?: { message: string } }
const lines: Line[] = []
let fault: () => Error
const server = testServer({
  overrides: {
    log: createLog('warn', false, { write: line => lines.push(JSON.parse(line)) }),
    sendOtp: () => Promise.reject(fault()),
  },
})

test.each([
  [500, 'error', () => new TypeError('a mistake')],
  [503, 'warn', () => refuse('provider_unreachable', { provider: 'messaging' }, { cause: new Error() })],
  [400, undefined, () => refuse('phone_number_unreachable')],
])('a fault that is answered with %d is logged as %p', async (status, level, createFault) => {
  fault = createFault
  lines.length = 0

  const body = { phone_number: freshPhone() }
  const response = await sendRequest(server, 'POST', '/auth/send-otp', { body })

  expect(response.status).toBe(status)
  const told = lines.filter(({ err }) => err)
  expect(told.map(line => line.level)).toEqual(level ? [level] : [])
})
