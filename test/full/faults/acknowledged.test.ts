import { afterAll, expect, test } from 'bun:test'
import { sql, type RawBuilder } from 'kysely'
import { openDatabase, getKysely } from '../../../db/database'
import { freshDatabase } from '../../support/database'
import { signInUser } from '../../support/users'
import { startLoad, UNITS, type Acknowledged } from './acknowledged-load'
import { freePort, serverProcess, type ServerProcess } from '../../support/process'
import { chooseByRound, isFull, report, runTogether, waitUntil } from '../../support/round'

const KILLS = chooseByRound(50, 4)
const CLIENTS = chooseByRound(16, 8)

const database = await freshDatabase()
const orm = openDatabase(database.url)
let server: ServerProcess | undefined
afterAll(async () => {
  await server?.end('SIGKILL')
  await orm.close()
  await database.drop()
})

test(
  `every acknowledged change is there, and none is half there, after ${KILLS} kills under load`,
  async () => {
    const PORT = freePort()
    const url = `http://127.0.0.1:${PORT}`
    const start = () => {
      server = serverProcess({
        PORT,
        DATABASE_URL: database.url,
        PROVIDER_TOTAL_TIMEOUT_MS: '1500',
        DATABASE_TIMEOUT_MS: '10000',
      })
      return server.listening
    }
    await start()
    const owners = await runTogether(4, () => signInUser(url))
    const tenants = await runTogether(4, () => signInUser(url))

    const load = startLoad(url, owners, tenants, CLIENTS)
    for (let kill = 0; kill < KILLS; kill++) {
      await waitForAgreements(load.acknowledged, 2)
      await Bun.sleep(Math.random() * 900)
      await server!.end('SIGKILL')
      if (!isFull) await expireIdempotencyLeases()
      await start()
    }
    await waitForAgreements(load.acknowledged, 2)
    await load.stop()

    await expectAllThere(load.acknowledged)
    await expectAllWhole()
    report('kill -9', {
      kills: KILLS,
      responses: load.statuses,
      acknowledged: {
        properties: load.acknowledged.properties.length,
        agreements: load.acknowledged.agreements.length,
        tenants: load.acknowledged.tenants.length,
        units_changed: load.acknowledged.names.size,
      },
      there: await countRows(),
    })
    expect(load.acknowledged.agreements.length).toBeGreaterThan(KILLS)
  },
  chooseByRound(600_000, 300_000),
)

/** However slow the machine is, each kill meets clients that work again. */
function waitForAgreements({ agreements }: Acknowledged, count: number) {
  const enough = agreements.length + count
  return waitUntil(() => agreements.length >= enough, `${count} more agreements`, 120_000)
}

async function getRows<Row>(statement: RawBuilder<Row>) {
  const { rows } = await statement.execute(getKysely(orm))
  return rows
}

/** A killed server's keys are free again after 15 s and twice the providers' time-out; short rounds do not wait for that. */
const expireIdempotencyLeases = () =>
  getRows(sql`update idempotency_keys set claimed_until = now() - interval '1 second' where answer is null`)

async function expectAllThere({ properties, agreements, tenants, names }: Acknowledged) {
  const tables: [table: string, ids: number[]][] = [
    ['properties', properties],
    ['agreements', agreements],
    ['users', tenants],
  ]
  for (const [table, ids] of tables) expect([table, await findMissingIds(table, ids)]).toEqual([table, []])

  const units = await getRows(sql<{ id: number; unit_name: string }>`
    select id, unit_name from property_units where id = any(${toArray([...names.keys()])})`)
  const found = new Map(units.map(({ id, unit_name }) => [id, unit_name]))
  const lost = [...names].filter(([id, { known, possible }]) => {
    return ![known, ...possible].includes(found.get(id) ?? 'gone')
  })
  expect(lost).toEqual([])
}

const toArray = (ids: number[]) => sql`${`{${ids}}`}::int[]`

async function findMissingIds(table: string, ids: number[]) {
  const rows = await getRows(sql<{ id: number }>`
    select id from unnest(${toArray(ids)}) id
    where not exists (select 1 from ${sql.table(table)} t where t.id = id.id)`)
  return rows.map(({ id }) => id)
}

/** Acknowledged or not: what is there is complete, and was created once for each idempotency key. */
async function expectAllWhole() {
  const incompleteProperties = sql`
    select p.id, count(u.id) as units from properties p left join property_units u on u.property_id = p.id
    group by p.id having count(u.id) <> ${UNITS}
      or not exists (select 1 from activities a where a.entity_type = 'property' and a.entity_id = p.id)`
  const incompleteAgreements = sql`
    select a.id from agreements a
    where (select count(*) from agreement_tenants t where t.agreement_id = a.id) <> 2
      or (select count(*) from agreement_events v where v.agreement_id = a.id and v.type = 'created') <> 1
      or not exists (select 1 from activities t where t.entity_type = 'agreement' and t.entity_id = a.id)`
  const duplicates = sql`select alias_name from properties group by alias_name having count(*) > 1`
  for (const statement of [incompleteProperties, incompleteAgreements, duplicates])
    expect(await getRows(statement)).toEqual([])
}

async function countRows() {
  const [counts] = await getRows(sql<Record<string, number>>`
    select (select count(*) from properties) as properties, (select count(*) from agreements) as agreements`)
  return counts
}
