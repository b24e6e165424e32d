import { describe, expect, test } from 'bun:test'
import { createClient, ValidationError, type ClientOptions, type Kiraya } from '../../sdk'
import { createOperationsClient } from '../../sdk/operations'
import { createSandboxClient } from '../../sdk/sandbox'
import { catchError, createStubServer, dataResponse, emptyPage } from './stub-server'

const ADDRESS = 'baseUrl must be an address such as https://api.example.com; it is '

describe('a client without a proper baseUrl is refused with a sentence:', () => {
  const factories = [createClient, createOperationsClient, createSandboxClient]
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
  test.each(cases)('%p', (baseUrl, sentence) => {
    for (const create of factories) {
      const createIt = () => create({ baseUrl } as ClientOptions)
      expect(createIt).toThrow(ValidationError)
      expect(createIt).toThrow(sentence)
    }
  })

  test('no options at all', () => {
    for (const create of factories) expect(() => create(undefined as never)).toThrow(`${ADDRESS}undefined`)
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

test('an identity check needs the id of its verification', async () => {
  using server = createStubServer(dataResponse())
  const { profile } = createClient({ baseUrl: server.url })
  for (const [id, word] of [
    ['', 'empty'],
    [' ', 'blank'],
  ] as const) {
    const error = await catchError(profile.completeKyc(id))
    expect(error!.message).toBe(`verification_id must be the number or UUID of a record; it is ${word}`)
  }
  expect(server.requests).toEqual([])
})

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
test.each(cases)(
  'a number that JSON would make null is refused before the request, by its name: %s is %d',
  async (property, value, call) => {
    using server = createStubServer(dataResponse())

    const error = (await catchError(call(createClient({ baseUrl: server.url }), value))) as ValidationError

    expect(error).toBeInstanceOf(ValidationError)
    expect(error.message).toBe(`${property} must be a finite number; it is ${value}`)
    expect(error.violations.map(violation => violation.property)).toEqual([property])
    expect([error.status, server.requests]).toEqual([undefined, []])
  },
)

test('what is undefined counts as absent in options and queries, and so does an empty q', async () => {
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

test('what cannot be sent is refused before any request, with its cause', async () => {
  using server = createStubServer(dataResponse())
  const { maintenance, properties, tenants } = createClient({ baseUrl: server.url })
  const circular: Record<string, unknown> = {}
  circular.self = circular
  const calls = [
    properties.create(circular as never),
    properties.update(1, { pin_code: 1n } as never),
    properties.get('\ud800'),
    tenants.create(undefined as never),
    maintenance.update(1, undefined as never),
  ]
  for (const call of calls) {
    const error = await catchError(call)
    expect(error).toBeInstanceOf(ValidationError)
    expect(error!.message).toStartWith('The input cannot be sent: ')
    expect(error!.cause).toBeInstanceOf(Error)
  }
  expect(server.requests).toEqual([])
})

test('toArray refuses a limit that is none', async () => {
  using server = createStubServer(dataResponse([]))
  const { agreements }: Kiraya = createClient({ baseUrl: server.url })
  for (const limit of [undefined, 0, -1, 1.5, Number.POSITIVE_INFINITY]) {
    const error = await catchError(agreements.list().toArray({ limit: limit as number }))
    expect(error!.message).toBe(`limit must be a whole number of at least 1; it is ${limit}`)
  }
})
