import { expect, test } from 'bun:test'
import { sql } from 'kysely'
import { getKysely } from '../../../db/database'
import { openWatched } from '../../support/lock-order'
import { interrupt, waitForLocks } from '../../support/locks'
import { testServer } from '../../support/server'
import {
  completeProfile,
  createActiveAgreement,
  createLandlord,
  createTenant,
  createUnit,
  sendRequest,
  signInUser,
  type TestUser,
} from '../../support/users'

/** Requests wait for locks until all of them do, however busy the machine is. */
const server = testServer({ env: { DATABASE_TIMEOUT_MS: '20000' } })
const PASSWORD = 'ab'.repeat(32)

const signInByPassword = ({ phone }: TestUser) =>
  sendRequest(server, 'POST', '/auth/login', { body: { phone_number: phone, password: PASSWORD } })
const signInByOtp = async ({ phone }: TestUser) => {
  const body = { phone_number: phone }
  await sendRequest(server, 'POST', '/auth/send-otp', { body })
  return sendRequest(server, 'POST', '/auth/verify', { body: { ...body, otp: '123456' } })
}

test.each([
  ['signs in with an OTP', signInByOtp],
  ['signs in with a password', signInByPassword],
  ['changes the profile', (user: TestUser) => completeProfile(user, { first_name: 'Usha' })],
])('a person %s while others name them', async (_title, act) => {
  const user = await signInUser(server)
  await completeProfile(user, { password: PASSWORD })

  const response = await server.em().transactional(async em => {
    await sql`select from users where id = ${user.id} for key share`.execute(getKysely(em))
    return act(user)
  })

  expect(response.status).toBe(200)
})

/** Starts requests one after the other, each once the earlier ones wait, and returns their names as they end. */
async function listInOrder(lock: string, requests: [name: string, send: () => Promise<unknown>][]) {
  const ended: string[] = []
  const running: Promise<unknown>[] = []
  await interrupt(server, {
    lock: db => sql.raw(lock).execute(db),
    waitingCount: requests.length,
    start: async () => {
      for (const [index, [name, send]] of requests.entries()) {
        await waitForLocks(server, index)
        running.push(send().then(() => ended.push(name)))
      }
    },
  })
  await Promise.all(running)
  return ended
}

test('a change of a unit passes what tenants report after it', async () => {
  const landlord = await createLandlord(server)
  const tenants = [await createTenant(server), await createTenant(server)]
  const { agreement, property, unit, path } = await createActiveAgreement(landlord, tenants)
  const report = (tenant: TestUser) => () => tenant.post(`${path}/payments`, { amount: 1, method: 'cash' })
  const unitPath = `/properties/${property.id}/units/${unit.id}`

  const order = await listInOrder(`select from agreements where id = ${agreement.id} for update`, [
    ['the first report', report(tenants[0]!)],
    ['the change', () => landlord.patch(unitPath, { unit_notes: 'Key at the gate' })],
    ['the second report', report(tenants[1]!)],
  ])

  expect(order.filter(name => name !== 'the first report')).toEqual(['the change', 'the second report'])
})

test('a transaction that breaks the order of locks is found', async () => {
  const landlord = await createLandlord(server)
  const { property, unit } = await createUnit(landlord)
  const other = await createUnit(landlord)
  const { database, listBroken } = openWatched(server.deps.config.DATABASE_URL!)
  const lockInTurn = (...rows: [table: string, id: number][]) =>
    database.transactional(async em => {
      for (const [table, id] of rows)
        await sql`select id from ${sql.table(table)} where id = ${id} for update`.execute(getKysely(em))
    })

  await lockInTurn(['properties', property.id], ['property_units', unit.id], ['properties', property.id])
  expect(listBroken()).toEqual([])
  await lockInTurn(['property_units', unit.id], ['properties', property.id])
  await lockInTurn(['property_units', other.unit.id], ['property_units', unit.id])
  await database.close()
  expect(listBroken()).toEqual([
    expect.stringContaining('locks properties after property_units'),
    expect.stringContaining('locks property_units in another order than that of their ids'),
  ])
})
