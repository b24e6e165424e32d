import { sql } from 'kysely'
import {
  NewSandboxFailure,
  type SandboxCall,
  type SandboxFailure,
  type SandboxProvider,
} from '@kiraya/sdk/contract'
import { executeCompiled } from '../../db/compiled-queries'
import { getKysely, type Db } from '../../db/database'
import type { Deps } from '../deps'
import { withDefaults } from '../domain/fields'
import { refuse, refuseFields } from '../errors'
import { results } from '../messages/results'
import { createRecordStore } from './record-store'

/** What a failure does to a call, to the form of a PDF, to a webhook, or to the outcome of what is created. */
const behaviours = {
  call: ['error', 'timeout', 'slow', 'garbage', 'malformed', 'lost'],
  file: ['link'],
  webhook: ['late', 'twice', 'forged', 'never'],
  outcome: ['succeed', 'decline', 'fail-otp', 'expire', 'fail'],
} as const
export type FailureKind = keyof typeof behaviours
export type Behaviour<K extends FailureKind> = (typeof behaviours)[K][number]
export type SimulatedFailure<K extends FailureKind> = SandboxFailure & { behaviour: Behaviour<K> }

/** The behaviours that a failure can have, by provider and call. */
const options: Record<SandboxProvider, Partial<Record<SandboxCall, readonly string[]>>> = {
  esign: {
    create: [...behaviours.call, 'succeed', 'decline', 'fail-otp', 'expire'],
    upload: behaviours.call,
    status: behaviours.call,
    cancel: behaviours.call,
    pdf: [...behaviours.call, 'link'],
    webhook: behaviours.webhook,
  },
  ekyc: {
    create: [...behaviours.call, 'succeed', 'fail'],
    status: behaviours.call,
    webhook: ['late', 'twice', 'never'],
  },
  messages: { create: behaviours.call },
}

const KIND = 'failure'

/** Simulated failures are in the database for all instances; they apply in the order in which they were added. */
export function createSimulatedFailures({ db, config, now }: Deps) {
  const failures = createRecordStore<SandboxFailure>(db, KIND)
  const isSimulated: Record<SandboxProvider, boolean> = {
    esign: config.sandbox.signing,
    ekyc: config.sandbox.kyc,
    messages: config.sandbox.messages,
  }

  return {
    /** @throws VALIDATION_ERROR The provider is real, or cannot behave like this. */
    add: (input: NewSandboxFailure): Promise<SandboxFailure> => {
      if (!isSimulated[input.provider]) throw refuseFields('sandbox_provider_not_simulated', 'provider')
      requireSupported(input)
      const id = Bun.randomUUIDv7()
      return failures.add(id, { id, ...withDefaults(NewSandboxFailure, input) }, now())
    },

    /** Lists the failures in the order in which they apply. */
    list: async () => (await failures.list()).toSorted((one, other) => (one.id < other.id ? -1 : 1)),

    /** @throws NOT_FOUND The failure does not exist, or has no uses left. */
    remove: async (id: string) => {
      if (!(await failures.remove(id))) throw refuse('sandbox_failure_not_found')
      return { message: results.failure_removed }
    },

    clear: async () => {
      await getKysely(db).deleteFrom('sandbox_records').where('kind', '=', KIND).execute()
      return { message: results.failures_cleared }
    },

    /** Uses the first matching failure once. `subjects` are the ids and phone numbers that the call is about. */
    consume: async <K extends FailureKind>(
      kind: K,
      provider: SandboxProvider,
      call: SandboxCall,
      subjects: readonly string[],
    ) => {
      const [used] = await executeCompiled(db, updateFirstFailure, {
        provider,
        call,
        behaviours: behaviours[kind],
        subjects: subjects.map(subject => subject.replaceAll('\0', '')),
      })
      if (used?.data.times === 0) await failures.remove(used.data.id)
      return used?.data as SimulatedFailure<K> | undefined
    },
  }
}
export type SimulatedFailures = ReturnType<typeof createSimulatedFailures>

function requireSupported({ provider, on, behaviour }: NewSandboxFailure) {
  const all = Object.entries(options[provider])
  const calls = all.filter(([, supported]) => supported.includes(behaviour)).map(([call]) => call)
  if (calls.length === 0)
    throw refuseFields('sandbox_behaviour_unsupported', 'behaviour', {
      provider,
      behaviours: [...new Set(all.flatMap(([, supported]) => supported))],
    })
  if (on && on !== 'any' && !calls.includes(on))
    throw refuseFields('sandbox_call_unsupported', 'on', { provider, behaviour, calls })
}

type FailureMatch = {
  provider: SandboxProvider
  call: SandboxCall
  behaviours: readonly string[]
  subjects: string[]
}

/** Counts down under a row lock: concurrent calls never use a failure more often than it says. */
function updateFirstFailure(_db: Db, { provider, call, behaviours: allowed, subjects }: FailureMatch) {
  return sql<{ data: SandboxFailure }>`
    with first as (
      select id from sandbox_records
      where kind = ${sql.lit(KIND)}
        and (data->>'times')::int > 0
        and data->>'provider' = ${provider}
        and data->>'on' in ('any', ${call})
        and data->>'behaviour' = any(${allowed}::text[])
        and (data->>'match' is null or data->>'match' = any(${subjects}::text[]))
      order by id
      limit 1
      for update
    )
    update sandbox_records
    set data = jsonb_set(data, '{times}', to_jsonb((data->>'times')::int - 1))
    from first
    where sandbox_records.id = first.id
    returning data`
}
