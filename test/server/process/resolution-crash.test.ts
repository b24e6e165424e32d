import { expect, test } from 'bun:test'
import { sql } from 'kysely'
import { getKysely } from '../../../db/database'
import { findBrokenInvariants } from '../../support/books/invariants'
import { findWaitingBackends, waitForLocks } from '../../support/locks'
import { getPort, serverProcess } from '../../support/process'
import { waitUntil } from '../../support/round'
import { startTestServer, type TestServer } from '../../support/server'
import { atServer } from '../../support/users'
import { createHouse, move, raise } from '../maintenance/fixtures'

const LOCKS = { inside: 77, commit: 78 }

/** A move with such a comment stops after its charge, or in its commit, until the test gives its lock back. */
const STOPS = `
  create function stop() returns trigger language plpgsql as
    $$ begin perform pg_advisory_xact_lock(tg_argv[0]::int); return new; end $$;
  create trigger inside before insert on maintenance_events
    for each row when (new.text = 'inside') execute function stop(${LOCKS.inside});
  create constraint trigger commit after insert on maintenance_events deferrable initially deferred
    for each row when (new.text = 'commit') execute function stop(${LOCKS.commit})`

/** A request whose tenants bear its cost; `load` resolves to its status and the amounts that are charged. */
async function createCosted(server: TestServer) {
  const house = await createHouse(server)
  const { path } = await raise(house, house.tenant)
  await house.landlord.patch(path, { cost: 900, borne_by: 'tenant' })
  const load = async () => {
    const { data: request } = await house.landlord.get(path)
    const { data: charges } = await house.landlord.get(
      `/charges?agreement_id=${house.agreement.id}&type=maintenance`,
    )
    return [request.status, ...charges.map(({ amount }: { amount: number }) => amount)]
  }
  const resolve = (at: TestServer | string, comment: string) =>
    move(atServer(at, house.landlord), path, 'resolved', comment)
  return { load, resolve }
}

test('kill -9 while requests are resolved: both the status and the charge are there, or neither', async () => {
  const server = await startTestServer({ own: true })
  const db = getKysely(server.em())
  const [inside, commit] = [await createCosted(server), await createCosted(server)]
  await sql.raw(STOPS).execute(db)
  const { DATABASE_URL, JWT_SECRET } = server.deps.config
  const settings = { PORT: '0', RUN_JOBS: 'false', DATABASE_TIMEOUT_MS: '15000' }
  const victim = serverProcess({ ...settings, DATABASE_URL: DATABASE_URL!, JWT_SECRET: String(JWT_SECRET) })
  await victim.listening
  const url = `http://127.0.0.1:${getPort(victim)}`

  await db.connection().execute(async holder => {
    for (const lock of Object.values(LOCKS)) await sql`select pg_advisory_lock(${lock})`.execute(holder)
    const lost = Promise.allSettled([inside.resolve(url, 'inside'), commit.resolve(url, 'commit')])
    await waitForLocks(server, 2)
    const stopped = await findWaitingBackends(server)
    // A process that stands still cannot learn that its commit took effect.
    victim.child.kill('SIGSTOP')
    await sql`select pg_advisory_unlock(${LOCKS.commit})`.execute(holder)
    await waitUntil(async () => (await commit.load())[0] === 'resolved', 'the commit')
    await victim.end('SIGKILL')
    expect((await lost).map(({ status }) => status)).toEqual(['rejected', 'rejected'])
    await sql`select pg_advisory_unlock_all()`.execute(holder)
    const findStopped = () => sql`select from pg_stat_activity where pid = any(${stopped})`.execute(holder)
    await waitUntil(async () => (await findStopped()).rows.length === 0, 'the end of the stopped connections')
  })

  expect(await inside.load()).toEqual(['open'])
  expect(await commit.load()).toEqual(['resolved', 900])
  expect((await inside.resolve(server, 'again')).status).toBe(200)
  expect((await commit.resolve(server, 'again')).status).toBe(403)
  for (const { load } of [inside, commit]) expect(await load()).toEqual(['resolved', 900])
  expect(await findBrokenInvariants(server.em())).toEqual([])
  await server.end()
})
