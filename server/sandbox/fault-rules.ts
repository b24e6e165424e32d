import { sql } from 'kysely'
import {
  NewSandboxFault,
  type SandboxCall,
  type SandboxFault,
  type SandboxProvider,
} from '@kiraya/sdk/contract'
import { executeCompiled } from '../../db/compiled-queries'
import { getKysely, type Db } from '../../db/database'
import type { Deps } from '../deps'
import { withDefaults } from '../domain/fields'
import { refuse, refuseFields } from '../faults'
import { results } from '../messages/results'
import { createRecordStore } from './record-store'

/** What a rule does to a call, to the form of a PDF, to a webhook, or to the outcome of what is created. */
const behaviours = {
  call: ['error', 'timeout', 'slow', 'garbage', 'malformed', 'lost'],
  file: ['link'],
  webhook: ['late', 'twice', 'forged', 'never'],
  outcome: ['succeed', 'decline', 'fail-otp', 'expire', 'fail'],
} as const
export type FaultKind = keyof typeof behaviours
export type Behaviour<K extends FaultKind> = (typeof behaviours)[K][number]
export type FaultRule<K extends FaultKind> = SandboxFault & { behaviour: Behaviour<K> }

/** The behaviours that a rule can have, by provider and call. */
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

const KIND = 'fault'

/** Fault rules are in the database for all instances; they apply in the order in which they were added. */
export function createFaultRules({ db, config, now }: Deps) {
  const rules = createRecordStore<SandboxFault>(db, KIND)
  const isSimulated: Record<SandboxProvider, boolean> = {
    esign: config.sandbox.signing,
    ekyc: config.sandbox.kyc,
    messages: config.sandbox.messages,
  }

  return {
    /** @throws VALIDATION_ERROR The provider is real, or cannot behave like this. */
    add: (input: NewSandboxFault): Promise<SandboxFault> => {
      if (!isSimulated[input.provider]) throw refuseFields('sandbox_provider_not_simulated', 'provider')
      requireSupported(input)
      const id = Bun.randomUUIDv7()
      return rules.add(id, { id, ...withDefaults(NewSandboxFault, input) }, now())
    },

    /** Lists the rules in the order in which they apply. */
    list: async () => (await rules.list()).toSorted((one, other) => (one.id < other.id ? -1 : 1)),

    /** @throws NOT_FOUND The rule does not exist, or has no uses left. */
    remove: async (id: string) => {
      if (!(await rules.remove(id))) throw refuse('sandbox_rule_not_found')
      return { message: results.fault_rule_removed }
    },

    clear: async () => {
      await getKysely(db).deleteFrom('sandbox_records').where('kind', '=', KIND).execute()
      return { message: results.fault_rules_cleared }
    },

    /** Uses the first matching rule once. `subjects` are the ids and phone numbers that the call is about. */
    consume: async <K extends FaultKind>(
      kind: K,
      provider: SandboxProvider,
      call: SandboxCall,
      subjects: readonly string[],
    ) => {
      const [used] = await executeCompiled(db, updateFirstRule, {
        provider,
        call,
        behaviours: behaviours[kind],
        subjects: subjects.map(subject => subject.replaceAll('\0', '')),
      })
      if (used?.data.times === 0) await rules.remove(used.data.id)
      return used?.data as FaultRule<K> | undefined
    },
  }
}
export type FaultRules = ReturnType<typeof createFaultRules>

function requireSupported({ provider, on, behaviour }: NewSandboxFault) {
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

type RuleMatch = {
  provider: SandboxProvider
  call: SandboxCall
  behaviours: readonly string[]
  subjects: string[]
}

/** Counts down under a row lock: concurrent calls never use a rule more often than it says. */
function updateFirstRule(_db: Db, { provider, call, behaviours: allowed, subjects }: RuleMatch) {
  return sql<{ data: SandboxFault }>`
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
