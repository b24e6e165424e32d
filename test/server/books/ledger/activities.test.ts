import { expect, test } from 'bun:test'
import { createManager } from '../../../support/users'
import { booksServer, createLease } from '../../../support/books/lease-fixture'

const server = booksServer('2026-11-22')

/** The types of a user's activities of the books, the newest first. */
async function listBookActivities(userId: number) {
  const activities = await server.db
    .selectFrom('activities')
    .where('user_id', '=', userId)
    .where(e => e.or([e('type', 'like', 'payment%'), e('type', 'like', 'charge%')]))
    .orderBy('id', 'desc')
    .select(['type', 'message', 'entity_type', 'entity_id', 'actor_id'])
    .execute()
  return activities
}

const TEXT = 'Call 9876543210 or visit evil.example.com'

test('the other side of a lease reads what happened to its books, without a text of users', async () => {
  const { landlord, tenant, path, agreement } = await createLease(server, {
    agreement_start_date: '2026-10-01',
  })
  const pay = async (payer: typeof landlord, method: string, reference: string) => {
    const { data } = await payer.post(`${path}/payments`, { amount: 100, method, reference })
    return `/payments/${data.id}`
  }
  await landlord.post(`${path}/charges`, {
    type: 'other',
    amount: 300,
    due_date: '2026-12-10',
    description: TEXT,
  })
  await landlord.post(`${await pay(tenant, 'upi', 'R-1')}/confirm`)
  await landlord.post(`${await pay(tenant, 'upi', TEXT)}/reject`, { reason: TEXT })
  await landlord.post(`${await pay(landlord, 'upi', 'P-1')}/reverse`, { reason: TEXT })
  await landlord.post(`${await pay(landlord, 'cheque', 'C-1')}/bounce`, { reason: TEXT })
  await landlord.post(`${await pay(landlord, 'cheque', 'C-2')}/clear`, {})

  const [ofTenant, ofLandlord] = [await listBookActivities(tenant.id), await listBookActivities(landlord.id)]
  expect(ofTenant.map(({ type }) => type).toReversed()).toEqual([
    'charge_posted',
    'payment_confirmed',
    'payment_rejected',
    'payment_posted',
    'payment_reversed',
    'payment_bounced',
    'payment_posted',
  ])
  expect(ofLandlord.map(({ type }) => type)).toEqual(['payment_reported', 'payment_reported'])
  for (const { message, entity_type, entity_id } of [...ofTenant, ...ofLandlord]) {
    expect(message).toMatch(new RegExp(`^A [a-z ]+ under the agreement ${agreement.agreement_number}$`))
    expect([entity_type, entity_id]).toEqual(['agreement', agreement.id])
  }
})

test('the manager of the unit reads what a tenant reports too, and who did it', async () => {
  const { landlord, tenant, path, property, unit } = await createLease(server)
  const manager = await createManager(server)
  await landlord.patch(`/properties/${property.id}/units/${unit.id}`, { managed_by_id: manager.id })
  await tenant.post(`${path}/payments`, { amount: 100, method: 'cash' })
  for (const { id } of [landlord, manager])
    expect(await listBookActivities(id)).toMatchObject([{ type: 'payment_reported', actor_id: tenant.id }])
})
