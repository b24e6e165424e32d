import { sql } from 'kysely'
import type {
  NewSandboxFault,
  SandboxBehavior,
  SandboxCall,
  SandboxFault,
  SandboxProvider,
} from '@kiraya/sdk/contract'
import { executeCompiled } from '../../db/compiled-queries'
import { getKysely, type Database, type Db } from '../../db/database'
import type { Deps } from '../deps'
import { refuse, refuseFields } from '../faults'
import { isUuid } from '../domain/record-id'
import { createRecordStore } from './record-store'

type FaultScope = { on: readonly SandboxCall[]; behaviours: readonly SandboxBehavior[] }

/** A rule changes a call, the form of a PDF, a webhook, or the outcome of what is created. */
const faultKinds = {
  call: {
    on: ['create', 'upload', 'status', 'cancel', 'pdf'],
    behaviours: ['error', 'timeout', 'slow', 'garbage', 'malformed', 'lost'],
  },
  file: { on: ['pdf'], behaviours: ['link'] },
  webhook: { on: ['webhook'], behaviours: ['late', 'twice', 'shuffled', 'forged', 'never'] },
  outcome: { on: ['create'], behaviours: ['succeed', 'decline', 'fail-otp', 'expire', 'fail'] },
} as const satisfies Record<string, FaultScope>
export type FaultKind = keyof typeof faultKinds
export type Behaviour<K extends FaultKind> = (typeof faultKinds)[K]['behaviours'][number]
export type FaultRule<K extends FaultKind> = SandboxFault & { behaviour: Behaviour<K> }

const callBehaviours = faultKinds.call.behaviours

/** The calls and behaviours that a rule for each provider can name. */
const faultOptions: Record<SandboxProvider, FaultScope> = {
  esign: {
    on: ['create', 'upload', 'status', 'cancel', 'pdf', 'webhook'],
    behaviours: [
      ...callBehaviours,
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
    behaviours: [...callBehaviours, 'late', 'twice', 'shuffled', 'never', 'succeed', 'fail'],
  },
  messages: { on: ['create'], behaviours: callBehaviours },
}

/** Written out in queries: the planner knows how rare each kind is. */
const KIND = 'fault'
const hasUsesLeft = sql<boolean>`(data->>'times')::int > 0`

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
    add: async (input: NewSandboxFault): Promise<SandboxFault> => {
      if (!isSimulated[input.provider]) throw refuseFields('sandbox_provider_not_simulated', 'provider')
      requireSupported(input)
      await deleteUsedRules(db)
      const rule = toRule(input)
      return rules.add(rule.id, rule, now())
    },
    list: () => listRules(db),
    /** @throws NOT_FOUND The rule does not exist, or has no uses left. */
    remove: async (id: string) => {
      const isRemoved = isUuid(id) && (await deleteRule(db, id))
      if (!isRemoved) throw refuse('sandbox_rule_not_found')
    },
    clear: async () => {
      await getKysely(db).deleteFrom('sandbox_records').where('kind', '=', sql.lit(KIND)).execute()
    },
    /** Uses the first matching rule once. `subjects` are the ids and phone numbers that the call is about. */
    consume: <K extends FaultKind>(
      kind: K,
      provider: SandboxProvider,
      call: SandboxCall,
      subjects: readonly string[],
    ) => consumeRule(db, kind, provider, call, subjects),
  }
}
export type FaultRules = ReturnType<typeof createFaultRules>

function requireSupported({ provider, on, behaviour }: NewSandboxFault) {
  const { on: calls, behaviours } = faultOptions[provider]
  if (!behaviours.includes(behaviour))
    throw refuseFields('sandbox_behaviour_unsupported', 'behaviour', {
      provider,
      behaviours: [...behaviours],
    })

  const kinds: FaultScope[] = Object.values(faultKinds)
  const kind = kinds.find(({ behaviours: own }) => own.includes(behaviour))!
  const supportedCalls = calls.filter(call => kind.on.includes(call))
  if (on && on !== 'any' && !supportedCalls.includes(on))
    throw refuseFields('sandbox_call_unsupported', 'on', { provider, behaviour, calls: supportedCalls })
}

function toRule(input: NewSandboxFault): SandboxFault {
  return {
    id: Bun.randomUUIDv7(),
    provider: input.provider,
    on: input.on ?? 'any',
    behaviour: input.behaviour,
    times: input.times ?? 1,
    delay_ms: input.delay_ms ?? null,
    status: input.status ?? null,
    retry_after_s: input.retry_after_s ?? null,
    match: input.match ?? null,
  }
}

async function listRules(db: Database) {
  const rows = await getKysely(db)
    .selectFrom('sandbox_records')
    .where('kind', '=', sql.lit(KIND))
    .where(hasUsesLeft)
    .orderBy('id')
    .select('data')
    .execute()
  return rows.map(({ data }) => data as SandboxFault)
}

async function deleteUsedRules(db: Database) {
  await getKysely(db)
    .deleteFrom('sandbox_records')
    .where('kind', '=', sql.lit(KIND))
    .where(sql<boolean>`not ${hasUsesLeft}`)
    .execute()
}

async function deleteRule(db: Database, id: string) {
  const deleted = await getKysely(db)
    .deleteFrom('sandbox_records')
    .where('kind', '=', sql.lit(KIND))
    .where('id', '=', id)
    .where(hasUsesLeft)
    .returning('id')
    .executeTakeFirst()
  return deleted !== undefined
}

async function consumeRule<K extends FaultKind>(
  db: Database,
  kind: K,
  provider: SandboxProvider,
  call: SandboxCall,
  subjects: readonly string[],
) {
  const [rule] = await executeCompiled(db, updateFirstRule, {
    provider,
    call,
    behaviours: faultKinds[kind].behaviours,
    subjects: subjects.map(subject => subject.replaceAll('\0', '')),
  })
  return rule?.data as FaultRule<K> | undefined
}

type RuleMatch = {
  provider: SandboxProvider
  call: SandboxCall
  behaviours: readonly string[]
  subjects: string[]
}

/** Counts down under a row lock: concurrent calls never use a rule more often than it says. */
function updateFirstRule(_db: Db, { provider, call, behaviours, subjects }: RuleMatch) {
  return sql<{ data: SandboxFault }>`
    with first as (
      select id from sandbox_records
      where kind = ${sql.lit(KIND)}
        and ${hasUsesLeft}
        and data->>'provider' = ${provider}
        and data->>'on' in ('any', ${call})
        and data->>'behaviour' = any(${behaviours}::text[])
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
