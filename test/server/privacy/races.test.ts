import { expect, test } from 'bun:test'
import { getKysely, type Db } from '../../../db/database'
import { interrupt, lockRow } from '../../support/locks'
import { newRequest, PDF, raiseRequest, type RequestFixture } from '../../support/maintenance-fixture'
import { insertSignature } from '../../support/signatures'
import { testServer } from '../../support/server'
import {
  agreementTerms,
  completeProfile,
  createDraft,
  createProperty,
  createUnit,
  freshPhone,
  sendRequest,
  signInUser,
  type TestResponse,
  type TestUser,
} from '../../support/users'
import { confirmErasure } from './erasing'
import { toTimestamps } from '../../support/timestamps'

// Erasures do not wait for one another, as if each ran on an instance of its own.
const server = testServer()

/** Starts work that waits until a user's account has ended. */
const endDuring = <T>({ id }: { id: number }, start: () => Promise<T>) =>
  interrupt(server, {
    lock: lockRow('users', id),
    start,
    meanwhile: tx => tx.updateTable('users').set({ is_active: false }).where('id', '=', id).execute(),
  })

type Prepare = (user: TestUser, other: TestUser) => Promise<() => Promise<TestResponse>>
const toPath = ({ request }: RequestFixture) => `/maintenance-requests/${request.id}`
const comment = (user: TestUser, raised: RequestFixture) => () =>
  user.post(`${toPath(raised)}/comments`, { text: 'Mine' })
const attachFile = (user: TestUser, raised: RequestFixture) => () =>
  user.post(`${toPath(raised)}/attachments`, PDF)
const listing = { pin_code: 560048, property_type: 'pg' }
const profile = { first_name: 'Asha', last_name: 'Rao', email: 'asha@example.com' }
const password = 'a password of theirs'

test.each<[status: number, what: string, prepare: Prepare]>([
  [401, 'a new property', async user => () => user.post('/properties', listing)],
  [
    401,
    'a changed property',
    async user => {
      const { path } = await createProperty(user)
      return () => user.patch(path, { alias_name: 'Mine' })
    },
  ],
  [
    401,
    'a deleted property',
    async user => {
      const { path } = await createProperty(user)
      return () => user.delete(path)
    },
  ],
  [
    401,
    'a new unit in the building of another landlord',
    async (user, other) => {
      const { property } = await createProperty(other)
      return () => user.post(`/properties/${property.property_id}/units`, { unit_name: 'Mine' })
    },
  ],
  [
    401,
    'a new maintenance request',
    async user => {
      const { unit } = await createUnit(user)
      return () => user.post('/maintenance-requests', newRequest(unit.id))
    },
  ],
  [401, 'a comment', async user => comment(user, await raiseRequest(user, await createUnit(user)))],
  [401, 'a file', async user => attachFile(user, await raiseRequest(user, await createUnit(user)))],
  [401, 'a new tenant', async user => () => user.post('/tenants', { phone_number: freshPhone() })],
  [404, 'a new name', async user => () => user.put('/profile/complete', profile)],
  [
    401,
    'a login',
    async user => {
      await completeProfile(user, { password })
      const body = { phone_number: user.phone, password }
      return () => sendRequest(server, 'POST', '/auth/login', { body })
    },
  ],
  [
    400,
    'an agreement with them as the tenant',
    async (user, other) => {
      const { unit } = await createUnit(other)
      return () => other.post('/agreements', agreementTerms(unit.id, [user.id]))
    },
  ],
  [
    400,
    'a unit with them as the manager',
    async (user, other) => {
      const { path } = await createUnit(other)
      return () => other.patch(path, { managed_by_id: user.id })
    },
  ],
  [200, 'their erasure on another instance', user => confirmErasure(server, user)],
])('%d: %s, of a user who is erased after the request arrived', async (status, _, prepare) => {
  const [user, other] = [await signInUser(server), await signInUser(server)]
  const start = await prepare(user, other)

  expect((await endDuring(user, start)).status).toBe(status)
})

test('200: both of two erasures at once, of which one uses the one-time password', async () => {
  const user = await signInUser(server)
  const erase = await confirmErasure(server, user)

  const erased = await interrupt(server, {
    lock: lockRow('users', user.id),
    start: () => Promise.all([erase(), erase()]),
    waitingCount: 2,
  })

  expect(erased.map(({ status }) => status)).toEqual([200, 200])
})

type Contention = (
  user: TestUser,
  other: TestUser,
  erase: () => Promise<TestResponse>,
) => Promise<TestResponse>

test.each<[what: string, contend: Contention]>([
  [
    'an agreement appears between the locks of an erasure',
    async (user, other, start) => {
      const { agreement } = await createDraft(other, [await signInUser(server)])
      const tenancy = { agreement_id: agreement.id, tenant_id: user.id }
      // The reference to the user stops the erasure at the lock of the user.
      const lock = (tx: Db) => tx.insertInto('agreement_tenants').values(tenancy).execute()
      return interrupt(server, { lock, start })
    },
  ],
  [
    'a maintenance request appears between the locks of an erasure',
    async (user, other, start) => {
      const { unit } = await createUnit(other)
      const raised = { ...newRequest(unit.id), raised_by_id: user.id, priority: 'normal', status: 'open' }
      const lock = (tx: Db) =>
        tx
          .insertInto('maintenance_requests')
          .values({ ...raised, borne_by: 'landlord', ...toTimestamps() } as never)
          .execute()
      return interrupt(server, { lock, start })
    },
  ],
  [
    'another change takes longer than an erasure waits',
    async (user, other, start) => {
      const { agreement } = await createDraft(other, [user])
      return server.em().transactional(async em => {
        await lockRow('agreements', agreement.id)(getKysely(em))
        return start()
      })
    },
  ],
  [
    'a move of a request takes longer than an erasure waits',
    async (user, other, start) => {
      const { request } = await raiseRequest(other, await createUnit(user, { managed_by_id: other.id }))
      return server.em().transactional(async em => {
        await lockRow('maintenance_requests', request.id)(getKysely(em))
        return start()
      })
    },
  ],
])('503: %s; the same one-time password works afterwards', async (_, contend) => {
  const [user, other] = [await signInUser(server), await signInUser(server)]
  const erase = await confirmErasure(server, user)

  const { status, error, headers } = await contend(user, other, erase)

  expect([status, error.reason]).toEqual([503, 'erasure_contended'])
  expect(Number(headers.get('retry-after'))).toBeGreaterThan(0)
  expect((await erase()).status).toBe(200)
})

test('a request to sign that is stored before an erasure has the agreement is declined', async () => {
  const [landlord, user] = [await signInUser(server), await signInUser(server)]
  const { agreement } = await createDraft(landlord, [user])
  const expires_at = new Date(Date.now() + 86_400_000)
  const start = await confirmErasure(server, user)

  const { status } = await interrupt(server, {
    lock: lockRow('agreements', agreement.id),
    start,
    meanwhile: async tx => {
      await insertSignature(tx, agreement, user, { provider_request_id: crypto.randomUUID(), expires_at })
      const change = tx.updateTable('agreements').where('id', '=', agreement.id)
      await change.set({ status: 'PENDING' }).execute()
    },
  })

  expect(status).toBe(200)
  const signatures = server.db.selectFrom('agreement_signatures').where('signer_id', '=', user.id)
  expect((await signatures.select('status').execute()).map(each => each.status)).toEqual(['DECLINED'])
})
