import { describe, expect, test } from 'bun:test'
import { createClient, UnauthorizedError, ValidationError, type TokenStore } from '../../sdk'
import { testServer } from '../support/server'
import { freshPhone } from '../support/users'
import { proofs } from './proofs'
import { catchError, createStubServer, createTestToken, dataResponse, errorResponse } from './stub-server'

const server = testServer()
const unauthorized = errorResponse(401, 'UNAUTHORIZED')

function createStore(token?: string) {
  const kept = { token }
  const sync: TokenStore = {
    get: () => kept.token,
    set: value => void (kept.token = String(value)),
    clear: () => void (kept.token = undefined),
  }
  const later: TokenStore = {
    get: async () => (await Promise.resolve(kept.token)) ?? null,
    set: async value => sync.set(await Promise.resolve(value)),
    clear: async () => {
      await Promise.resolve()
      return sync.clear()
    },
  }
  return { kept, sync, later }
}

describe.each(['sync', 'later'] as const)('a token store that answers %s', kind => {
  test('keeps the token of a sign-in for the next client, until the logout', async () => {
    const store = createStore()
    const phone = freshPhone()
    const client = createClient({ baseUrl: server.url, tokenStore: store[kind] })

    await client.auth.sendOtp(phone)
    const { access_token, user } = await client.auth.verify(phone, '123456')
    expect([store.kept.token, client.token]).toEqual([access_token, access_token])

    const next = createClient({ baseUrl: server.url, tokenStore: store[kind] })
    expect((await next.auth.me()).user.id).toBe(user.id)
    expect(next.token).toBe(access_token)

    await next.auth.logout()
    expect([store.kept.token, next.token]).toEqual([undefined, undefined])
    expect(await catchError(client.auth.me())).toBeInstanceOf(UnauthorizedError)
  })

  test('gets the token that is set on the client, before the next call', async () => {
    using stub = createStubServer(dataResponse())
    const store = createStore('one')
    const client = createClient({ baseUrl: stub.url, tokenStore: store[kind] })

    client.token = 'two'
    await client.auth.me()
    client.token = undefined
    await client.auth.me()

    expect(stub.requests.map(({ authorization }) => authorization)).toEqual(['Bearer two', null])
    expect(store.kept.token).toBeUndefined()
  })
})

test('a store that fails makes the next call fail with its error, and no later one', async () => {
  using stub = createStubServer(dataResponse())
  const full = new Error('The store is full')
  const tokenStore = { ...createStore().sync, set: () => Promise.reject(full) }
  const client = createClient({ baseUrl: stub.url, tokenStore })

  client.token = 'two'
  // The failure has no handler yet.
  await Bun.sleep(0)

  expect(await catchError(client.auth.me())).toBe(full as never)
  expect(stub.requests).toEqual([])

  await client.auth.me()
  expect(stub.requests).toHaveLength(1)
})

test('a sign-in whose token cannot be kept fails with the error of the store', async () => {
  using stub = createStubServer(dataResponse({ access_token: 'new', user: {} }))
  const full = new Error('The store is full')
  const tokenStore = { ...createStore().sync, set: () => Promise.reject(full) }
  const client = createClient({ baseUrl: stub.url, tokenStore })

  expect(await catchError(client.auth.verify('9876543210', '123456'))).toBe(full as never)
})

test('a client takes no token beside a store', () => {
  const createBoth = () => createClient({ baseUrl: server.url, token: 'one', tokenStore: createStore().sync })
  expect(createBoth).toThrow(ValidationError)
  expect(createBoth).toThrow('Pass token or tokenStore, not both')
})

test('a token that another client removed from the store is sent no more', async () => {
  using stub = createStubServer(dataResponse())
  const { sync, kept } = createStore('shared')
  const client = createClient({ baseUrl: stub.url, tokenStore: sync })

  await client.auth.me()
  kept.token = undefined
  await client.auth.me()

  expect(stub.requests.map(({ authorization }) => authorization)).toEqual(['Bearer shared', null])
  expect(client.token).toBeUndefined()
})

describe('onUnauthorized', () => {
  test('is called once for calls in parallel, after the token is gone and before they throw', async () => {
    using stub = createStubServer(unauthorized)
    const { later, kept } = createStore('ended')
    const clear = async () => {
      await Bun.sleep(0)
      await later.clear()
    }
    const told: unknown[] = []
    const onUnauthorized = async (error: UnauthorizedError) => {
      await Bun.sleep(0)
      told.push(error, kept.token)
    }
    const client = createClient({ baseUrl: stub.url, tokenStore: { ...later, clear }, onUnauthorized })

    const errors = await Promise.all([catchError(client.auth.me()), catchError(client.dashboard.get())])

    expect(errors).toEqual([expect.any(UnauthorizedError), expect.any(UnauthorizedError)])
    expect(told).toEqual([expect.any(UnauthorizedError), undefined])
    expect(client.token).toBeUndefined()
  })

  test('is called once for calls in parallel, and leaves a token that came meanwhile', async () => {
    using stub = createStubServer(unauthorized)
    let count = 0
    const client = createClient({
      baseUrl: stub.url,
      token: 'ended',
      onUnauthorized: () => {
        count++
        client.token = 'new'
      },
    })

    await Promise.all([catchError(client.auth.me()), catchError(client.auth.me())])

    expect([count, client.token]).toEqual([1, 'new'])
  })

  test('is not called for a client that has no token', async () => {
    let count = 0
    const client = createClient({ baseUrl: server.url, onUnauthorized: () => void count++ })
    expect(await catchError(client.auth.me())).toBeInstanceOf(UnauthorizedError)
    expect(count).toBe(0)
  })
})

test('a 401 of a client that shares its store calls no onUnauthorized, and keeps a newer token of another client', async () => {
  const { later, kept } = createStore('old')
  using stub = createStubServer(() => {
    kept.token = 'newer'
    return unauthorized()
  })
  let count = 0
  const client = createClient({ baseUrl: stub.url, tokenStore: later, onUnauthorized: () => void count++ })

  expect(await catchError(client.auth.me())).toBeInstanceOf(UnauthorizedError)

  expect(stub.requests[0]!.authorization).toBe('Bearer old')
  expect([count, kept.token]).toEqual([0, 'newer'])
})

test.each(Object.entries(proofs))(
  'a wrong proof of %s calls no onUnauthorized, and the token stays',
  async (_, call) => {
    using stub = createStubServer(unauthorized)
    let count = 0
    const token = createTestToken({ phone: '9876543210' })
    const client = createClient({ baseUrl: stub.url, token, onUnauthorized: () => void count++ })

    expect(await catchError(call(client))).toBeInstanceOf(UnauthorizedError)
    expect([count, client.token]).toEqual([0, token])
  },
)
