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
    sendMessage: () => Promise.reject(fault()),
  },
})

const ask = () => sendRequest(server, 'POST', '/auth/send-otp', { body: { phone_number: freshPhone() } })

test.each([
  [500, 'error', () => new TypeError('a mistake')],
  [503, 'warn', () => refuse('provider_unreachable', { provider: 'messaging' }, { cause: new Error() })],
  [400, undefined, () => refuse('phone_number_unreachable')],
])('a fault that is answered with %d is logged as %p', async (status, level, createFault) => {
  fault = createFault
  lines.length = 0

  expect((await ask()).status).toBe(status)

  const told = lines.filter(({ err }) => err)
  expect(told.map(line => line.level)).toEqual(level ? [level] : [])
})

test.each([
  [3600, '3600'],
  [1.2, '2'],
  [1, '1'],
  [0.001, '1'],
  [0, '1'],
])(
  '429: to wait %d s is said in whole seconds, rounded up and never zero: %s',
  async (retryAfterS, header) => {
    fault = () => refuse('too_many_otps', {}, { retryAfterS })
    const { status, headers } = await ask()
    expect([status, headers.get('retry-after')]).toEqual([429, header])
  },
)
