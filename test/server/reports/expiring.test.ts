import { expect, test } from 'bun:test'
import type { ExpiringLease } from '@kiraya/sdk/contract'
import { booksServer, createLease } from '../../support/books/lease-fixture'
import {
  createActiveAgreement,
  createDraft,
  createManager,
  signInUser,
  type TestUser,
} from '../../support/users'

/** The leases of `exampleTerms` end on 14 November 2027. */
const server = booksServer('2026-12-10')

const readRows = async (reader: TestUser, query = '') =>
  (await reader.get(`/books/expiring${query}`)).data.rows as ExpiringLease[]
const readIds = async (reader: TestUser, query?: string) =>
  (await readRows(reader, query)).map(({ agreement_id }) => agreement_id)

test('a lease is listed from so many days before its last one, until it has ended', async () => {
  server.setDay('2026-12-10')
  const { asLandlord, agreement, path } = await createLease(server)
  for (const [day, query, isListed] of [
    ['2027-09-14', '', false],
    ['2027-09-15', '', true],
    ['2027-11-14', '?days=1', true],
    ['2027-11-12', '?days=1', false],
    ['2026-12-15', '?days=334', true],
    ['2026-12-15', '?days=333', false],
  ] as const) {
    server.setDay(day)
    expect([day, await readIds(await asLandlord(), query)]).toEqual([day, isListed ? [agreement.id] : []])
  }
  server.setDay('2027-09-15')
  const landlord = await asLandlord()
  await landlord.post(`${path}/terminate`, {})
  expect(await readIds(landlord)).toEqual([])
})

test('each row has what comes next, and the rent of today; the soonest is the first', async () => {
  server.setDay('2026-12-10')
  const last = await createLease(server, { auto_renew: true, tenure_in_months: 12 }, 2)
  const escalation = { escalation_percent: 10, escalation_every_months: 6 }
  const first = await createActiveAgreement(last.landlord, [last.tenant], {
    agreement_start_date: '2026-12-15',
    ...escalation,
  })
  await createDraft(last.landlord, [last.tenant])
  server.setDay('2027-09-20')
  const landlord = await last.asLandlord()
  const renewal = await landlord.post(`${first.path}/renew`, {})

  const { data } = await landlord.get('/books/expiring?days=90')

  const toTenant = ({ id }: TestUser) => ({ id, name: null })
  expect(data).toMatchObject({ as_of: '2027-09-20', to: '2027-12-19' })
  expect(data.rows).toEqual([
    {
      agreement_id: first.agreement.id,
      agreement_number: first.agreement.agreement_number,
      property_unit_id: first.unit.id,
      property_name: expect.any(String),
      unit_name: first.unit.unit_name,
      tenants: [toTenant(last.tenant)],
      agreement_end_date: '2027-11-14',
      auto_renew: false,
      renewal_id: renewal.data.id,
      renewal_status: 'DRAFT',
      rent: 27_500,
    },
    expect.objectContaining({
      agreement_id: last.agreement.id,
      tenants: last.tenants.map(toTenant),
      agreement_end_date: '2027-12-14',
      auto_renew: true,
      renewal_id: null,
      renewal_status: null,
      rent: 25_000,
    }),
  ])

  await landlord.delete(`/agreements/${renewal.data.id}`)
  expect(await readRows(landlord)).toMatchObject([{ renewal_id: null, renewal_status: null }])
})

test('the manager of the unit reads it, a tenant does not', async () => {
  server.setDay('2026-12-10')
  const { landlord, agreement, property, unit, tenant } = await createLease(server)
  const manager = await createManager(server)
  await landlord.patch(`/properties/${property.id}/units/${unit.id}`, { managed_by_id: manager.id })
  server.setDay('2027-11-01')
  const [ofManager, ofTenant] = [
    await readIds(await signInUser(server, manager.phone)),
    await readIds(await signInUser(server, tenant.phone)),
  ]
  expect([ofManager, ofTenant]).toEqual([[agreement.id], []])
})

test.each(['0', '367', '1.5', 'soon'])('400: days=%s', async days => {
  const { status, error } = await (await signInUser(server)).get(`/books/expiring?days=${days}`)
  expect([status, error.details[0].property]).toEqual([400, 'days'])
})
