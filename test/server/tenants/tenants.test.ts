import { describe, expect, test } from 'bun:test'
import { getKysely } from '../../../db/database'
import {
  createDraft,
  freshPhone,
  createUnit,
  completeSigning,
  signInUser,
  agreementTerms,
  type TestResponse,
  type TestUser,
} from '../../support/users'
import { testServer } from '../../support/server'
import { broken, enveloped, UUID } from '../http/forms'

const server = testServer()
const strict = testServer({ env: { TENANT_LIMIT_PER_LANDLORD: '1' } })
const toResult = ({ status, body }: TestResponse) => [status, body]
const createTenant = (person: TestUser, body: unknown) => person.call('POST', '/tenants', body)
const list = async (person: TestUser, parameters = '') =>
  (await person.call('GET', `/tenants${parameters}`)).body

describe('a named tenant', () => {
  test('201: a new phone number, and a known one with the names given before', async () => {
    const owner = await signInUser(server)
    const phone = freshPhone()
    const first = await createTenant(owner, { phone_number: phone, first_name: 'Ravi', last_name: 'Iyer' })
    expect(toResult(first)).toEqual([
      201,
      {
        success: true,
        data: { id: expect.any(Number), user_id: UUID, phone, first_name: 'Ravi', last_name: 'Iyer' },
      },
    ])
    const later: [given: Record<string, unknown>, names: Record<string, string>][] = [
      [{}, {}],
      [{ first_name: null }, {}],
      [{ first_name: 'Ravindra' }, { first_name: 'Ravindra' }],
      [{ last_name: 'Rao' }, { first_name: 'Ravindra', last_name: 'Rao' }],
    ]
    for (const [given, names] of later)
      expect(toResult(await createTenant(owner, { phone_number: phone, ...given }))).toEqual([
        201,
        { success: true, data: { ...first.body.data, ...names } },
      ])
    const person = await signInUser(server.url, phone)
    expect(person.id).toBe(first.body.data.id)
  })

  for (const [role, storedRole] of [
    [undefined, 'TENANT'],
    [null, 'TENANT'],
    ['tenant', 'TENANT'],
    ['manager', 'MANAGER'],
  ] as const) {
    test(`the role ${role} creates a ${storedRole}`, async () => {
      const {
        body: { data },
      } = await createTenant(await signInUser(server), { phone_number: freshPhone(), role })
      expect(
        await getKysely(server.em())
          .selectFrom('users')
          .where('id', '=', data.id)
          .select(['role', 'kyc_verified', 'last_login_at'])
          .execute(),
      ).toEqual([{ role: storedRole, kyc_verified: false, last_login_at: null }])
    })
  }
})

describe('an existing user', () => {
  test('201: is not changed, and their name is not returned', async () => {
    const owner = await signInUser(server)
    const known = await signInUser(server)
    await known.call('PUT', '/profile/complete', {
      first_name: 'Known',
      last_name: 'Person',
      email: 'known@example.com',
    })
    const before = await getKysely(server.em())
      .selectFrom('users')
      .where('id', '=', known.id)
      .selectAll()
      .execute()
    expect(
      toResult(await createTenant(owner, { phone_number: known.phone, first_name: 'Ravi', role: 'manager' })),
    ).toEqual([
      201,
      {
        success: true,
        data: {
          id: known.id,
          user_id: known.user_id,
          phone: known.phone,
          first_name: 'Ravi',
          last_name: null,
        },
      },
    ])
    expect(
      await getKysely(server.em()).selectFrom('users').where('id', '=', known.id).selectAll().execute(),
    ).toEqual(before)
    expect((await known.call('GET', '/auth/me')).body.data).toMatchObject({
      user: { first_name: 'Known', role: 'landlord' },
    })
  })
})

describe('a rejected tenant', () => {
  for (const [field, values] of Object.entries({
    phone_number: [
      undefined,
      null,
      '',
      '123',
      '5876543210',
      '98765432100',
      '+919876543210',
      9876543210,
      ' 9876543210',
    ],
    first_name: ['', ' ', 1, 'x'.repeat(256), 'a\0'],
    last_name: ['', {}, 'x'.repeat(256)],
    role: ['landlord', 'admin', 'TENANT', '', 1],
  })) {
    test(`400: ${field} ${JSON.stringify(values).slice(0, 60)}`, async () => {
      const owner = await signInUser(server)
      for (const value of values)
        expect([
          value,
          ...toResult(await createTenant(owner, { phone_number: freshPhone(), [field]: value })),
        ]).toEqual([value, 400, broken(field)])
    })
  }

  test("429: beyond the caller's limit, with Retry-After; other callers are not limited", async () => {
    const owner = await signInUser(strict.url)
    const other = await signInUser(strict.url)
    const statuses = []
    for (let index = 0; index < 20; index++)
      statuses.push((await createTenant(owner, { phone_number: freshPhone() })).status)
    expect(statuses).toEqual(Array(20).fill(201))
    const rejected = await createTenant(owner, { phone_number: freshPhone() })
    expect(toResult(rejected)).toEqual([429, enveloped(429)])
    expect(Number(rejected.headers.get('retry-after'))).toBeWithin(1, 3601)
    expect((await createTenant(other, { phone_number: freshPhone() })).status).toBe(201)
  })
})

describe('the list of tenants', () => {
  test('has a person as soon as the caller has named them, for the caller alone', async () => {
    const owner = await signInUser(server)
    expect((await list(owner)).data).toEqual([])
    const { data: named } = await createTenant(owner, { phone_number: freshPhone(), first_name: 'Ravi' })
    expect(await list(owner)).toEqual({
      success: true,
      data: [named],
      metadata: { page: 1, limit: 50, total: 1, total_pages: 1 },
    })
    expect((await list(await signInUser(server))).data).toEqual([])
    expect((await list(await signInUser(server, named.phone))).data).toEqual([])
  })

  test('has each tenant once for landlord and manager, with the names that the caller gave', async () => {
    const owner = await signInUser(server)
    const manager = await signInUser(server)
    const { unit } = await createUnit(owner, { managed_by_id: manager.id })
    const {
      body: { data: tenant },
    } = await createTenant(owner, { phone_number: freshPhone(), first_name: 'Ravi', last_name: 'Iyer' })
    for (let index = 0; index < 2; index++)
      await owner.call('POST', '/agreements', agreementTerms(unit.id, [tenant.id]))
    expect(await list(owner)).toEqual({
      success: true,
      data: [tenant],
      metadata: { page: 1, limit: 50, total: 1, total_pages: 1 },
    })
    expect((await list(manager)).data).toEqual([
      { ...tenant, phone: null, first_name: null, last_name: null },
    ])
    expect((await list(await signInUser(server.url, tenant.phone))).data).toEqual([])
  })

  test('has phone and names of a tenant whom the caller did not name only after the tenant has signed', async () => {
    const owner = await signInUser(server)
    const tenant = await signInUser(server)
    const { agreement } = await createDraft(owner, [tenant])
    await tenant.call('PUT', '/profile/complete', {
      first_name: 'Ravi',
      last_name: 'Iyer',
      email: 'ravi@example.com',
    })
    expect((await list(owner)).data).toEqual([
      { id: tenant.id, user_id: tenant.user_id, phone: null, first_name: null, last_name: null },
    ])
    expect((await list(owner, `?q=${tenant.phone}`)).data).toEqual([])
    await completeSigning(tenant, agreement.id, tenant.id)
    expect((await list(owner)).data).toEqual([
      { id: tenant.id, user_id: tenant.user_id, phone: tenant.phone, first_name: 'Ravi', last_name: 'Iyer' },
    ])
  })

  test('has no tenants of deleted agreements, for landlord and manager', async () => {
    const [owner, manager] = [await signInUser(server), await signInUser(server)]
    const tenant = await signInUser(server)
    const { unit } = await createUnit(owner, { managed_by_id: manager.id })
    const { data: agreement } = await owner.post('/agreements', agreementTerms(unit.id, [tenant.id]))
    for (const person of [owner, manager]) expect((await list(person)).metadata.total).toBe(1)
    await owner.call('DELETE', `/agreements/${agreement.id}`)
    for (const person of [owner, manager]) expect((await list(person)).data).toEqual([])
  })
})

describe('a query of the list', () => {
  test('200: sorts, filters and pages', async () => {
    const owner = await signInUser(server)
    const { unit } = await createUnit(owner)
    const tenants: any[] = []
    for (const first_name of ['Chetan', 'Asha', 'Bina', 'Asha'])
      tenants.push(
        (
          await createTenant(owner, {
            phone_number: freshPhone(),
            first_name,
            last_name: `Rao_${tenants.length}%`,
          })
        ).body.data,
      )
    await owner.call(
      'POST',
      '/agreements',
      agreementTerms(
        unit.id,
        tenants.map(({ id }) => id),
      ),
    )
    const order = async (parameters: string) =>
      (await list(owner, parameters)).data.map(({ id }: any) => tenants.findIndex(each => each.id === id))
    for (const [sort, expected] of [
      ['id', [0, 1, 2, 3]],
      ['first_name', [1, 3, 2, 0]],
    ] as const) {
      expect(await order(`?sort=${sort}`)).toEqual([...expected])
      expect(await order(`?sort=-${sort}`)).toEqual(expected.toReversed())
    }
    expect(await order('')).toEqual([0, 1, 2, 3])
    expect(await order('?q=ash')).toEqual([1, 3])
    expect(await order('?q=_2%25')).toEqual([2])
    expect(await order(`?q=${tenants[3].phone}`)).toEqual([3])
    expect((await list(owner, '?limit=3&page=2')).metadata).toEqual({
      page: 2,
      limit: 3,
      total: 4,
      total_pages: 2,
    })
    expect(await order('?limit=3&page=2')).toEqual([3])
  })

  for (const [parameters, field] of [
    ['page=0', 'page'],
    ['limit=101', 'limit'],
    ['sort=phone', 'sort'],
    ['q=', 'q'],
  ] as const) {
    test(`400: ${parameters}`, async () => {
      expect(toResult(await (await signInUser(server)).call('GET', `/tenants?${parameters}`))).toEqual([
        400,
        broken(field),
      ])
    })
  }
})
