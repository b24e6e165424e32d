import { describe, expect, test } from 'bun:test'
import { interrupt, lockRow } from '../../../support/locks'
import { testServer } from '../../../support/server'
import {
  agreementTerms,
  completeProfile,
  completeSigning,
  createDraft,
  createUnit,
  freshPhone,
  signInUser,
  type TestUser,
} from '../../../support/users'
import { UUID } from '../../http/forms'

const server = testServer()
const users = () => server.db.selectFrom('users')
const list = async (user: TestUser, parameters = '') => (await user.get(`/tenants${parameters}`)).body
const nothing = { phone: null, first_name: null, last_name: null }

describe('a named tenant', () => {
  test('201: has a new phone number, or a known one with the names given before', async () => {
    const landlord = await signInUser(server)
    const phone = freshPhone()
    const name = async (names: object) => {
      const { status, body } = await landlord.post('/tenants', { phone_number: phone, ...names })
      return [status, body]
    }
    const tenant = { id: expect.any(Number), user_id: UUID, phone, first_name: 'Ravi', last_name: 'Iyer' }
    const given: [names: object, shown: object][] = [
      [{ first_name: 'Ravi', last_name: 'Iyer' }, {}],
      [{}, {}],
      [{ first_name: null }, {}],
      [{ first_name: 'Ravindra' }, { first_name: 'Ravindra' }],
      [{ last_name: 'Rao' }, { first_name: 'Ravindra', last_name: 'Rao' }],
    ]
    for (const [names, shown] of given)
      expect(await name(names)).toEqual([201, { success: true, data: { ...tenant, ...shown } }])
    const { data } = await list(landlord)
    expect((await signInUser(server, phone)).id).toBe(data[0].id)
  })

  test.each([
    [undefined, 'TENANT'],
    [null, 'TENANT'],
    ['tenant', 'TENANT'],
    ['manager', 'MANAGER'],
  ])('201: the role %p creates a %s', async (role, stored) => {
    const landlord = await signInUser(server)
    const { data } = await landlord.post('/tenants', { phone_number: freshPhone(), role })
    const created = users().where('id', '=', data.id).select(['role', 'kyc_verified', 'last_login_at'])
    expect(await created.execute()).toEqual([
      { role: stored as never, kyc_verified: false, last_login_at: null },
    ])
  })

  test('201: is not changed if they have an account, and their name is not returned', async () => {
    const [landlord, known] = [await signInUser(server), await signInUser(server)]
    await completeProfile(known, { first_name: 'Known' })
    const findRow = () => users().where('id', '=', known.id).selectAll().execute()
    const before = await findRow()

    const body = { phone_number: known.phone, first_name: 'Ravi', role: 'manager' }
    const { status, data } = await landlord.post('/tenants', body)

    const { id, user_id, phone } = known
    expect([status, data]).toEqual([201, { id, user_id, phone, first_name: 'Ravi', last_name: null }])
    expect(await findRow()).toEqual(before)
  })

  test('201: gets a new account if the known one is erased meanwhile', async () => {
    const [landlord, known] = [await signInUser(server), await signInUser(server)]
    const row = server.db.updateTable('users').where('id', '=', known.id)

    // The number is taken when the landlord's request inserts it, and free once the request has the lock.
    const response = await interrupt(server, {
      lock: lockRow('users', known.id),
      start: () => landlord.post('/tenants', { phone_number: known.phone, first_name: 'Ravi' }),
      meanwhile: db => db.executeQuery(row.set({ phone: `erased-${known.id}` })),
    })

    expect(response.status).toBe(201)
    expect(response.data).toMatchObject({ phone: known.phone, first_name: 'Ravi' })
    const named = await users().where('phone', '=', known.phone).select('id').execute()
    expect(named).toEqual([{ id: response.data.id }])
    expect(response.data.id).not.toBe(known.id)
  })
})

describe('the list of tenants', () => {
  test('has a person as soon as the caller has named them, for the caller alone', async () => {
    const landlord = await signInUser(server)
    expect((await list(landlord)).data).toEqual([])
    const { data: named } = await landlord.post('/tenants', { phone_number: freshPhone() })
    expect(await list(landlord)).toEqual({
      success: true,
      data: [{ ...named, first_name: null, last_name: null }],
      metadata: { page: 1, limit: 50, total: 1, total_pages: 1 },
    })
    for (const other of [await signInUser(server), await signInUser(server, named.phone)])
      expect((await list(other)).data).toEqual([])
  })

  test('has each tenant once for landlord and manager, with the names that the caller gave', async () => {
    const [landlord, manager] = [await signInUser(server), await signInUser(server)]
    const { unit } = await createUnit(landlord, { managed_by_id: manager.id })
    const names = { first_name: 'Ravi', last_name: 'Iyer' }
    const { data: tenant } = await landlord.post('/tenants', { phone_number: freshPhone(), ...names })
    for (let drawn = 0; drawn < 2; drawn++)
      await landlord.post('/agreements', agreementTerms(unit.id, [tenant.id]))
    expect((await list(landlord)).data).toEqual([tenant])
    expect((await list(manager)).data).toEqual([{ ...tenant, ...nothing }])
    expect((await list(await signInUser(server, tenant.phone))).data).toEqual([])
  })
})

describe('a tenant whom the landlord did not name', () => {
  /** A draft that names a tenant by id alone, so that the landlord knows nothing else of them. */
  async function createDraftOfStranger() {
    const [landlord, tenant] = [await signInUser(server), await signInUser(server)]
    await completeProfile(tenant, { first_name: 'Tara', last_name: 'Iyer' })
    return { landlord, tenant, ...(await createDraft(landlord, [tenant])) }
  }

  test('is disclosed by their own signature, not by that of the landlord', async () => {
    const { landlord, tenant, agreement } = await createDraftOfStranger()
    const { id, user_id, phone } = tenant
    await completeSigning(landlord, agreement.id, landlord.id)
    expect((await list(landlord)).data).toEqual([{ id, user_id, ...nothing }])
    expect((await list(landlord, `?q=${phone}`)).data).toEqual([])

    await completeSigning(tenant, agreement.id, tenant.id)
    const disclosed = { id, user_id, phone, first_name: 'Tara', last_name: 'Iyer' }
    expect((await list(landlord)).data).toEqual([disclosed])
    expect((await list(landlord, `?q=${phone}`)).data).toEqual([disclosed])
  })
})

test('200: the list is sorted, filtered and in pages', async () => {
  const landlord = await signInUser(server)
  const tenants: { id: number; phone: string }[] = []
  for (const first_name of ['Chetan', 'Asha', 'Bina', 'Asha']) {
    const names = { first_name, last_name: `Rao_${tenants.length}%` }
    tenants.push((await landlord.post('/tenants', { phone_number: freshPhone(), ...names })).data)
  }
  const order = async (parameters: string) =>
    (await list(landlord, parameters)).data.map(({ id }: { id: number }) =>
      tenants.findIndex(each => each.id === id),
    )
  const orders: [parameters: string, expected: number[]][] = [
    ['', [0, 1, 2, 3]],
    ['?sort=id', [0, 1, 2, 3]],
    ['?sort=-id', [3, 2, 1, 0]],
    ['?sort=first_name', [1, 3, 2, 0]],
    ['?sort=-first_name', [0, 2, 3, 1]],
    ['?q=ash', [1, 3]],
    ['?q=_2%25', [2]],
    ['?q=asha%20rao_3', [3]],
    [`?q=${tenants[3]!.phone}`, [3]],
    ['?limit=3&page=2', [3]],
  ]
  for (const [parameters, expected] of orders)
    expect([parameters, await order(parameters)]).toEqual([parameters, expected])
  const { metadata } = await list(landlord, '?limit=3&page=2')
  expect(metadata).toEqual({ page: 2, limit: 3, total: 4, total_pages: 2 })
})
