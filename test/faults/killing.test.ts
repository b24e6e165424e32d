import { afterAll, expect, test } from 'bun:test'
import { join } from 'node:path'
import { sql } from 'kysely'
import { openDatabase, query } from '../../db/orm'
import { createClient, KirayaError, type Kiraya } from '@kiraya/sdk'
import { readConfig } from '../../server/config'
import { runJobs } from './jobs'
import { createLog } from '../../server/observability/log'
import { startServer } from '../../server/process/server'
import { freshDatabase } from '../support/database'
import { freshPhone } from '../support/users'

/** `FAULTS=full` for the whole run, after which the server's own jobs have to settle everything. */
const full = process.env.FAULTS === 'full'
const AGREEMENTS = full ? 200 : 8
const KILLS = full ? 50 : 2
const AT_ONCE = full ? 24 : 8
const root = join(import.meta.dir, '../..')
const seed = Math.random()
const chance = (share: number) => Math.random() < share
const oneOf = <T>(...these: T[]) => these[Math.floor(Math.random() * these.length)]!

const free = () => {
  const server = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: () => new Response() })
  const { port } = server
  void server.stop(true)
  return port!
}
const settings = {
  NODE_ENV: 'test',
  HOST: '127.0.0.1',
  LOG_LEVEL: 'info',
  JWT_SECRET: 'a secret that only this test knows, of more than 32 bytes',
  ESIGN_WEBHOOK_SECRET: 'another secret that only this test knows, as long',
  PROVIDER_TIMEOUT_MS: '700',
  PROVIDER_TOTAL_TIMEOUT_MS: '2000',
  PROVIDER_RETRIES: '1',
  RECONCILE_INITIAL_DELAY_MS: '5000',
  PROVIDER_BREAKER_MS: '1000',
}
let child: Bun.Subprocess | undefined
afterAll(() => child?.kill('SIGKILL'))

async function start(env: Record<string, string>) {
  child = Bun.spawn([process.execPath, 'server/index.ts'], {
    cwd: root,
    env: { PATH: process.env.PATH, HOME: process.env.HOME, ...env },
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'inherit',
  })
  let output = ''
  const { stdout } = child as Bun.Subprocess<'ignore', 'pipe', 'inherit'>
  const up = Promise.withResolvers<void>()
  void (async () => {
    for await (const chunk of stdout.pipeThrough(new TextDecoderStream()))
      if (/Kiraya listens on/.test((output = (output + chunk).slice(-2000)))) up.resolve()
    up.resolve()
  })()
  await up.promise
}

/** What goes wrong at the providers, a little of everything. */
const misbehaviour = () =>
  oneOf(
    { provider: 'esign', on: 'create', behaviour: oneOf('timeout', 'error', 'garbage', 'lost') },
    { provider: 'esign', on: 'status', behaviour: oneOf('timeout', 'error', 'garbage', 'lost') },
    { provider: 'esign', on: 'cancel', behaviour: oneOf('error', 'lost') },
    { provider: 'esign', on: 'pdf', behaviour: oneOf('timeout', 'error', 'garbage', 'lost', 'link') },
    { provider: 'esign', on: 'webhook', behaviour: oneOf('twice', 'shuffled', 'forged', 'never') },
    { provider: 'esign', on: 'webhook', behaviour: 'late', delay_ms: 1500 },
  )

/** Tries until it works; what the answer says against it is the caller's. Bounded by the run's own time-out. */
async function insist<T>(work: () => Promise<T>, seen: Map<string, number>): Promise<T> {
  for (;;) {
    try {
      return await work()
    } catch (error) {
      const code = error instanceof KirayaError ? error.code : 'PAGE'
      seen.set(code, (seen.get(code) ?? 0) + 1)
      if (
        error instanceof KirayaError &&
        !['NETWORK_ERROR', 'TIMEOUT', 'SERVICE_UNAVAILABLE', 'INTERNAL_SERVER_ERROR'].includes(error.code)
      )
        throw error
      await Bun.sleep(50 + Math.random() * 200)
    }
  }
}

test(
  `${AGREEMENTS} agreements are signed while the server is killed ${KILLS} times and the providers misbehave`,
  async () => {
    const database = await freshDatabase()
    const PORT = String(free())
    const url = `http://127.0.0.1:${PORT}`
    const env = { ...settings, PORT, DATABASE_URL: database.url }
    const orm = openDatabase(database.url)
    const db = () => query(orm)
    const seen = new Map<string, number>()
    const began = performance.now()
    await start(env)
    const person = async () => {
      const phone = freshPhone()
      const kiraya = createClient({ baseUrl: url, timeoutMs: 8000 })
      await kiraya.auth.sendOtp(phone)
      return { kiraya, id: (await kiraya.auth.verify(phone, '123456')).user.id }
    }
    const landlords = await Promise.all(Array.from({ length: 6 }, person))
    const tenants = await Promise.all(Array.from({ length: 12 }, person))

    let busy = true
    let kills = 0
    let faults = 0
    const killer = (async () => {
      while (kills < KILLS) {
        await Bun.sleep(full ? 500 + Math.random() * 3500 : 400 + Math.random() * 1200)
        child!.kill('SIGKILL')
        await child!.exited
        kills++
        await start(env)
      }
    })()
    const troublemaker = (async () => {
      // A few at a time, ever others, so that about every third call goes wrong and none for ever.
      const control = (method: string, body?: unknown) =>
        fetch(`${url}/sandbox/control/faults`, {
          method,
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify(body),
        })
      const trouble = async () => {
        await control('DELETE')
        for (let n = 0; n < 3; n++) if ((await control('POST', misbehaviour())).status === 201) faults++
      }
      while (busy) {
        await trouble().catch(() => {}) // the server is down just now
        await Bun.sleep(200 + Math.random() * 400)
      }
    })()

    /** A party goes to the page until the provider has taken down what they want. */
    const acts = async (kiraya: Kiraya, id: number, signer_id: number, button: 'sign' | 'decline') => {
      for (let pressed = false; !pressed;) {
        const open = await insist(() => kiraya.agreements.sign(id, { signer_id }), seen).catch(error => {
          if (/already signed/.test(error.message)) return undefined
          throw error
        })
        if (!open) return
        pressed = await insist(async () => {
          const { status } = await fetch(`${open.signing_url}/${button}`, {
            method: 'POST',
            redirect: 'manual',
            signal: AbortSignal.timeout(8000),
          })
          if (status !== 200 && status !== 400) throw new Error(String(status))
          const {
            rows: [envelope],
          } = await sql<{
            ended: boolean
          }>`select data #>> '{signers,0,status}' = 'signed' or coalesce(data #>> '{signers,0,errCode}' = 'signer_declined', false) as ended from sandbox_records where kind = 'esign' and data ->> 'documentId' = ${open.signature_id}`.execute(
            db(),
          )
          return envelope?.ended ?? false
        }, seen)
      }
    }
    const oneAgreement = async (index: number) => {
      const landlord = landlords[index % landlords.length]!
      const parties = [
        landlord,
        ...Array.from(
          { length: 1 + (index % 2) },
          (_, place) => tenants[(index + place * 5) % tenants.length]!,
        ),
      ]
      const property = await insist(
        () =>
          landlord.kiraya.properties.create({
            pin_code: 560048,
            property_type: 'apartment',
            property_units: [{ unit_name: `U-${index}` }],
          }),
        seen,
      )
      const { id } = await insist(
        () =>
          landlord.kiraya.agreements.create({
            property_unit_id: property.property_units[0]!.id,
            tenant_ids: parties.slice(1).map(party => party.id),
            document_url: 'https://example.com/lease.pdf',
            agreement_start_date: '2026-12-01',
            tenure_in_months: 11,
            rent_amount: 25000,
            rent_due_day: 5,
            notice_period_days: 30,
          }),
        seen,
      )
      owners.set(id, landlord.kiraya)
      for (const party of parties.toSorted(() => Math.random() - 0.5))
        if (!chance(0.05))
          await acts(
            chance(0.5) ? party.kiraya : landlord.kiraya,
            id,
            party.id,
            chance(0.06) ? 'decline' : 'sign',
          )
    }
    const waiting = Array.from({ length: AGREEMENTS }, (_, index) => index)
    const owners = new Map<number, Kiraya>()
    try {
      await Promise.all(
        Array.from({ length: AT_ONCE }, async () => {
          for (let index = waiting.shift(); index !== undefined; index = waiting.shift())
            await oneAgreement(index)
        }),
      )
      await killer
      busy = false
      await troublemaker
      await fetch(`${url}/sandbox/control/faults`, { method: 'DELETE' })
      const signedAfter = performance.now() - began

      /** Agreements as the provider knows them beside how they are with us. */
      const state = async () =>
        (
          await sql<{
            id: number
            status: string
            all_signed: boolean
            signatures: number
            activated: number
            documents: number
            events: string[]
          }>`
      select a.id, a.status,
        (select bool_and(exists (select 1 from agreement_signatures s join sandbox_records r on r.id = s.provider_request_id where s.agreement_id = a.id and s.signer_id = party.id and r.data #>> '{signers,0,status}' = 'signed'))
          from (select a.landlord_id as id union all select t.tenant_id from agreement_tenants t where t.agreement_id = a.id) party) as all_signed,
        (select count(*) from agreement_signatures s where s.agreement_id = a.id and s.status = 'SIGNED') as signatures,
        (select count(*) from agreement_events v where v.agreement_id = a.id and v.type = 'activated') as activated,
        (select count(*) from signed_documents d where d.agreement_id = a.id) as documents,
        array(select v.type from agreement_events v where v.agreement_id = a.id order by v.position) as events
      from agreements a where a.id = any(${`{${[...owners.keys()]}}`}::int[]) order by a.id`.execute(db())
        ).rows
      const isSettled = ({
        status,
        all_signed,
        signatures,
        documents,
      }: Awaited<ReturnType<typeof state>>[number]) =>
        !all_signed || (status === 'ACTIVE' && documents === signatures)
      if (full)
        for (let second = 0; second < 600 && !(await state()).every(isSettled); second++)
          await Bun.sleep(1000)
      else {
        let ahead = 0
        const successor = startServer(
          readConfig({ ...env, PORT: '0', RUN_JOBS: 'false' }),
          openDatabase(database.url),
          createLog('silent', false),
          { now: () => new Date(Date.now() + ahead), ownUrl: () => url },
        )
        await successor.ready
        for (let minute = 0; minute < 30; minute++, ahead += 60_000) await runJobs(successor.deps)
        await successor.stop()
      }

      const ended = await state()
      for (const each of ended) {
        expect({ seed, ...each }).toMatchObject(
          each.all_signed
            ? { status: 'ACTIVE', activated: 1, documents: each.signatures }
            : { activated: 0, documents: 0 },
        )
        if (!each.all_signed)
          expect(each.events.includes('sent') ? 'PENDING' : 'DRAFT').toBe(each.status as 'DRAFT')
        const { events, intact } = await owners.get(each.id)!.agreements.timeline(each.id)
        expect([intact, events.map(({ type }) => type) as string[]]).toEqual([true, each.events])
        for (const type of [
          'created',
          ...(each.status === 'DRAFT' ? [] : ['sent']),
          ...(each.all_signed ? ['signed', 'activated', 'document_stored'] : []),
        ])
          expect(each.events).toContain(type)
        expect(each.events.filter(type => type === 'signed').length).toBe(each.signatures)
      }
      const {
        rows: [webhooks],
      } =
        await sql`select count(*) as kept, count(*) filter (where attempts > 1) as tried_again, count(*) filter (where processed_at is null) as open from webhook_deliveries`.execute(
          db(),
        )
      console.log(
        JSON.stringify({
          agreements: ended.length,
          active: ended.filter(({ status }) => status === 'ACTIVE').length,
          not_all_signed: ended.filter(({ all_signed }) => !all_signed).length,
          kills,
          faults,
          failures_seen: Object.fromEntries(seen),
          webhooks,
          seconds_to_last_signature: Math.round(signedAfter / 1000),
          seconds: Math.round((performance.now() - began) / 1000),
        }),
      )
    } finally {
      busy = false
      child?.kill('SIGKILL')
      await child?.exited
      await orm.close()
      await database.drop()
    }
  },
  full ? 1_500_000 : 120_000,
)
