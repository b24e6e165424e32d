import { beforeAll, beforeEach, expect, test } from 'bun:test'
import { isOwn, isOwnOrManagedUnit, isPartyOrManager, toUserId } from '../../../server/privacy/ownership'
import { insertSignature } from '../../support/signatures'
import { testServer } from '../../support/server'
import { agreementTerms, createUnit, signInUser, type TestUser } from '../../support/users'

const server = testServer()
const roles = ['landlord', 'manager', 'formerManager', 'tenant', 'signer', 'stranger'] as const
type Role = (typeof roles)[number]
let people: Record<Role, TestUser>
let lease: { id: number; unitId: number; propertyId: number }

beforeAll(async () => {
  const users = await Promise.all(roles.map(() => signInUser(server)))
  people = Object.fromEntries(roles.map((role, index) => [role, users[index]])) as typeof people
  const { landlord, manager, formerManager, tenant, signer } = people
  const { property, unit } = await createUnit(landlord, { managed_by_id: manager.id })
  const { data } = await landlord.post('/agreements', agreementTerms(unit.id, [tenant.id]))
  lease = { id: data.id, unitId: unit.id, propertyId: property.id }
  await server.db.updateTable('agreements').set({ manager_id: formerManager.id }).execute()
  await insertSignature(server.db, lease, signer, { status: 'EXPIRED' })
})

/** Lists who has a record of theirs by a condition. */
async function listRoles(has: (userId: number) => Promise<unknown[]>) {
  const found: Role[] = []
  for (const role of roles) if ((await has(people[role].id)).length > 0) found.push(role)
  return found
}

const setActive = async (is_active: boolean) => {
  for (const table of ['agreements', 'property_units', 'properties'] as const)
    await server.db.updateTable(table).set({ is_active }).execute()
}

beforeEach(() => setActive(true))

type Condition = (userId: ReturnType<typeof toUserId>) => ReturnType<typeof isPartyOrManager>
const findAgreements = (condition: Condition) => (userId: number) =>
  server.db
    .selectFrom('agreements as a')
    .where(condition(toUserId(userId)))
    .select('a.id')
    .execute()
const parties = findAgreements(id => isPartyOrManager('a.id', id))
const units = (userId: number) =>
  server.db
    .selectFrom('property_units as u')
    .where(isOwnOrManagedUnit('u', toUserId(userId)))
    .select('u.id')
    .execute()
const owned = (table: 'agreements' | 'property_units' | 'properties') => (userId: number) =>
  server.db
    .selectFrom(table)
    .where(isOwn(table, toUserId(userId)))
    .select('id')
    .execute()

const involved: Role[] = ['landlord', 'manager', 'formerManager', 'tenant']

test.each([
  ['an agreement has its parties and managers', parties, involved],
  ['a unit has its landlord and its manager', units, ['landlord', 'manager']],
  ['an agreement is its landlord’s', owned('agreements'), ['landlord']],
  ['a unit is its landlord’s', owned('property_units'), ['landlord']],
  ['a property is its landlord’s', owned('properties'), ['landlord']],
] as [string, (userId: number) => Promise<unknown[]>, Role[]][])(
  '%s, also once it is deleted',
  async (_, has, expected) => {
    expect(await listRoles(has)).toEqual(expected)
    await server.db.updateTable('agreements').set({ is_active: false }).execute()
    expect(await listRoles(has)).toEqual(expected)
    await setActive(false)
    // Who manages a unit that is deleted has no part in its agreements any more.
    expect(await listRoles(has)).toEqual(expected.filter(role => has !== parties || role !== 'manager'))
  },
)
