import { afterAll, expect, test } from 'bun:test'
import { sql } from 'kysely'
import type { Kiraya } from '@kiraya/sdk'
import { openDatabase, getKysely } from '../../../db/database'
import { readConfig } from '../../../server/config'
import { createLog } from '../../../server/observability/log'
import { startServer } from '../../../server/process/server'
import { freshDatabase } from '../../support/database'
import { runJobs } from '../../support/jobs'
import { seed, signAgreement, signInParty, startProviderFaults } from './killing-load'
import { freePort, serverProcess, serverSettings, type ServerProcess } from '../../support/process'
import { chooseByRound, isFull, report, runTogether } from '../../support/round'

const AGREEMENTS = chooseByRound(200, 12)
const KILLS = chooseByRound(50, 2)
const CLIENTS = chooseByRound(24, 8)
const MAX_BETWEEN_KILLS_MS = chooseByRound(4000, 1000)
const MINUTE_MS = 60_000

const database = await freshDatabase()
const orm = openDatabase(database.url)
const PORT = freePort()
const url = `http://127.0.0.1:${PORT}`
const env = {
  PORT,
  DATABASE_URL: database.url,
  PROVIDER_TIMEOUT_MS: '700',
  PROVIDER_TOTAL_TIMEOUT_MS: '2000',
  PROVIDER_RETRIES: '1',
  PROVIDER_BREAKER_MS: '1000',
  RECONCILE_INITIAL_DELAY_MS: '5000',
}
let server: ServerProcess | undefined
afterAll(async () => {
  await server?.end('SIGKILL')
  await orm.close()
  await database.drop()
})

test(
  `${AGREEMENTS} agreements are signed while the server is killed ${KILLS} times and the provider fails (seed ${seed})`,
  async () => {
    await startProcess()
    const failures = new Map<string, number>()
    const load = { failures, hasEnded }
    const landlords = await runTogether(6, () => signInParty(load, url))
    const tenants = await runTogether(12, () => signInParty(load, url))
    const startedAt = performance.now()

    const providerFaults = startProviderFaults(url)
    const killing = killRepeatedly()
    const owners = new Map<number, Kiraya>()
    const waiting = Array.from({ length: AGREEMENTS }, (_, index) => index)
    await runTogether(CLIENTS, async () => {
      for (let index = waiting.shift(); index !== undefined; index = waiting.shift()) {
        const landlord = landlords[index % landlords.length]!
        const parties = [tenants[index % tenants.length]!]
        if (index % 2) parties.push(tenants[(index + 5) % tenants.length]!)
        await signAgreement(load, landlord, parties, id => owners.set(id, landlord.kiraya))
      }
    })
    await killing
    const faults = await providerFaults.stop()

    await settle([...owners.keys()])

    const agreements = await listAgreements([...owners.keys()])
    for (const agreement of agreements) await expectConsistent(agreement, owners.get(agreement.id)!)
    report('signing', {
      agreements: agreements.length,
      active: agreements.filter(({ status }) => status === 'ACTIVE').length,
      kills: KILLS,
      faults,
      failures: Object.fromEntries(failures),
      webhooks: await countWebhooks(),
      seconds: Math.round((performance.now() - startedAt) / 1000),
    })
  },
  chooseByRound(1_500_000, 120_000),
)

async function startProcess() {
  server = serverProcess(env)
  await server.listening
}

async function killRepeatedly() {
  for (let kill = 0; kill < KILLS; kill++) {
    await Bun.sleep(400 + Math.random() * (MAX_BETWEEN_KILLS_MS - 400))
    await server!.end('SIGKILL')
    if (!isFull) await expireSigningLeases()
    await startProcess()
  }
}

/** A killed server's signings are free again after 15 s and the providers' time-out; short rounds do not wait for that. */
const expireSigningLeases = () =>
  getKysely(orm)
    .updateTable('agreement_signatures')
    .set({ expires_at: new Date(0) })
    .where('provider_request_id', 'is', null)
    .execute()

async function hasEnded(signatureId: string) {
  const { rows } = await sql<{ has_ended: boolean }>`
    select data #>> '{signers,0,status}' = 'signed'
      or coalesce(data #>> '{signers,0,errCode}' = 'signer_declined', false) as has_ended
    from sandbox_records where kind = 'esign' and data ->> 'documentId' = ${signatureId}`.execute(
    getKysely(orm),
  )
  return rows[0]?.has_ended ?? false
}

type AgreementState = {
  id: number
  status: 'DRAFT' | 'PENDING' | 'ACTIVE'
  /** By the provider's records. */
  all_signed: boolean
  signatures: number
  activated: number
  documents: number
  events: string[]
}

async function listAgreements(ids: number[]) {
  const { rows } = await sql<AgreementState>`
    select a.id, a.status,
      (select bool_and(exists (
          select 1 from agreement_signatures s join sandbox_records r on r.id = s.provider_request_id
          where s.agreement_id = a.id and s.signer_id = party.id and r.data #>> '{signers,0,status}' = 'signed'
        ))
        from (
          select a.landlord_id as id
          union all select t.tenant_id from agreement_tenants t where t.agreement_id = a.id
        ) party) as all_signed,
      (select count(*) from agreement_signatures s where s.agreement_id = a.id and s.status = 'SIGNED') as signatures,
      (select count(*) from agreement_events v where v.agreement_id = a.id and v.type = 'activated') as activated,
      (select count(*) from signed_documents d where d.agreement_id = a.id) as documents,
      array(select v.type from agreement_events v where v.agreement_id = a.id order by v.position) as events
    from agreements a where a.id = any(${`{${ids}}`}::int[]) order by a.id`.execute(getKysely(orm))
  return rows
}

const isSettled = ({ status, all_signed, signatures, documents }: AgreementState) =>
  !all_signed || (status === 'ACTIVE' && documents === signatures)

/** In full rounds the server's own jobs settle what is open; otherwise the same jobs run on a clock of the test. */
async function settle(ids: number[]) {
  if (!isFull) return runJobsAhead()
  for (let second = 0; second < 600; second++) {
    if ((await listAgreements(ids)).every(isSettled)) return
    await Bun.sleep(1000)
  }
}

async function runJobsAhead() {
  let aheadMs = 0
  const config = readConfig({ ...serverSettings, ...env, PORT: '0', RUN_JOBS: 'false' })
  const successor = startServer(config, openDatabase(database.url), createLog('silent', false), {
    now: () => new Date(Date.now() + aheadMs),
    ownUrl: () => url,
  })
  await successor.ready
  for (let minute = 0; minute < 30; minute++) {
    await runJobs(successor.deps)
    aheadMs += MINUTE_MS
  }
  await successor.stop()
}

async function expectConsistent(agreement: AgreementState, kiraya: Kiraya) {
  const { id, status, all_signed, signatures } = agreement
  expect(agreement).toMatchObject(
    all_signed
      ? { status: 'ACTIVE', activated: 1, documents: signatures }
      : { status: agreement.events.includes('sent') ? 'PENDING' : 'DRAFT', activated: 0, documents: 0 },
  )
  const { events, intact } = await kiraya.agreements.timeline(id)
  expect([intact, events.map(({ type }) => type as string)]).toEqual([true, agreement.events])

  const required = ['created']
  if (status !== 'DRAFT') required.push('sent')
  if (all_signed) required.push('signed', 'activated', 'document_stored')
  expect(agreement.events).toEqual(expect.arrayContaining(required))
  expect(agreement.events.filter(type => type === 'signed').length).toBe(signatures)
}

async function countWebhooks() {
  const { rows } = await sql`
    select count(*) as kept, count(*) filter (where attempts > 1) as tried_again,
      count(*) filter (where processed_at is null) as open
    from webhook_deliveries`.execute(getKysely(orm))
  return rows[0]
}
