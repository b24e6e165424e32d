import { expect, test } from 'bun:test'
import type { Db } from '../../../db/database'
import { interrupt } from '../../support/locks'
import { testServer } from '../../support/server'
import {
  agreementTerms,
  createProperty,
  createUnit,
  freshPhone,
  sendRequest,
  signInUser,
} from '../../support/users'

const server = testServer()

/** Starts a request that waits until a user's account has ended. */
const endMeanwhile = <T>({ id }: { id: number }, start: () => Promise<T>) =>
  interrupt(server, {
    lock: db => db.selectFrom('users').where('id', '=', id).select('id').forUpdate().execute(),
    start,
    meanwhile: (db: Db) => db.updateTable('users').set({ is_active: false }).where('id', '=', id).execute(),
  })

const listing = { pin_code: 560048, property_type: 'pg' }

test.each([
  ['a new property', 'POST', () => '/properties', listing],
  ['a changed property', 'PATCH', (path: string) => path, { alias_name: 'Mine' }],
  ['a deleted property', 'DELETE', (path: string) => path, undefined],
  ['a new unit', 'POST', (path: string) => `${path}/units`, { unit_name: 'B' }],
  ['a new tenant', 'POST', () => '/tenants', { phone_number: freshPhone() }],
] as const)('401: %s of a user who is erased meanwhile', async (_, method, toPath, body) => {
  const user = await signInUser(server)
  const { path } = await createProperty(user)

  const { status } = await endMeanwhile(user, () => user.call(method, toPath(path), body))

  expect(status).toBe(401)
})

test('400: an agreement with a tenant, or a unit with a manager, who is erased meanwhile', async () => {
  const landlord = await signInUser(server)
  const { unit, path } = await createUnit(landlord)
  const [tenant, manager] = [await signInUser(server), await signInUser(server)]

  const agreement = await endMeanwhile(tenant, () =>
    landlord.post('/agreements', agreementTerms(unit.id, [tenant.id])),
  )
  const managed = await endMeanwhile(manager, () => landlord.patch(path, { managed_by_id: manager.id }))

  expect([agreement.status, managed.status]).toEqual([400, 400])
})

test('200: an erasure by a user whose account has ended meanwhile', async () => {
  const user = await signInUser(server)
  await sendRequest(server, 'POST', '/auth/send-otp', { body: { phone_number: user.phone } })

  const { status } = await endMeanwhile(user, () => user.call('DELETE', '/auth/me', { otp: '123456' }))

  expect(status).toBe(200)
})
