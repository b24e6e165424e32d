import { expect, test } from 'bun:test'
import { Agreement, Property, PropertyUnit, User } from '../../db/entities'
import { findPlace } from '../../db/pin-codes'
import { regions } from '../../cli/seed/regions'
import { createClient } from '../../sdk'
import { startSecondInstance, testServer } from '../support/server'
import { createShell, OTP } from './shell'

const SANDBOX_TOKEN = 'the token of the sandbox'
const server = testServer()
/** Its own retries would hide the faults from its clients. */
const impatient = testServer({ env: { PROVIDER_RETRIES: '0', PROVIDER_BREAKER_FAILURES: '1000' } })

async function countRecords() {
  const em = server.em()
  return {
    users: await em.count(User, { is_active: true }),
    properties: await em.count(Property, { is_active: true }),
    units: await em.count(PropertyUnit, { is_active: true }),
    agreements: await em.count(Agreement, { is_active: true }),
  }
}

async function signIn(phone: string) {
  const client = createClient({ baseUrl: server.url })
  await client.auth.sendOtp(phone)
  await client.auth.verify(phone, OTP)
  return client
}

test('seed fills every page, and running it again makes nothing twice', async () => {
  using shell = createShell(server.url)

  const first = await shell.kiraya('seed --seed demo --landlords 2')
  const counts = await countRecords()
  const second = await shell.kiraya('seed --seed demo --landlords 2')

  expect([first.exitCode, second.exitCode]).toEqual([0, 0])
  expect(first.err).toMatch(/\d+ of \d+ units and agreements, \d+ per second/)
  expect(second.data).toEqual(first.data)
  expect(await countRecords()).toEqual(counts)

  const client = await signIn(first.data[1].phone)
  const { user } = await client.auth.me()
  expect(user.has_verified_profile).toBe(true)
  expect(user.first_name).toMatch(/^\p{Script=Devanagari}+$/u)
  const { stats, recent_activity } = await client.dashboard.get()
  expect(stats.total_properties).toBe(5)
  expect(recent_activity).toHaveLength(20)
  const { data: properties } = await client.properties.list()
  expect(new Set(properties.map(({ property_type }) => property_type)).size).toBe(5)
  const { data: agreements } = await client.agreements.list({ sort: 'id' })
  const sortedStatuses = agreements.map(({ status }) => status).toSorted()
  expect(sortedStatuses.join(' ')).toBe(
    'ACTIVE ACTIVE ACTIVE ACTIVE COMPLETED DRAFT PENDING PENDING TERMINATED',
  )
  const pending = agreements.filter(({ status }) => status === 'PENDING')
  const signatures = await Promise.all(pending.map(({ id }) => client.agreements.signatures(id)))
  const statuses = signatures.flatMap(found => found.signatures.map(({ status }) => status))
  expect(statuses).toContain('signed')
  expect(statuses).toContain('declined')
})

test('seed makes again what was deleted, and nothing else', async () => {
  using shell = createShell(server.url)
  const { data } = await shell.kiraya('seed --seed again --landlords 1')
  const counts = await countRecords()
  const client = await signIn(data[0].phone)
  const { data: drafts } = await client.agreements.list({ status: 'DRAFT' })
  await client.agreements.delete(drafts[0]!.id)
  const { data: homes } = await client.properties.list({ property_type: 'apartment' })
  const { data: units } = await client.units.list(homes[0]!.id, { sort: '-id' })
  await client.units.delete(homes[0]!.id, units[0]!.id)

  const again = await shell.kiraya('seed --seed again --landlords 1')

  expect(again.exitCode).toBe(0)
  expect(await countRecords()).toEqual(counts)
})

test('another seed makes other landlords', async () => {
  using shell = createShell(server.url)
  const one = await shell.kiraya('seed --seed one --landlords 1')
  const two = await shell.kiraya('seed --seed two --landlords 1')
  expect(one.data[0].phone).not.toBe(two.data[0].phone)
})

test('seed asks before it fills a sandbox that has a token', async () => {
  const guarded = await startSecondInstance(server, { SANDBOX_TOKEN })
  using shell = createShell(guarded.url)

  const refused = await shell.kiraya('seed --landlords 1')
  const confirmed = await shell.kiraya('seed --landlords 1 --yes')
  await guarded.stop()

  expect([refused.exitCode, confirmed.exitCode]).toEqual([2, 0])
  expect(refused.err).toContain('--yes')
})

const places = regions.flatMap(region => region.places)
test.each(places)('$locality is in $city, $pin_code', ({ pin_code, city }) => {
  expect(findPlace(pin_code)?.city).toBe(city)
})

test('a server that refuses some signings is asked again until it takes them', async () => {
  using shell = createShell(impatient.url)
  await shell.kiraya('sandbox fault add esign error --on create --times 3 --status 503')
  const seeded = await shell.kiraya('seed --landlords 1')
  const { data: state } = await shell.kiraya('sandbox state')
  expect([seeded.exitCode, state.faults]).toEqual([0, []])
})
