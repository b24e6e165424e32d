import { expect, test } from 'bun:test'
import { clock, testServer } from '../../support/server'
import { createPendingAgreement, signInUser } from '../../support/users'
import { createLease, listCharges, startBooksServer } from '../charges/fixtures'
import { findBrokenInvariants } from '../ledger/invariants'

test('a lease that is terminated before it begins ends with its start, and owes no rent', async () => {
  await using server = await startBooksServer()
  const lease = await createLease(server)
  await server.goTo('2026-12-10')
  expect(await listCharges(lease)).toEqual(['rent 2026-12-15 13709.68 13709.68 upcoming'])

  const landlord = await lease.asLandlord()
  const { data } = await landlord.post(`${lease.path}/terminate`, {})

  expect([data.status, data.termination_date]).toEqual(['TERMINATED', '2026-12-15'])
  const credited = ['rent 2026-12-15 13709.68 0 credited']
  expect(await listCharges(lease)).toEqual(credited)
  const { instalments } = (await landlord.get(`${lease.path}/schedule`)).data
  expect(instalments).toMatchObject([{ due_date: '2026-12-15', charge_id: expect.any(Number) }])
  await server.goTo('2027-01-10')
  expect(await listCharges(lease)).toEqual(credited)
  expect(await findBrokenInvariants(server.em())).toEqual([])
})

test('a lease that is terminated early on shows no rent that is not posted', async () => {
  await using server = await startBooksServer()
  const lease = await createLease(server)
  const landlord = lease.landlord
  await landlord.post(`${lease.path}/terminate`, {})
  expect((await landlord.get(`${lease.path}/schedule`)).data).toEqual({ instalments: [], total_rent: 0 })
  expect(await listCharges(lease)).toEqual([])
})

const time = clock(new Date('2026-06-15T06:30:00Z'))
const server = testServer({ overrides: { now: time.now } })

test('an agreement that is revised before its start ended with that start', async () => {
  const owner = await signInUser(server)
  const { path, agreement } = await createPendingAgreement(owner, [await signInUser(server)])
  expect(agreement.agreement_start_date > '2026-06-15').toBe(true)

  expect((await owner.post(`${path}/revise`, {})).status).toBe(201)

  const { data } = await owner.get(path)
  expect([data.status, data.termination_date]).toEqual(['TERMINATED', agreement.agreement_start_date])
})
