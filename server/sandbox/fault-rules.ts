import { sql } from 'kysely'
import type {
  NewSandboxFault,
  SandboxBehavior,
  SandboxCall,
  SandboxFault,
  SandboxProvider,
} from '@kiraya/sdk/contract'
import { query } from '../../db/orm'
import type { Deps } from '../deps'
import { validationError, notFound } from '../faults'
import { isUuid } from '../domain/record-id'

/** What can be made to go differently: a call, the PDF's answer, a webhook, or what becomes of something created. */
const faultKinds = {
  call: {
    on: ['create', 'upload', 'status', 'cancel', 'pdf'],
    behaviours: ['error', 'timeout', 'slow', 'garbage', 'malformed', 'lost'],
  },
  file: { on: ['pdf'], behaviours: ['link'] },
  webhook: { on: ['webhook'], behaviours: ['late', 'twice', 'shuffled', 'forged', 'never'] },
  outcome: { on: ['create'], behaviours: ['succeed', 'decline', 'fail-otp', 'expire', 'fail'] },
} as const satisfies Record<string, { on: readonly SandboxCall[]; behaviours: readonly SandboxBehavior[] }>
export type FaultKind = keyof typeof faultKinds
export type Behaviour<A extends FaultKind> = (typeof faultKinds)[A]['behaviours'][number]
type Taken<A extends FaultKind> = SandboxFault & { behaviour: Behaviour<A> }

/** What each provider has to go differently. */
const has: Record<SandboxProvider, { on: readonly SandboxCall[]; behaviours: readonly SandboxBehavior[] }> = {
  esign: {
    on: ['create', 'upload', 'status', 'cancel', 'pdf', 'webhook'],
    behaviours: [
      ...faultKinds.call.behaviours,
      'link',
      ...faultKinds.webhook.behaviours,
      'succeed',
      'decline',
      'fail-otp',
      'expire',
    ],
  },
  ekyc: {
    on: ['create', 'status', 'webhook'],
    behaviours: [...faultKinds.call.behaviours, 'late', 'twice', 'shuffled', 'never', 'succeed', 'fail'],
  },
  messages: { on: ['create'], behaviours: faultKinds.call.behaviours },
}
/** What a provider can be told, for the page. */
export const faultOptions = has

/** What is to go differently, in the database for all instances; it comes to pass in the order in which it was added. */
export const createFaultRules = ({ orm, config, now }: Deps) => {
  const table = () => query(orm)
  const served: Record<SandboxProvider, boolean> = {
    esign: config.sandbox.signing,
    ekyc: config.sandbox.kyc,
    messages: config.sandbox.messages,
  }
  const pending = sql<boolean>`(data->>'times')::int > 0`

  return {
    add: async ({
      provider,
      on,
      behaviour,
      times,
      delay_ms,
      status,
      retry_after_s,
      match,
    }: NewSandboxFault): Promise<SandboxFault> => {
      const { on: calls, behaviours } = has[provider]
      const aspect = Object.values(faultKinds).find(one =>
        (one.behaviours as readonly string[]).includes(behaviour),
      )!
      const fitting = calls.filter(call => (aspect.on as readonly string[]).includes(call))
      if (!served[provider]) throw validationError({ provider: 'must be one that the sandbox stands in for' })
      if (!behaviours.includes(behaviour))
        throw validationError({ behaviour: `must be, for ${provider}, one of ${behaviours.join(', ')}` })
      if (on && on !== 'any' && !fitting.includes(on))
        throw validationError({
          on: `must be, for ${behaviour} at ${provider}, one of any, ${fitting.join(', ')}`,
        })
      const id = Bun.randomUUIDv7()
      const fault: SandboxFault = {
        id,
        provider,
        on: on ?? 'any',
        behaviour,
        times: times ?? 1,
        delay_ms: delay_ms ?? null,
        status: status ?? null,
        retry_after_s: retry_after_s ?? null,
        match: match ?? null,
      }
      await table()
        .deleteFrom('sandbox_records')
        .where('kind', '=', 'fault')
        .where(sql<boolean>`not ${pending}`)
        .execute()
      await table()
        .insertInto('sandbox_records')
        .values({
          id,
          kind: 'fault',
          data: sql`${JSON.stringify(fault)}::text::jsonb` as never,
          created_at: now(),
        })
        .execute()
      return fault
    },

    list: async () =>
      (
        await table()
          .selectFrom('sandbox_records')
          .where('kind', '=', 'fault')
          .where(pending)
          .orderBy('id')
          .select('data')
          .execute()
      ).map(({ data }) => data as SandboxFault),

    remove: async (id: string) => {
      const gone =
        isUuid(id) &&
        (await table()
          .deleteFrom('sandbox_records')
          .where('kind', '=', 'fault')
          .where('id', '=', id)
          .where(pending)
          .returning('id')
          .executeTakeFirst())
      if (!gone) throw notFound('Fault')
    },

    clear: async () =>
      void (await table().deleteFrom('sandbox_records').where('kind', '=', 'fault').execute()),

    /** The first that is meant, counted down: of callers at once no more are given it than it has times. `about` are the ids and phone numbers of the call. */
    take: async <A extends FaultKind>(
      provider: SandboxProvider,
      call: SandboxCall,
      aspect: A,
      about: readonly string[],
    ): Promise<Taken<A> | undefined> => {
      const {
        rows: [taken],
      } = await sql<{ data: Taken<A> }>`
        with first as (
          select id from sandbox_records
          where kind = 'fault' and ${pending} and data->>'provider' = ${provider} and data->>'on' in ('any', ${call})
            and data->>'behaviour' in (${sql.join([...faultKinds[aspect].behaviours])}) and (data->>'match' is null or data->>'match' = any(${about.map(one => one.replaceAll('\0', ''))}))
          order by id limit 1 for update)
        update sandbox_records set data = jsonb_set(data, '{times}', to_jsonb((data->>'times')::int - 1)) from first where sandbox_records.id = first.id returning data`.execute(
        table(),
      )
      return taken?.data
    },
  }
}
export type FaultRules = ReturnType<typeof createFaultRules>
