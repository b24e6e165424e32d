import { sql } from 'kysely'
import { executeCompiled } from '../../db/compiled-queries'
import type { Db, EntityManager } from '../../db/database'
import { toJsonText } from '../../db/json-text'
import type { Tx } from '../deps'
import { addDays, toIndianDate } from '../domain/dates'
import type { Message } from '../providers/messaging/port'

/** Those about an agreement, which the job sends. */
export type AgreementMessage = Extract<Message, { agreement_number: string; url: string }>

type NewMessage = {
  kind: AgreementMessage['kind']
  /** Who gets it; inactive users get none. */
  to: number[]
  agreement: { id: number; landlord_id: number; agreement_number: string }
  /** Of all messages with the same key, each person gets one. */
  dedupeKey: string
  /** How many days there are for an answer, and after how many days they get it again unless it is withdrawn. */
  days?: number
  againAfter?: number[]
}

/** Writes a message to people, in the transaction of what it tells; a job sends it. */
export async function writeMessage(
  { em, now }: Pick<Tx, 'em' | 'now'>,
  { kind, to, days, againAfter = [], ...message }: NewMessage,
) {
  const { id, landlord_id, agreement_number } = message.agreement
  const about = { kind, to, id, landlord_id, now: now() }
  for (const after of [0, ...againAfter]) {
    const params = toJsonText({ agreement_number, days: days?.toString(), after: after.toString() })
    const dedupeKey = `${kind}:${message.dedupeKey}:${after}`
    const dueAt = after ? toMorning(addDays(toIndianDate(about.now), after)) : about.now
    await executeCompiled(em, insertMessages, { ...about, params, dedupeKey, dueAt })
  }
}

const toMorning = (indianDate: string) => new Date(`${indianDate}T10:00:00+05:30`)

/** Withdraws messages that are not sent yet. */
export const withdrawMessages = (em: EntityManager, kind: NewMessage['kind'], dedupeKey: string) =>
  executeCompiled(em, deleteQueued, { key: `${kind}:${dedupeKey}:` })

const deleteQueued = (_: Db, { key }: { key: string }) =>
  sql`delete from messages_out where state = 'queued' and starts_with(dedupe_key, ${key}::text)`

type Insertion = Pick<NewMessage, 'kind' | 'to' | 'dedupeKey'> & {
  id: number
  landlord_id: number
  params: string
  dueAt: Date
  now: Date
}

/** Shares the users by ascending id, to avoid deadlocks. */
const insertMessages = (_: Db, { kind, to, dedupeKey, dueAt, ...about }: Insertion) => sql`
  insert into messages_out (
    user_id, landlord_id, kind, entity_type, entity_id, params, dedupe_key, language, state, due_at, created_at,
    updated_at
  )
  select u.id, ${about.landlord_id}, ${kind}, 'agreement', ${about.id}, ${about.params}::text::jsonb,
    ${dedupeKey}::text || ':' || u.id, 'en', 'queued', ${dueAt}::timestamptz, ${about.now}::timestamptz, ${about.now}
  from users u where u.id = any(${to}::int[]) and u.is_active
  order by u.id
  for key share of u
  on conflict (dedupe_key) do nothing`
