import { afterEach, expect, test } from 'bun:test'
import { AbortError, createClient, TimeoutError, ValidationError } from '../../sdk'
import { signWebhook } from '../../sdk/webhooks'
import { catchError, createStubServer, dataResponse, errorResponse } from './stub-server'

const removed: [owner: object, name: string, found: PropertyDescriptor | undefined][] = []
afterEach(() => {
  for (const [owner, name, found] of removed.splice(0)) {
    Reflect.deleteProperty(owner, name)
    if (found) Object.defineProperty(owner, name, found)
  }
})

/** Takes away what a browser does not have. */
function remove(owner: object, name: string) {
  removed.push([owner, name, Object.getOwnPropertyDescriptor(owner, name)])
  Object.defineProperty(owner, name, { value: undefined, configurable: true })
}

test('a page without HTTPS sends keys of its own, and asks for HTTPS where a password is hashed', async () => {
  remove(crypto, 'randomUUID')
  remove(crypto, 'subtle')
  using server = createStubServer(dataResponse())
  const { auth, properties, profile } = createClient({ baseUrl: server.url })

  await properties.create({ pin_code: 560001, property_type: 'pg' })
  await properties.create({ pin_code: 560001, property_type: 'pg' })
  const keys = server.requests.map(({ idempotencyKey }) => idempotencyKey)
  expect(keys).toEqual(
    Array(2).fill(expect.stringMatching(/^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-8[\da-f]{3}-[\da-f]{12}$/)),
  )
  expect(keys[0]).not.toBe(keys[1]!)

  const withPassword = {
    first_name: 'Asha',
    last_name: 'Rao',
    email: 'a@example.com',
    password: 'correct horse',
  }
  for (const call of [
    auth.login('9876543210', 'correct horse'),
    profile.complete(withPassword),
    signWebhook('{}', 's'),
  ]) {
    const error = await catchError(call)
    expect(error).toBeInstanceOf(ValidationError)
    expect(error!.message).toContain('need HTTPS')
  }
  expect(server.requests).toHaveLength(2)
})

test('a signal and a time limit work without AbortSignal.any', async () => {
  remove(AbortSignal, 'any')
  using server = createStubServer(dataResponse(), errorResponse(503, 'SERVICE_UNAVAILABLE'))
  const { auth } = createClient({ baseUrl: server.url })
  const silent = createClient({ baseUrl: 'http://x.test', fetch: () => new Promise<Response>(() => {}) })
  const controller = new AbortController()
  const { signal } = controller

  await auth.me({ signal })
  const retried = auth.me({ signal })
  setTimeout(() => controller.abort(), 20)

  expect(await catchError(retried)).toBeInstanceOf(AbortError)
  expect(await catchError(silent.auth.me({ timeoutMs: 1 }))).toBeInstanceOf(TimeoutError)
  // The wait for the next attempt is over.
  await Bun.sleep(520)
  expect(server.requests).toHaveLength(2)
})
