import { beforeAll, describe, expect, test } from 'bun:test'
import { clock, testServer } from '../../../support/server'
import {
  agreementTerms,
  createDraft,
  createUnit,
  signInUser,
  type TestResponse,
  type TestUser,
} from '../../../support/users'
import { broken } from '../../http/forms'
import { agreementShape, answered, defaultTerms, optionalTerms, withoutWarnings } from '../shapes'

const time = clock(new Date('2026-06-15T12:00:00Z'))
const server = testServer({ overrides: { now: time.now } })
const seen = ({ status, body }: TestResponse) => [status, withoutWarnings(body)]
let owner: TestUser
let tenant: TestUser
let unit: { id: number }

beforeAll(async () => {
  ;[owner, tenant] = [await signInUser(server), await signInUser(server)]
  unit = (await createUnit(owner)).unit
})

const create = (changes: Record<string, unknown> = {}, user = owner) =>
  user.post('/agreements', agreementTerms(unit.id, [tenant.id], changes))

test('201: a new agreement is a draft with defaults', async () => {
  const second = await signInUser(server)
  const tenant_ids = [tenant.id, second.id]
  const created = await create({ deposit_amount: undefined, tenant_ids })
  const parties = { property_unit_id: unit.id, landlord_id: owner.id, tenant_ids }
  expect(seen(created)).toEqual([201, answered(agreementShape({ deposit_amount: null, ...parties }))])
})

test('201: every given field is stored, and read by the tenant', async () => {
  const given = { ...optionalTerms, rent_amount: 25000.75 }
  const created = await create(given)
  expect(seen(created)).toEqual([201, answered(agreementShape(given))])
  for (const id of [created.data.id, created.data.agreement_id])
    expect(seen(await tenant.get(`/agreements/${id}`))).toEqual([200, answered(created.data)])
})

test('201: null means that an optional field is not given', async () => {
  const nulls = Object.fromEntries(Object.keys(optionalTerms).map(field => [field, null]))
  expect((await create(nulls)).data).toEqual(agreementShape(defaultTerms))
})

describe('agreement numbers', () => {
  async function createLandlord() {
    const [landlord, manager] = [await signInUser(server), await signInUser(server)]
    const { unit: own } = await createUnit(landlord, { managed_by_id: manager.id })
    const next = async (user = landlord, changes = {}) => {
      const { data } = await user.post('/agreements', agreementTerms(own.id, [tenant.id], changes))
      return data.agreement_number as string
    }
    return { landlord, manager, next }
  }

  test('count from 1 for each landlord, also if the manager creates the agreement', async () => {
    const numbers = ['AGR-2026-000001', 'AGR-2026-000002', 'AGR-2026-000003']
    for (let count = 0; count < 2; count++) {
      const { landlord, manager, next } = await createLandlord()
      expect([await next(), await next(manager), await next(landlord)]).toEqual(numbers)
    }
  })

  test('skip one that was entered by hand, until its draft is deleted', async () => {
    const { landlord, next } = await createLandlord()
    const agreement_number = 'AGR-2026-000002'
    expect([await next(), await next(landlord, { agreement_number }), await next()]).toEqual([
      'AGR-2026-000001',
      'AGR-2026-000002',
      'AGR-2026-000003',
    ])
    const other = await signInUser(server)
    const byHand = await createDraft(other, [tenant], { agreement_number: 'AGR-2026-000001' })
    await other.delete(byHand.path)
    expect((await createDraft(other, [tenant])).agreement.agreement_number).toBe('AGR-2026-000001')
  })
})

test('400: tenants that are unknown, inactive, repeated, the landlord or the manager are named', async () => {
  const [manager, inactive] = [await signInUser(server), await signInUser(server)]
  const { unit: managed } = await createUnit(owner, { managed_by_id: manager.id })
  const users = server.db.updateTable('users')
  await users.set({ is_active: false }).where('id', '=', inactive.id).execute()
  const cases: [tenant_ids: number[], named: number | ''][] = [
    [[tenant.id, 2_000_000_000], 2_000_000_000],
    [[inactive.id], inactive.id],
    [[tenant.id, tenant.id], ''],
    [[owner.id], owner.id],
    [[tenant.id, manager.id], manager.id],
  ]
  for (const [tenant_ids, named] of cases) {
    const refused = await create({ property_unit_id: managed.id, tenant_ids })
    expect([tenant_ids, ...seen(refused)]).toEqual([tenant_ids, 400, broken('tenant_ids')])
    expect(refused.error.message).toContain(String(named))
  }
})

test('numbers restart with the year in India', async () => {
  const start = time.now().getTime()
  const createNumber = async (at: string) => {
    time.advance(Date.parse(at) - time.now().getTime())
    const landlord = await signInUser(server)
    const { unit: own } = await createUnit(landlord)
    const { data } = await create({ property_unit_id: own.id }, landlord)
    return data.agreement_number.slice(0, 8)
  }
  expect(await createNumber('2026-12-31T18:29:59Z')).toBe('AGR-2026')
  expect(await createNumber('2026-12-31T18:30:00Z')).toBe('AGR-2027')
  time.advance(start - time.now().getTime())
})
