import { expect, test } from 'bun:test'
import { sql } from 'kysely'
import { getKysely } from '../../../db/database'
import { waitUntil } from '../../support/round'
import { findWaitingBackends, interrupt, waitForLocks } from '../../support/locks'
import { clock, testServer } from '../../support/server'
import { agreementTerms, createUnit, sendRequest, signInUser, type TestUser } from '../../support/users'

const time = clock()
const server = testServer({ overrides: { now: time.now }, poolSize: 20 })
const db = () => getKysely(server.em())
const LONGER_THAN_A_LEASE_MS = 60 * 60_000

const getLeaseMs = () => 2 * server.deps.config.PROVIDER_TOTAL_TIMEOUT_MS + 15_000

/** A landlord who sends requests for new agreements under one key. */
async function createKeyedRequest(key: string = crypto.randomUUID()) {
  const [landlord, tenant] = [await signInUser(server), await signInUser(server)]
  const { unit } = await createUnit(landlord)
  const send = (changes = {}) =>
    sendRequest(server, 'POST', '/agreements', {
      token: landlord.token,
      headers: { 'idempotency-key': key },
      body: agreementTerms(unit.id, [tenant.id], changes),
    })
  return { landlord, unit, key, send }
}

async function countAgreements(landlord: TestUser) {
  const { body } = await landlord.get('/agreements')
  return body.metadata.total
}

const endLease = (key: string) =>
  db()
    .updateTable('idempotency_keys')
    .set({ answer: null, claimed_until: time.now() })
    .where('key', '=', key)
    .execute()

test('a lease lasts for two calls to a provider, and 15 s', async () => {
  const { key, send } = await createKeyedRequest()
  await send()
  const { claimed_until } = await db()
    .selectFrom('idempotency_keys')
    .where('key', '=', key)
    .select('claimed_until')
    .executeTakeFirstOrThrow()
  const leaseMs = new Date(claimed_until!).getTime() - time.now().getTime()
  expect(leaseMs).toBe(getLeaseMs())
})

test('a key is taken over as soon as its lease ends', async () => {
  const { key, send } = await createKeyedRequest()
  const first = await send()
  await endLease(key)

  const again = await send()

  expect([first.status, again.status]).toEqual([201, 201])
  expect(again.data.id).toBeGreaterThan(first.data.id)
})

test('400: another body does not take over a key whose lease expired', async () => {
  const { landlord, key, send } = await createKeyedRequest()
  expect((await send()).status).toBe(201)
  await endLease(key)

  const refused = await send({ rent_amount: 1 })

  expect(refused).toMatchObject({ status: 400, error: { code: 'BAD_REQUEST' } })
  expect(await countAgreements(landlord)).toBe(1)
})

/** Sends a request twice while its unit is locked, the second time once the first one's lease has expired. */
async function takeOver(
  { unit, send }: Awaited<ReturnType<typeof createKeyedRequest>>,
  meanwhile: (first: ReturnType<typeof send>) => Promise<unknown> = async () => {},
) {
  const requests: ReturnType<typeof send>[] = []
  await server.em().transactional(async em => {
    await getKysely(em)
      .selectFrom('property_units')
      .where('id', '=', unit.id)
      .select('id')
      .forUpdate()
      .execute()
    requests.push(send())
    await waitForLocks(server)
    time.advance(LONGER_THAN_A_LEASE_MS)
    requests.push(send())
    await waitForLocks(server, 2)
    await meanwhile(requests[0]!)
  })
  return Promise.all(requests)
}

test('a request whose lease expired does not overwrite the response of another', async () => {
  const keyed = await createKeyedRequest()

  const responses = await takeOver(keyed)

  expect(responses.map(({ status }) => status)).toEqual([201, 201])
  const [firstStored] = responses.toSorted((a, b) => a.data.id - b.data.id)
  expect((await keyed.send()).body).toEqual(firstStored!.body)
})

test('a response is stored for its user, and not for another who has the same key', async () => {
  const first = await createKeyedRequest()
  const other = await createKeyedRequest(first.key)

  const response = await interrupt(server, {
    lock: db =>
      db.selectFrom('property_units').where('id', '=', first.unit.id).select('id').forUpdate().execute(),
    start: () => first.send(),
    meanwhile: async () => expect((await other.send()).status).toBe(201),
  })

  expect(response.status).toBe(201)
  expect((await first.send()).body).toEqual(response.body)
})

test('a request whose lease expired does not give up the lease of another when it fails', async () => {
  const keyed = await createKeyedRequest()

  const [first, second] = await takeOver(keyed, async failing => {
    const [longestWaiting] = await findWaitingBackends(server)
    await sql`select pg_cancel_backend(${longestWaiting})`.execute(db())
    expect((await failing).status).toBe(503)
  })

  expect([first!.status, second!.status]).toEqual([503, 201])
  expect((await keyed.send()).body).toEqual(second!.body)
  expect(await countAgreements(keyed.landlord)).toBe(1)
})

test('a stored response stays although the request fails after it', async () => {
  const { landlord, send } = await createKeyedRequest()
  await sql`create function refuse_again() returns trigger language plpgsql as $$ begin
    if exists (select from idempotency_keys where answer is not null) then
      raise exception using errcode = 'connection_failure';
    end if;
    return null;
  end $$`.execute(db())
  await sql`create trigger refuse_again before update on idempotency_keys
    for each statement execute function refuse_again()`.execute(db())
  await db().deleteFrom('idempotency_keys').execute()

  const failed = await send()
  await sql`drop function refuse_again cascade`.execute(db())

  expect(failed.status).toBe(503)
  expect((await send()).status).toBe(201)
  expect(await countAgreements(landlord)).toBe(1)
})

/** Makes statements on keys fail as when the connection is lost, until the returned function is called. */
async function loseConnections(statement: 'insert' | 'delete') {
  await sql`create function lose_connection() returns trigger language plpgsql as $$ begin
    raise exception using errcode = 'connection_failure';
  end $$`.execute(db())
  await sql`create trigger lose_connection before ${sql.raw(statement)} on idempotency_keys
    for each statement execute function lose_connection()`.execute(db())
  return () => sql`drop function lose_connection cascade`.execute(db())
}

async function waitUntilGivenUp(key: string) {
  const find = () => db().selectFrom('idempotency_keys').where('key', '=', key).select('key').execute()
  await waitUntil(async () => (await find()).length === 0, 'the release of a lease')
}

test('a lease that is committed without a response is given up', async () => {
  const { landlord, key, send } = await createKeyedRequest()
  const restore = await loseConnections('insert')

  const failed = await send()
  await restore()
  const claimed_until = new Date(time.now().getTime() + getLeaseMs())
  const lost = { user_id: landlord.id, key, digest: 'unknown', claimed_until, created_at: time.now() }
  await db().insertInto('idempotency_keys').values(lost).execute()

  expect(failed.status).toBe(503)
  await waitUntilGivenUp(key)
  expect((await send()).status).toBe(201)
})

test('a lease of a failed request is given up once the database is back', async () => {
  const { key, send } = await createKeyedRequest()
  const restore = await loseConnections('delete')

  const failed = await send({ property_unit_id: 2_000_000_000 })
  await restore()

  expect(failed.status).toBe(404)
  await waitUntilGivenUp(key)
  expect((await send()).status).toBe(201)
})
