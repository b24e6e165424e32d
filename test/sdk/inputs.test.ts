import { describe, expect, test } from 'bun:test'
import { createClient, ValidationError, type ClientOptions, type Kiraya } from '../../sdk'
import { createOperationsClient } from '../../sdk/operations'
import { createSandboxClient } from '../../sdk/sandbox'
import { createClients, type Clients } from './calls'
import { catchError, createStubServer, dataResponse, emptyPage } from './stub-server'

const ADDRESS = 'baseUrl must be an address such as https://api.example.com; it is '

describe('a client without a proper baseUrl is refused with a sentence:', () => {
  const factories: [name: string, create: (options: ClientOptions) => unknown][] = [
    ['createClient', createClient],
    ['createOperationsClient', createOperationsClient],
    ['createSandboxClient', createSandboxClient],
  ]
  const cases: [baseUrl: unknown, sentence: string][] = [
    [undefined, `${ADDRESS}undefined`],
    [null, `${ADDRESS}null`],
    ['', `${ADDRESS}""`],
    [3000, `${ADDRESS}3000`],
    ['localhost:3000', `${ADDRESS}"localhost:3000"`],
    ['api.example.com', `${ADDRESS}"api.example.com"`],
    ['ftp://example.com', `${ADDRESS}"ftp://example.com"`],
    ['http://', `${ADDRESS}"http://"`],
    ['/api', `${ADDRESS}"/api"`],
    ['https://asha:secret@example.com', 'baseUrl must have no user name, password, query or fragment'],
    ['https://asha@example.com', 'baseUrl must have no user name, password, query or fragment'],
    ['https://:secret@example.com', 'baseUrl must have no user name, password, query or fragment'],
    ['https://example.com?a=1', 'baseUrl must have no user name, password, query or fragment'],
    ['https://example.com#a', 'baseUrl must have no user name, password, query or fragment'],
  ]
  describe.each(factories)('%s', (_, create) => {
    test.each(cases)('%p', (baseUrl, sentence) => {
      const createIt = () => create({ baseUrl } as ClientOptions)
      expect(createIt).toThrow(ValidationError)
      expect(createIt).toThrow(sentence)
    })

    test('no options at all', () => {
      expect(() => create(undefined as never)).toThrow(`${ADDRESS}undefined`)
    })
  })
})

test.each([
  ['', '/auth/me'],
  ['/', '/auth/me'],
  ['///', '/auth/me'],
  ['/api///', '/api/auth/me'],
])('a baseUrl may end in slashes: %p leads to %s', async (end, path) => {
  using server = createStubServer(dataResponse())
  await createClient({ baseUrl: server.url + end }).auth.me()
  expect(server.requests.map(request => request.path)).toEqual([path])
})

test('a page names the API by a path of its own host, not by another host without a scheme', () => {
  Object.assign(globalThis, { location: { href: 'https://app.example.com/home' } })
  try {
    expect(() => createClient({ baseUrl: '/api' })).not.toThrow()
    for (const baseUrl of ['//api.example.com', 'api', './api', '../api', ''])
      expect(() => createClient({ baseUrl })).toThrow(`${ADDRESS}"${baseUrl}"`)
  } finally {
    Reflect.deleteProperty(globalThis, 'location')
  }
})

type Call = (clients: Clients, id: never) => Promise<unknown>
const byId: [description: string, call: Call, name: string][] = [
  ['properties.get', ({ properties }, id) => properties.get(id), 'The id after properties/'],
  ['properties.update', ({ properties }, id) => properties.update(id, {}), 'The id after properties/'],
  ['properties.delete', ({ properties }, id) => properties.delete(id), 'The id after properties/'],
  ['units.create', ({ units }, id) => units.create(id, { unit_name: 'A' }), 'The id after properties/'],
  ['units.list', ({ units }, id) => units.list(id), 'The id after properties/'],
  ['units.iterate', ({ units }, id) => units.iterate(id).toArray({ limit: 1 }), 'The id after properties/'],
  ['units.get', ({ units }, id) => units.get(1, id), 'The id after properties/1/units/'],
  ['units.update', ({ units }, id) => units.update(1, id, {}), 'The id after properties/1/units/'],
  ['units.delete', ({ units }, id) => units.delete(1, id), 'The id after properties/1/units/'],
  ['units.resign', ({ units }, id) => units.resign(1, id), 'The id after properties/1/units/'],
  ['agreements.get', ({ agreements }, id) => agreements.get(id), 'The id after agreements/'],
  ['agreements.update', ({ agreements }, id) => agreements.update(id, {}), 'The id after agreements/'],
  ['agreements.delete', ({ agreements }, id) => agreements.delete(id), 'The id after agreements/'],
  ['agreements.revise', ({ agreements }, id) => agreements.revise(id), 'The id after agreements/'],
  [
    'agreements.sign',
    ({ agreements }, id) => agreements.sign(id, { signer_id: 1 }),
    'The id after agreements/',
  ],
  ['agreements.signatures', ({ agreements }, id) => agreements.signatures(id), 'The id after agreements/'],
  [
    'agreements.cancelSignature',
    ({ agreements }, id) => agreements.cancelSignature(1, id),
    'The id after agreements/1/signatures/',
  ],
  ['agreements.decline', ({ agreements }, id) => agreements.decline(id), 'The id after agreements/'],
  ['agreements.timeline', ({ agreements }, id) => agreements.timeline(id), 'The id after agreements/'],
  ['agreements.document', ({ agreements }, id) => agreements.document(id), 'The id after agreements/'],
  ['agreements.certificate', ({ agreements }, id) => agreements.certificate(id), 'The id after agreements/'],
  ['agreements.terminate', ({ agreements }, id) => agreements.terminate(id), 'The id after agreements/'],
  ['agreements.complete', ({ agreements }, id) => agreements.complete(id), 'The id after agreements/'],
  ['profile.completeKyc', ({ profile }, id) => profile.completeKyc(id), 'verification_id'],
  ['operations.replay', ({ operations }, id) => operations.replay(id), 'The id after operations/webhooks/'],
  [
    'sandbox.removeFault',
    ({ sandbox }, id) => sandbox.removeFault(id),
    'The id after sandbox/control/faults/',
  ],
  ['sandbox.sign', ({ sandbox }, id) => sandbox.sign(id), 'The id after sandbox/control/signatures/'],
  ['sandbox.check', ({ sandbox }, id) => sandbox.check(id), 'The id after sandbox/control/checks/'],
]

describe('a method refuses an id that is missing before any request:', () => {
  const missing: [id: unknown, word: string][] = [
    [undefined, 'undefined'],
    [null, 'null'],
    ['', 'empty'],
    [' ', 'blank'],
    [Number.NaN, 'NaN'],
    [{ id: 1 }, 'an object'],
  ]

  test.each(byId)('%s', async (_, call, name) => {
    using server = createStubServer(dataResponse())
    const clients = createClients({ baseUrl: server.url })

    for (const [id, word] of missing) {
      const error = await catchError(call(clients, id as never))
      expect(error).toBeInstanceOf(ValidationError)
      expect(error!.message).toBe(`${name} must be the number or UUID of a record; it is ${word}`)
    }
    expect(server.requests).toEqual([])
  })
})

describe('a number that JSON would make null is refused before the request, by its name:', () => {
  const cases: [name: string, value: number, call: (client: Kiraya, value: number) => Promise<unknown>][] = [
    ['late_fee', Number.NaN, ({ agreements }, late_fee) => agreements.update(7, { late_fee })],
    ['area_sqft', Number.POSITIVE_INFINITY, ({ units }, area_sqft) => units.update(3, 5, { area_sqft })],
    [
      'property_units.1.area_sqft',
      Number.NaN,
      ({ properties }, area_sqft) =>
        properties.create({
          pin_code: 560048,
          property_type: 'pg',
          property_units: [{ unit_name: 'A' }, { unit_name: 'B', area_sqft }],
        }),
    ],
  ]
  test.each(cases)('%s is %d', async (property, value, call) => {
    using server = createStubServer(dataResponse())

    const error = (await catchError(call(createClient({ baseUrl: server.url }), value))) as ValidationError

    expect(error).toBeInstanceOf(ValidationError)
    expect(error.message).toBe(`${property} must be a finite number; it is ${value}`)
    expect(error.violations.map(violation => violation.property)).toEqual([property])
    expect([error.status, server.requests]).toEqual([undefined, []])
  })
})

describe('what is undefined counts as absent', () => {
  test('in options and queries, and so does an empty q', async () => {
    using server = createStubServer(emptyPage)
    const { agreements, properties, tenants } = createClient({ baseUrl: server.url, token: undefined })

    await agreements.list({ q: undefined, status: undefined }, { signal: undefined, language: undefined })
    await properties.list({ q: '' })
    await tenants.list({ q: 'Tara', page: 2 })

    expect(server.requests.map(({ path }) => path)).toEqual([
      '/agreements',
      '/properties',
      '/tenants?q=Tara&page=2',
    ])
  })
})

test('toArray without options is refused with a sentence', async () => {
  using server = createStubServer(dataResponse([]))
  const { agreements } = createClient({ baseUrl: server.url })
  const toArray = agreements.iterate().toArray as () => Promise<unknown>
  const error = await catchError(toArray())
  expect(error).toBeInstanceOf(ValidationError)
  expect(error!.message).toBe('limit must be a whole number of at least 1; it is undefined')
})

test('toArray refuses a limit that is none', async () => {
  using server = createStubServer(dataResponse([]))
  const { agreements }: Kiraya = createClient({ baseUrl: server.url })
  for (const limit of [undefined, 0, -1, 1.5, Number.POSITIVE_INFINITY]) {
    const error = await catchError(agreements.iterate().toArray({ limit: limit as number }))
    expect(error!.message).toBe(`limit must be a whole number of at least 1; it is ${limit}`)
  }
  expect(server.requests).toEqual([])
})
