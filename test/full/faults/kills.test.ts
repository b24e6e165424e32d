import { afterAll, expect, test } from 'bun:test'
import { sql, type RawBuilder } from 'kysely'
import { getKysely, openDatabase } from '../../../db/database'
import { freshDatabase } from '../../support/database'
import { freePort, serverProcess, type ServerProcess } from '../../support/process'
import { chooseSeed } from '../../support/random'
import { report, runTogether, waitUntil } from '../../support/round'
import { signInUser, type TestUser } from '../../support/users'
import { startLoad, startProviderFaults, UNITS, type Acknowledged } from './kill-load'

const KILLS = 25
const CLIENTS = 12
/** Kills come some time after two more agreements, so that each meets clients that work again. */
const MAX_DELAY_MS = 900
const MAX_SETTLING_MS = 600_000
const CONSTANTS = {
  PROVIDER_TIMEOUT_MS: 700,
  PROVIDER_TOTAL_TIMEOUT_MS: 1500,
  PROVIDER_RETRIES: 1,
  PROVIDER_BREAKER_MS: 1000,
  RECONCILE_INITIAL_DELAY_MS: 5000,
}

const seed = chooseSeed()
const database = await freshDatabase()
const orm = openDatabase(database.url)
const PORT = freePort()
const url = `http://127.0.0.1:${PORT}`
let server: ServerProcess | undefined
afterAll(async () => {
  await server?.end('SIGKILL')
  await orm.close()
  await database.drop()
})

async function start() {
  const env = { PORT, DATABASE_URL: database.url, DATABASE_TIMEOUT_MS: '10000', OTP_LIMIT_TOTAL: '100000' }
  server = serverProcess(env, CONSTANTS)
  await server.listening
}

async function getRows<Row>(statement: RawBuilder<Row>) {
  const { rows } = await statement.execute(getKysely(orm))
  return rows
}
const toArray = (ids: number[]) => sql`${`{${ids}}`}::int[]`

test(`what was acknowledged is there, nothing is half there, and agreements are consistent after ${KILLS} kills (seed ${seed})`, async () => {
  await start()
  const owners = await runTogether(4, () => signInUser(url))
  const tenants = await runTogether(6, () => signInUser(url))
  const faults = startProviderFaults(url, seed)
  const load = startLoad({ url, seed, owners, tenants, clients: CLIENTS, hasEnded })
  const { acknowledged } = load
  for (let kill = 0; kill < KILLS; kill++) {
    await waitForAgreements(acknowledged, 2)
    await Bun.sleep(Math.random() * MAX_DELAY_MS)
    await server!.end('SIGKILL')
    await start()
  }
  await waitForAgreements(acknowledged, 2)
  await load.stop()
  const faultCount = await faults.stop()

  await waitUntil(async () => (await listAgreements()).every(isSettled), 'settled', MAX_SETTLING_MS)
  await expectAllThere(acknowledged)
  await expectAllWhole()
  const agreements = await listAgreements()
  for (const agreement of agreements) await expectConsistent(agreement, owners)
  report('kill -9', {
    kills: KILLS,
    faults: faultCount,
    responses: load.statuses,
    agreements: agreements.length,
    active: agreements.filter(({ status }) => status === 'ACTIVE').length,
  })
}, 1_800_000)

function waitForAgreements({ agreements }: Acknowledged, count: number) {
  const enough = agreements.length + count
  return waitUntil(() => agreements.length >= enough, `${count} more agreements`, 120_000)
}

async function hasEnded(signatureId: string) {
  const [row] = await getRows(sql<{ has_ended: boolean }>`
    select data #>> '{signers,0,status}' = 'signed'
      or coalesce(data #>> '{signers,0,errCode}' = 'signer_declined', false) as has_ended
    from sandbox_records where kind = 'esign' and data ->> 'documentId' = ${signatureId}`)
  return row?.has_ended ?? false
}

async function expectAllThere({ properties, agreements, tenants, names }: Acknowledged) {
  for (const [table, ids] of Object.entries({ properties, agreements, users: tenants })) {
    const missing = sql`select id from unnest(${toArray(ids)}) id
      where not exists (select 1 from ${sql.table(table)} t where t.id = id.id)`
    expect([table, await getRows(missing)]).toEqual([table, []])
  }
  const units = await getRows(sql<{ id: number; unit_name: string }>`
    select id, unit_name from property_units where id = any(${toArray([...names.keys()])})`)
  const found = new Map(units.map(({ id, unit_name }) => [id, unit_name]))
  const lost = [...names].filter(([id, { known, possible }]) => {
    return ![known, ...possible].includes(found.get(id) ?? 'gone')
  })
  expect(lost).toEqual([])
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
      or not exists (select 1 from activities t where t.entity_type = 'agreement' and t.entity_id = a.id)`
  const duplicates = sql`select alias_name from properties group by alias_name having count(*) > 1`
  for (const statement of [incompleteProperties, incompleteAgreements, duplicates])
    expect(await getRows(statement)).toEqual([])
}

type AgreementState = {
  id: number
  landlord_id: number
  status: 'DRAFT' | 'PENDING' | 'ACTIVE'
  /** By the provider's records. */
  all_signed: boolean
  signatures: number
  documents: number
  events: string[]
}

const listAgreements = () =>
  getRows(sql<AgreementState>`
    select a.id, a.landlord_id, a.status,
      (select bool_and(exists (
          select 1 from agreement_signatures s join sandbox_records r on r.id = s.provider_request_id
          where s.agreement_id = a.id and s.signer_id = party.id and r.data #>> '{signers,0,status}' = 'signed'
        ))
        from (
          select a.landlord_id as id
          union all select t.tenant_id from agreement_tenants t where t.agreement_id = a.id
        ) party) as all_signed,
      (select count(*)::int from agreement_signatures s
        where s.agreement_id = a.id and s.status = 'SIGNED') as signatures,
      (select count(*)::int from signed_documents d where d.agreement_id = a.id) as documents,
      array(select v.type from agreement_events v where v.agreement_id = a.id order by v.position) as events
    from agreements a order by a.id`)

const isSettled = ({ status, all_signed, signatures, documents }: AgreementState) =>
  !all_signed || (status === 'ACTIVE' && documents === signatures)

const countEvents = ({ events }: AgreementState, type: string) => events.filter(each => each === type).length

/** An agreement is active, once, if all have signed, and its timeline is intact and tells how that came. */
async function expectConsistent(agreement: AgreementState, owners: TestUser[]) {
  const { id, landlord_id, all_signed, signatures, events } = agreement
  const sent = events.includes('sent') ? 'PENDING' : 'DRAFT'
  expect(agreement).toMatchObject({ status: all_signed ? 'ACTIVE' : sent })
  const counts = ['created', 'activated', 'signed'].map(type => countEvents(agreement, type))
  expect([id, ...counts]).toEqual([id, 1, all_signed ? 1 : 0, signatures])

  const owner = owners.find(each => each.id === landlord_id)!
  const { data } = await owner.get(`/agreements/${id}/timeline`)
  expect([data.intact, data.events.map(({ type }: { type: string }) => type)]).toEqual([true, events])
}
