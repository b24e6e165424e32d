import { expect, test } from 'bun:test'
import { refuse } from '../../../server/errors'
import { testServer } from '../../support/server'
import { freshPhone, sendRequest } from '../../support/users'

let error: Error
const server = testServer({ overrides: { sendMessage: () => Promise.reject(error) } })

test.each([
  [3600, '3600'],
  [1.2, '2'],
  [1, '1'],
  [0.001, '1'],
  [0, '1'],
])(
  '429: to wait %d s is said in whole seconds, rounded up and never zero: %s',
  async (retryAfterS, header) => {
    error = refuse('too_many_otps', {}, { retryAfterS })
    const body = { phone_number: freshPhone() }
    const { status, headers } = await sendRequest(server, 'POST', '/auth/send-otp', { body })
    expect([status, headers.get('retry-after')]).toEqual([429, header])
  },
)
