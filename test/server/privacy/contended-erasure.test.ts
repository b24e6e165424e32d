import { expect, test } from 'bun:test'
import { sql } from 'kysely'
import { getKysely, type Db } from '../../../db/database'
import { createErasures } from '../../../server/http/turns'
import { interrupt, waitForLocks } from '../../support/locks'
import { testServer } from '../../support/server'
import {
  createActiveAgreement,
  createLandlord,
  createProperty,
  createUnit,
  freshPhone,
  sendRequest,
  signInUser,
  type TestUser,
} from '../../support/users'

let turns = 0
const runInTurn = createErasures()
const server = testServer({
  env: { WRONG_OTP_LIMIT_PER_SITE: '1', DATABASE_TIMEOUT_MS: '2500' },
  overrides: {
    runErasure: (userId, work) => {
      turns++
      return runInTurn(userId, work)
    },
  },
})
/** Limits are twenty times as high with the sandbox channel. */
const MAX_WRONG = 20
const db = () => getKysely(server.em())

async function confirmErasure(user: TestUser) {
  await sendRequest(server, 'POST', '/auth/send-otp', { body: { phone_number: user.phone } })
  return () => user.call('DELETE', '/auth/me', { otp: '123456' })
}

/** What naming a user does: it keeps the user from being erased until the transaction ends. */
const lockUser = (tx: Db, { id }: TestUser) =>
  sql`select from users where id = ${id} for key share`.execute(tx)

/** Names a user again and again, each time before the last transaction ends: none of them takes long. */
function keepLocked(user: TestUser, isOver: () => boolean) {
  const begun = Promise.withResolvers<void>()
  const deadline = performance.now() + 30_000
  const nameOnce = async (): Promise<void> => {
    const next = await db()
      .transaction()
      .execute(async tx => {
        await lockUser(tx, user)
        begun.resolve()
        await Bun.sleep(100)
        const following = isOver() || performance.now() > deadline ? undefined : nameOnce()
        await Bun.sleep(100)
        return { following }
      })
    await next.following
  }
  return { begun: begun.promise, ended: nameOnce() }
}

test('an erasure that an active agreement forbids waits for no lock and takes none', async () => {
  const [landlord, tenant] = [await createLandlord(server), await signInUser(server)]
  const { agreement } = await createActiveAgreement(landlord, [tenant])
  const erase = await confirmErasure(tenant)

  const refused = await db()
    .transaction()
    .execute(async tx => {
      await lockUser(tx, tenant)
      await tx.selectFrom('agreements').where('id', '=', agreement.id).select('id').forUpdate().execute()
      return erase()
    })

  expect([refused.status, refused.error.reason]).toEqual([400, 'agreements_open'])
})

test('an erasure that is forbidden does not count as a wrong one-time password', async () => {
  const [landlord, tenant] = [await createLandlord(server), await signInUser(server)]
  const { path } = await createActiveAgreement(landlord, [tenant])
  const erase = await confirmErasure(tenant)

  for (let n = 0; n <= MAX_WRONG; n++) expect((await erase()).status).toBe(400)

  await landlord.post(`${path}/terminate`)
  expect((await erase()).status).toBe(200)
})

test('an erasure whose user stays locked releases other records in between, and gives up', async () => {
  const owner = await signInUser(server)
  const { property } = await createUnit(owner)
  const erase = await confirmErasure(owner)

  let isAnswered = false
  const naming = keepLocked(owner, () => isAnswered)
  await naming.begun
  const erased = erase().finally(() => (isAnswered = true))
  await waitForLocks(server)
  const lockProperty = sql`select from properties where id = ${property.id} for update`
  await lockProperty.execute(db())
  expect(isAnswered).toBe(false)
  const { status, error } = await erased
  await naming.ended

  expect([status, error.reason]).toEqual([503, 'erasure_contended'])
  expect((await erase()).status).toBe(200)
})

test('an erasure is forbidden by an agreement that becomes active before it has the locks', async () => {
  const [landlord, tenant] = [await createLandlord(server), await signInUser(server)]
  const { agreement, path } = await createActiveAgreement(landlord, [tenant])
  await landlord.post(`${path}/terminate`)
  const erase = await confirmErasure(tenant)
  const change = (tx: Db) => tx.updateTable('agreements').where('id', '=', agreement.id)

  const { status, error } = await interrupt(server, {
    lock: tx => change(tx).set({ status: 'ACTIVE' }).execute(),
    start: erase,
  })

  expect([status, error?.reason]).toEqual([400, 'agreements_open'])
})

test('an erasure that has its locks may take longer than other requests', async () => {
  const user = await signInUser(server)
  await createProperty(user)
  const contact = await user.post('/tenants', { phone_number: freshPhone() })
  const erase = await confirmErasure(user)
  const lockContact = (tx: Db) =>
    sql`select from tenant_contacts where tenant_id = ${contact.data.id} for update`.execute(tx)

  const { status } = await interrupt(server, {
    lock: lockContact,
    start: erase,
    meanwhile: () => Bun.sleep(6_000),
  })

  expect(status).toBe(200)
})

test('erasures that wait leave all turns of changes to others', async () => {
  const erasing = await Promise.all(Array.from({ length: 9 }, () => signInUser(server)))
  const erasures = await Promise.all(erasing.map(confirmErasure))
  const other = await createLandlord(server)
  const { path } = await createUnit(other)
  let status: number | undefined

  turns = 0
  await interrupt(server, {
    lock: async tx => {
      for (const user of erasing) await lockUser(tx, user)
    },
    start: () => Promise.all(erasures.map(erase => erase())),
    meanwhile: async () => {
      status = (await other.patch(path, { locality: 'Whitefield' })).status
    },
  })

  expect(status).toBe(200)
  expect(turns).toBeGreaterThanOrEqual(erasing.length)
})
