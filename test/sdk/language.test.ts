import { expect, test } from 'bun:test'
import { createClient, type CallOptions, type KirayaError, type ValidationError } from '../../sdk'
import { fetchChecked } from '../support/description'
import { testServer } from '../support/server'
import { freshPhone } from '../support/users'
import { catchError } from './stub-server'

const server = testServer()

const createHindiClient = (variant: 'a' | 'b') =>
  createClient({ baseUrl: server.url, language: 'hi', fetch: fetchChecked, variant })

const verifyWrongOtp = (variant: 'a' | 'b') =>
  catchError(createHindiClient(variant).auth.verify(freshPhone(), '000000'))

test('an error has the reason of the server, and a message in the language of the client', async () => {
  const error = (await verifyWrongOtp('b')) as KirayaError
  expect(error).toMatchObject({
    code: 'UNAUTHORIZED',
    reason: 'wrong_otp',
    message: 'ओटीपी गलत है या उसका समय बीत चुका है',
  })

  // Compiles: known reasons are suggested, and others are allowed.
  const isRetyped = error.reason === 'wrong_otp' || error.reason === 'a_word_of_later_servers'
  expect(isRetyped).toBe(true)
})

test('Variant A has the message alone', async () => {
  expect(await verifyWrongOtp('a')).toMatchObject({
    code: 'UNAUTHORIZED',
    reason: undefined,
    message: 'ओटीपी गलत है या उसका समय बीत चुका है',
  })
})

test.each(['a', 'b'] as const)('Variant %s: violations keep the names of their fields', async variant => {
  const error = (await catchError(createHindiClient(variant).auth.verify('12', '1'))) as ValidationError
  expect(error.violations.map(({ property }) => property)).toEqual(['phone_number', 'otp'])
})

test('without a language the messages are English', async () => {
  const client = createClient({ baseUrl: server.url, fetch: fetchChecked })
  const error = await catchError(client.auth.verify(freshPhone(), '000000'))
  expect(error?.message).toBe('The one-time password is wrong or has expired')
})

test('the language can be changed, also for one call', async () => {
  const client = createClient({ baseUrl: server.url, language: 'en', fetch: fetchChecked })
  const readMessage = async (options?: CallOptions) =>
    (await catchError(client.auth.verify(freshPhone(), '000000', options)))?.message

  const once = await readMessage({ language: 'hi' })
  const before = await readMessage()
  client.language = 'hi'
  const after = await readMessage()

  const [hindi, english] = [
    'ओटीपी गलत है या उसका समय बीत चुका है',
    'The one-time password is wrong or has expired',
  ]
  expect([once, before, after, client.language]).toEqual([hindi, english, hindi, 'hi'])
})
