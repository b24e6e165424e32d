import { expect, test } from 'bun:test'
import {
  Agreement,
  MaintenanceEntry,
  MaintenanceRequest,
  Property,
  PropertyUnit,
  User,
} from '../../db/entities'
import { createClient } from '../../sdk'
import { dataResponse, errorResponse } from '../sdk/stub-server'
import { testServer } from '../support/server'
import { createShell, OTP, runAgainst } from './shell'

const server = testServer()

async function countRecords() {
  const em = server.em()
  return {
    users: await em.count(User, { is_active: true }),
    properties: await em.count(Property, { is_active: true }),
    units: await em.count(PropertyUnit, { is_active: true }),
    agreements: await em.count(Agreement, { is_active: true }),
    requests: await em.count(MaintenanceRequest),
    entries: await em.count(MaintenanceEntry),
  }
}

test('seed fills every page; repeated it makes nothing twice, and again what was deleted', async () => {
  using shell = createShell(server.url)

  const first = await shell.kiraya('seed --seed demo --landlords 1')
  expect([first.exitCode, first.err]).toEqual([
    0,
    expect.stringMatching(/\d+ of \d+ units and agreements, \d+ per second/),
  ])
  const counts = await countRecords()
  expect(await shell.getData('seed --seed demo --landlords 1')).toEqual(first.data)
  expect(await countRecords()).toEqual(counts)

  const client = createClient({ baseUrl: server.url })
  const { phone } = first.data[0]
  await client.auth.sendOtp(phone)
  await client.auth.verify(phone, OTP)
  const { user } = await client.auth.me()
  expect(user.has_verified_profile).toBe(true)
  const { stats, recent_activity } = await client.dashboard.get()
  expect([stats.total_properties, recent_activity.length]).toEqual([5, 20])
  const { data: properties } = await client.properties.list()
  expect(new Set(properties.map(({ property_type }) => property_type)).size).toBe(5)
  const { data: agreements } = await client.agreements.list({ sort: 'id' })
  expect(agreements.map(({ status }) => status).toSorted()).toEqual([
    ...Array<'ACTIVE'>(4).fill('ACTIVE'),
    'COMPLETED',
    'DRAFT',
    'PENDING',
    'PENDING',
    'TERMINATED',
  ])
  const pending = agreements.filter(({ status }) => status === 'PENDING')
  const found = await Promise.all(pending.map(({ id }) => client.agreements.signatures(id)))
  const statuses = found.flatMap(({ signatures }) => signatures.map(({ status }) => status))
  expect(statuses).toEqual(expect.arrayContaining(['signed', 'declined']))

  const { data: requests } = await client.maintenance.list({ sort: 'id' })
  expect(requests.map(({ status }) => status)).toEqual(['resolved', 'in_progress', 'open', 'on_hold'])
  expect(requests.map(({ charge_id }) => charge_id !== null)).toEqual([true, false, false, false])

  await client.agreements.delete(agreements.find(({ status }) => status === 'DRAFT')!.id)
  const home = properties.find(({ property_type }) => property_type === 'apartment')!
  const { data: units } = await client.units.list(home.id, { sort: '-id' })
  await client.units.delete(home.id, units[0]!.id)
  await shell.getData('seed --seed demo --landlords 1')
  expect(await countRecords()).toEqual(counts)
})

/** Where the sandbox answers so, every change is refused. */
const runRefused = (answer: () => Response, commandLine: string) => {
  const refuse = errorResponse(400, 'VALIDATION_ERROR')
  return runAgainst(({ method }) => (method === 'GET' ? answer() : refuse()), commandLine)
}

test('2: seed asks before it fills a sandbox that has a token', async () => {
  const guarded = errorResponse(401, 'UNAUTHORIZED')
  const refused = await runRefused(guarded, 'seed --landlords 1')
  const confirmed = await runRefused(guarded, 'seed --landlords 1 --yes')

  expect([refused.exitCode, refused.calls]).toEqual([2, ['GET /sandbox/control']])
  expect(refused.err).toContain('--yes')
  expect(confirmed.calls).toContain('POST /auth/send-otp')
})

test('6: after a failure no landlord is begun', async () => {
  const { exitCode, err, calls } = await runRefused(dataResponse({}), 'seed --landlords 20')
  expect([exitCode, err]).toEqual([6, expect.stringContaining('No (VALIDATION_ERROR')])
  expect(calls.filter(call => call.startsWith('POST'))).toHaveLength(4)
})
