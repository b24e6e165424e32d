import { expect, test } from 'bun:test'
import { sql } from 'kysely'
import { getKysely, openDatabase } from '../../../db/database'
import { readConfig } from '../../../server/config'
import { createLog } from '../../../server/observability/log'
import { startServer } from '../../../server/process/server'
import { killServer, toStops } from '../../support/crash'
import { openFreshDatabase } from '../../support/database'
import { getPort, serverProcess, serverSettings } from '../../support/process'
import { sendRequest, signInUser } from '../../support/users'

const UNITS = 2
/** What a killed request has claimed is free again by then. */
const LATER_MS = 600_000
const env = { PORT: '0', RUN_JOBS: 'false', DATABASE_TIMEOUT_MS: '15000' }

/** A property of this name stops between its inserts, or in its commit. */
const STOPS = toStops({
  inside: { table: 'property_units', when: "new.unit_name = 'inside 1'" },
  commit: { table: 'properties', when: "new.alias_name = 'commit'" },
})

const toProperty = (name: string) => ({
  pin_code: 560048,
  property_type: 'pg',
  alias_name: name,
  property_units: Array.from({ length: UNITS }, (_, index) => ({ unit_name: `${name} ${index}` })),
})

test('kill -9 within and at a commit: nothing is half done, what was acknowledged is there, and a repetition makes nothing twice', async () => {
  await using database = await openFreshDatabase()
  const run = (text: string) => sql.raw(text).execute(getKysely(database.em()))
  const victim = serverProcess({ ...env, DATABASE_URL: database.url })
  await victim.listening
  const url = `http://127.0.0.1:${getPort(victim)}`
  // Changes of one user wait for each other.
  const [user, other] = [await signInUser(url), await signInUser(url)]
  const create = (server: string, name: string) =>
    sendRequest(server, 'POST', '/properties', {
      token: (name === 'commit' ? other : user).token,
      body: toProperty(name),
      headers: { 'idempotency-key': name },
    })
  const listNames = async () => {
    const { rows } = await sql<{ name: string }>`
      select p.alias_name as name from properties p
      where (select count(*) from property_units u where u.property_id = p.id) = ${UNITS}
        and (select count(*) from activities a where a.entity_type = 'property' and a.entity_id = p.id) = 1
      order by p.id`.execute(getKysely(database.em()))
    return rows.map(({ name }) => name)
  }
  await run(STOPS)

  const acknowledged = await create(url, 'acknowledged')
  await killServer(database, {
    victim,
    send: () => [create(url, 'inside'), create(url, 'commit')],
    isCommitted: async () => (await listNames()).includes('commit'),
  })
  expect(await listNames()).toEqual(['acknowledged', 'commit'])
  expect((await run('select 1 from properties')).rows).toHaveLength(2)

  const config = readConfig({ ...serverSettings, ...env, DATABASE_URL: database.url })
  const successor = startServer(config, openDatabase(database.url), createLog('silent', false), {
    now: () => new Date(Date.now() + LATER_MS),
  })
  await successor.ready
  for (const name of ['acknowledged', 'commit', 'inside']) {
    const repeated = await create(successor.url, name)
    expect([name, repeated.status, repeated.data.alias_name]).toEqual([name, 201, name])
    if (name === 'acknowledged') expect(repeated.data.id).toBe(acknowledged.data.id)
  }
  expect((await listNames()).toSorted()).toEqual(['acknowledged', 'commit', 'inside'])
  expect((await run('select 1 from properties')).rows).toHaveLength(3)
  await successor.stop()
})
