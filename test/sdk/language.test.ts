import { expect, test } from 'bun:test'
import { createClient, type CallOptions } from '../../sdk'
import { fetchChecked } from '../support/description'
import { testServer } from '../support/server'
import { freshPhone } from '../support/users'
import { catchError } from './stub-server'

const server = testServer()
const HINDI = 'ओटीपी गलत है या उसका समय बीत चुका है'
const ENGLISH = 'The one-time password is wrong or has expired'

test.each([
  ['a', undefined],
  ['b', 'wrong_otp'],
] as const)(
  'Variant %s: messages are English without a language, which can be changed, also for one call',
  async (variant, reason) => {
    const client = createClient({ baseUrl: server.url, fetch: fetchChecked, variant })
    const read = async (options?: CallOptions) => {
      const error = await catchError(client.auth.verify(freshPhone(), '000000', options))
      expect(error).toMatchObject({ code: 'UNAUTHORIZED', reason })
      return error!.message
    }

    expect(await read()).toBe(ENGLISH)
    expect(await read({ language: 'hi' })).toBe(HINDI)
    expect(await read()).toBe(ENGLISH)
    client.language = 'hi'
    expect(await read()).toBe(HINDI)
    const other = createClient({ baseUrl: server.url, fetch: fetchChecked, variant, language: 'hi' })
    expect((await catchError(other.auth.verify(freshPhone(), '000000')))!.message).toBe(HINDI)
  },
)
