import { expect, test } from 'bun:test'
import { hashPhone } from '../../../server/domain/phone-hash'
import { clock, testServer } from '../../support/server'
import {
  agreementTerms,
  completeProfile,
  completeSigning,
  createActiveAgreement,
  createDraft,
  createProperty,
  createUnit,
  signInUser,
  signInThree,
  type TestUser,
} from '../../support/users'

const time = clock(new Date('2026-11-23T06:30:00Z'))
const server = testServer({ overrides: { now: time.now } })

const exportData = async (user: TestUser) => (await user.get('/auth/me/export')).data.tables

test('an export has the agreements that a former manager is fixed in, and not those made later', async () => {
  const [landlord, manager, tenant] = await signInThree(server)
  const { unit, path } = await createUnit(landlord, { managed_by_id: manager.id })
  const { data: agreement } = await landlord.post('/agreements', agreementTerms(unit.id, [tenant.id]))
  await completeSigning(manager, agreement.id, manager.id)
  await landlord.patch(path, { managed_by_id: landlord.id })
  await landlord.post('/agreements', agreementTerms(unit.id, [tenant.id]))

  const { agreements } = await exportData(manager)

  expect(agreements.map(({ id }: { id: number }) => id)).toEqual([agreement.id])
})

test('an export of a tenant has no draft that they declined or that was deleted', async () => {
  const [landlord, tenant] = await signInThree(server)
  const drafts: { id: number }[] = []
  for (let count = 1; count <= 3; count++) drafts.push((await createDraft(landlord, [tenant])).agreement)
  const [declined, deleted, open] = drafts
  await tenant.post(`/agreements/${declined!.id}/decline`)
  await landlord.delete(`/agreements/${deleted!.id}`)

  const { agreements, agreement_tenants, timeline_entries } = await exportData(tenant)

  expect(agreements.map(({ id }: { id: number }) => id)).toEqual([open!.id])
  for (const { agreement_id } of [...agreement_tenants, ...timeline_entries])
    expect(agreement_id).toBe(open!.id)
})

test('an export has the deleted units of a landlord, and not those that the user only managed', async () => {
  const [landlord, manager] = [await signInUser(server), await signInUser(server)]
  const deleted = await createUnit(landlord, { managed_by_id: manager.id })
  const kept = await createUnit(landlord, { managed_by_id: manager.id })
  await landlord.delete(deleted.path)

  const [landlordData, managerData] = [await exportData(landlord), await exportData(manager)]

  const toIds = (units: { id: number }[]) => units.map(({ id }) => id)
  expect(toIds(landlordData.property_units)).toEqual([deleted.unit.id, kept.unit.id])
  expect(toIds(managerData.property_units)).toEqual([kept.unit.id])
})

test('an export has the landlord’s own setting of a unit that is let, and a removed listing as not listed', async () => {
  const [landlord, other] = [await signInUser(server), await signInUser(server)]
  const { property, unit } = await createActiveAgreement(landlord, [other])
  const shared = await createProperty(landlord)
  await other.post(`/properties/${shared.property.property_id}/units`, { unit_name: 'Mine' })
  expect((await landlord.delete(shared.path)).status).toBe(200)

  const { properties, property_units } = await exportData(landlord)

  const states = properties.map(({ id, is_listed }: Record<string, unknown>) => [id, is_listed])
  expect(Object.fromEntries(states)).toEqual({ [property.id]: true, [shared.property.id]: false })
  const own = property_units.find(({ id }: { id: number }) => id === unit.id)
  expect(own.is_available).toBe(true)
})

test('an export has the time of the last sign-in', async () => {
  const { phone } = await signInUser(server)
  time.advance(3_600_000)
  const signedInAt = time.now().toISOString()
  const user = await signInUser(server, phone)
  time.advance(3_600_000)
  await completeProfile(user)

  expect((await exportData(user)).users[0].last_login_at).toBe(signedInAt)
})

test('counters of the user’s hashed phone number are exported, not those of others', async () => {
  const user = await signInUser(server)
  const hash = hashPhone(server.deps.config, user.phone)
  const own = `messages:${hash}`
  const others = [`messages:${hash}0`, `messages:1${hash}`, `other:messages:${hash}`]
  const now = time.now()
  const counter = { count: 1, resets_at: new Date(now.getTime() + 60_000), created_at: now }
  const keys = [own, ...others]
  await server.db
    .insertInto('rate_limits')
    .values(keys.map(key => ({ key, ...counter })))
    .execute()

  const { rate_limits } = await exportData(user)

  const exported = rate_limits.map(({ key }: { key: string }) => key)
  expect(keys.filter(key => exported.includes(key))).toEqual([own])
})
