import { expect, test } from 'bun:test'
import { openDatabase } from '../../../db/database'
import { migrate } from '../../../db/migrate'
import { migrations } from '../../../db/migrations'
import { OnlineMigration } from '../../../db/migrations/online-migration'
import { getQuantile, report, roundTo } from '../../support/round'
import { startTestServer } from '../../support/server'
import { createDraft, createLandlord, createTenant } from '../../support/users'
import { createLeases } from './leases'

const LEASES = 50_000
const QUIET_MS = 5000
const INTERVAL_MS = 20

/** Every step that a migration of a database in use may take. */
class Representative extends OnlineMigration {
  override async up() {
    await this.runWithShortLock(
      `alter table agreements add column if not exists "city" text null, add column if not exists "grace_days" int not null default 3`,
    )
    await this.updateInBatches('agreements', `set city = 'Bengaluru' where t.city is null`)
    await this.addConstraint('agreements', 'agreements_grace_days', 'check (grace_days >= 0)')
    await this.addConstraint(
      'agreement_signatures',
      'agreement_signatures_again',
      'foreign key (signer_id) references users (id)',
    )
    await this.createIndex('agreements_city', '"agreements" ("city", "id")')
  }
}

type Requests = ((n: number) => Promise<number>)[]

/** Sends fifty requests a second while the work lasts, even if earlier ones are still pending. */
async function workUnderLoad(requests: Requests, work: () => Promise<unknown>) {
  const failed: string[] = []
  const durations: number[] = []
  const pending: Promise<void>[] = []
  const send = async (n: number) => {
    const startedAt = performance.now()
    const status = await requests[n % requests.length]!(n).catch(String)
    durations.push(performance.now() - startedAt)
    if (Number(status) < 300) return
    failed.push(`request ${n % requests.length}: ${status}`)
  }
  let isBusy = true
  const working = work().finally(() => (isBusy = false))
  for (let n = 0, startedAt = performance.now(); isBusy; n++) {
    pending.push(send(n))
    await Bun.sleep(Math.max(0, startedAt + (n + 1) * INTERVAL_MS - performance.now()))
  }
  await working
  await Promise.all(pending)
  const p99_ms = roundTo(getQuantile(durations, 0.99))
  return {
    failed,
    figures: { requests: pending.length, p99_ms, longest_ms: roundTo(Math.max(...durations)) },
  }
}

test(`up with ${LEASES} agreements: fifty requests a second do not fail`, async () => {
  await using server = await startServerWithLeases()
  const [owner, tenant] = [await createLandlord(server), await createTenant(server)]
  const { agreement, unit, property } = await createDraft(owner, [tenant])
  const send = async (method: string, path: string, body?: unknown) =>
    (await owner.call(method, path, body)).status
  const requests: Requests = [
    () => send('GET', '/agreements?limit=20'),
    n => send('PATCH', `/agreements/${agreement.id}`, { rent_amount: 20_000 + n }),
    () => send('GET', `/agreements/${agreement.id}`),
    () => send('GET', '/dashboard'),
    n => send('PATCH', `/properties/${property.id}/units/${unit.id}`, { unit_notes: `note ${n}` }),
    () => send('GET', `/agreements/${agreement.id}/timeline`),
  ]
  const all = [...migrations, { name: '9999-representative', class: Representative }]
  const orm = openDatabase(server.deps.db.url, { migrations: all })

  const quiet = await workUnderLoad(requests, () => Bun.sleep(QUIET_MS))
  const { failed, figures } = await workUnderLoad(requests, () => migrate(orm))
  await orm.close()

  report('migrations', { agreements: LEASES, ...figures, without_a_migration: quiet.figures })
  expect(failed).toEqual([])
}, 600_000)

async function startServerWithLeases() {
  const server = await startTestServer({
    env: { RUN_JOBS: 'true' },
    poolSize: 20,
  })
  const patient = openDatabase(server.deps.db.url, { limitMs: 600_000 })
  await createLeases(patient, LEASES).finally(() => patient.close())
  return { ...server, [Symbol.asyncDispose]: server.end }
}
