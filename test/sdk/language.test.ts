import { expect, test } from 'bun:test'
import { createClient, type CallOptions, type ClientOptions, type ValidationError } from '../../sdk'
import { fetchChecked } from '../support/description'
import { testServer } from '../support/server'
import { freshPhone } from '../support/users'
import { catchError } from './stub-server'

const server = testServer()
const HINDI = 'ओटीपी गलत है या उसका समय बीत चुका है'
const ENGLISH = 'The one-time password is wrong or has expired'

const create = (options: Partial<ClientOptions>) =>
  createClient({ baseUrl: server.url, fetch: fetchChecked, ...options })
const verifyWrongOtp = ({ auth }: ReturnType<typeof create>, options?: CallOptions) =>
  catchError(auth.verify(freshPhone(), '000000', options))

test('an error has the reason of the server, and a message in the language of the client', async () => {
  const error = await verifyWrongOtp(create({ language: 'hi' }))
  expect(error).toMatchObject({ code: 'UNAUTHORIZED', reason: 'wrong_otp', message: HINDI })
  // Compiles: known reasons are suggested, and others are allowed.
  expect(error!.reason === 'wrong_otp' || error!.reason === 'a_word_of_later_servers').toBe(true)
})

test('Variant A has the message alone', async () => {
  const error = await verifyWrongOtp(create({ language: 'hi', variant: 'a' }))
  expect(error).toMatchObject({ code: 'UNAUTHORIZED', reason: undefined, message: HINDI })
})

test.each(['a', 'b'] as const)('Variant %s: violations keep the names of their fields', async variant => {
  const { auth } = create({ language: 'hi', variant })
  const { violations } = (await catchError(auth.verify('12', '1'))) as ValidationError
  expect(violations.map(({ property }) => property)).toEqual(['phone_number', 'otp'])
})

test('messages are English without a language, which can be changed, also for one call', async () => {
  const client = create({})
  const readMessage = async (options?: CallOptions) => (await verifyWrongOtp(client, options))?.message

  expect(await readMessage()).toBe(ENGLISH)
  expect(await readMessage({ language: 'hi' })).toBe(HINDI)
  expect(await readMessage()).toBe(ENGLISH)
  client.language = 'hi'
  expect(await readMessage()).toBe(HINDI)
})
