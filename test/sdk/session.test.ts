import { describe, expect, test } from 'bun:test'
import {
  createClient,
  UnauthorizedError,
  ValidationError,
  type ClientOptions,
  type Session,
  type TokenStore,
} from '../../sdk'
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

const storeFailure = (cause: Error) => ({ code: 'TOKEN_STORE_FAILED', cause })

test('a store that fails makes the next call fail with its error, and no later one', async () => {
  using stub = createStubServer(dataResponse())
  const full = new Error('The store is full')
  const tokenStore = { ...createStore().sync, set: () => Promise.reject(full) }
  const client = createClient({ baseUrl: stub.url, tokenStore })

  client.token = 'two'
  // The failure has no handler yet.
  await Bun.sleep(0)

  expect(await catchError(client.auth.me())).toMatchObject(storeFailure(full))
  expect(stub.requests).toEqual([])

  await client.auth.me()
  expect(stub.requests).toHaveLength(1)
})

test('a sign-in whose token cannot be kept fails with the error of the store', async () => {
  using stub = createStubServer(dataResponse({ access_token: 'new', user: {} }))
  const full = new Error('The store is full')
  const tokenStore = { ...createStore().sync, set: () => Promise.reject(full) }
  const client = createClient({ baseUrl: stub.url, tokenStore })

  expect(await catchError(client.auth.verify('9876543210', '123456'))).toMatchObject(storeFailure(full))
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

test('a store and an onUnauthorized that throw hide neither the 401 nor the end of the session', async () => {
  using stub = createStubServer(unauthorized)
  const [broken, told] = [new Error('broken'), [] as unknown[]]
  const client = createClient({
    baseUrl: stub.url,
    tokenStore: { ...createStore('ended').sync, clear: () => Promise.reject(broken) },
    onSession: session => told.push(session),
    onUnauthorized: error => {
      told.push(error)
      throw new Error('later')
    },
  })
  for (const call of [client.auth.me, client.dashboard.get]) {
    const error = await catchError(call())
    expect([error!.name, error!.cause, told.splice(0)]).toEqual([
      'UnauthorizedError',
      broken,
      [undefined, error],
    ])
  }
})

test('onSession hears of each sign-in, renewal and end of a session', async () => {
  const told: (Session | undefined)[] = []
  const phone = freshPhone()
  const client = createClient({ baseUrl: server.url, onSession: session => told.push(session) })
  await client.auth.sendOtp(phone)
  const { access_token } = await client.auth.verify(phone, '123456')
  const renewed = await client.auth.renew()
  expect(client.token).toBe(renewed.access_token)
  await client.auth.logout()

  const expires_at = expect.stringMatching(/^20.*Z$/)
  expect(told).toEqual([{ access_token, expires_at }, { ...renewed, expires_at }, undefined])
})

describe('a token that is a day old', () => {
  const nowS = Math.floor(Date.now() / 1000)
  const issue = (ageS: number) =>
    createTestToken({ iat: nowS - ageS, exp: nowS - ageS + 7 * 86_400, age: ageS })
  const [old, fresh] = [issue(86_401), issue(0)]
  const renewal = dataResponse({ access_token: fresh })
  /** Sends two calls at once, then another one, and returns what was requested with which token. */
  async function listRequests(options: Partial<ClientOptions>, respond = renewal) {
    using stub = createStubServer((_, { path }) => (path === '/auth/renew' ? respond() : dataResponse()()))
    const client = createClient({ baseUrl: stub.url, ...options })
    await Promise.all([client.auth.me(), client.auth.me()])
    await client.auth.me()
    return stub.requests.map(
      each => `${each.path} ${each.authorization === `Bearer ${old}` ? 'old' : 'fresh'}`,
    )
  }
  const RENEWED = ['/auth/renew old', '/auth/me fresh', '/auth/me fresh', '/auth/me fresh']
  const KEPT = Array(3).fill('/auth/me old')

  test('is renewed once, before the call', async () => {
    const store = createStore(old)
    expect(await listRequests({ tokenStore: store.later })).toEqual(RENEWED)
    expect(store.kept.token).toBe(fresh)
    expect(await listRequests({ token: old })).toEqual(RENEWED)
  })

  test('stays if the server does not renew it, and is not tried again at once', async () => {
    const refuse = errorResponse(404, 'NOT_FOUND')
    expect(await listRequests({ token: old }, refuse)).toEqual(['/auth/renew old', ...KEPT])
  })

  test('stays if the store cannot write, if another client ended it, or if the application says so', async () => {
    const readOnly = { ...createStore(old).sync, set: () => Promise.reject(new Error('read-only')) }
    expect(await listRequests({ tokenStore: readOnly })).toEqual(KEPT)
    expect(await listRequests({ token: old, autoRenew: false })).toEqual(KEPT)
    const { sync, kept } = createStore(old)
    await listRequests({ tokenStore: sync }, () => {
      kept.token = undefined
      return renewal()
    })
    expect(kept.token).toBeUndefined()
  })

  test('younger tokens, and those that say nothing, are not renewed', async () => {
    for (const token of [issue(86_300), 'an OPS_TOKEN', createTestToken({ phone: '9876543210' })])
      expect(await listRequests({ token })).toHaveLength(3)
  })
})
