import { sql } from 'kysely'
import { executeCompiled } from '../../db/compiled-queries'
import type { Db } from '../../db/database'
import { toJsonText } from '../../db/json-text'
import type { Tx } from '../deps'
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
}

/** Writes a message to people, in the transaction of what it tells; a job sends it. */
export async function writeMessage(
  { em, now }: Pick<Tx, 'em' | 'now'>,
  { kind, to, ...message }: NewMessage,
) {
  const { id, landlord_id, agreement_number } = message.agreement
  const params = toJsonText({ agreement_number })
  const dedupeKey = `${kind}:${message.dedupeKey}`
  await executeCompiled(em, insertMessages, { kind, to, id, landlord_id, params, dedupeKey, now: now() })
}

type Insertion = Pick<NewMessage, 'kind' | 'to' | 'dedupeKey'> & {
  id: number
  landlord_id: number
  params: string
  now: Date
}

/** Shares the users by ascending id, to avoid deadlocks. */
const insertMessages = (_: Db, { kind, to, dedupeKey, ...about }: Insertion) => sql`
  insert into messages_out (
    user_id, landlord_id, kind, entity_type, entity_id, params, dedupe_key, language, state, due_at, created_at,
    updated_at
  )
  select u.id, ${about.landlord_id}, ${kind}, 'agreement', ${about.id}, ${about.params}::text::jsonb,
    ${dedupeKey}::text || ':' || u.id, 'en', 'queued', ${about.now}::timestamptz, ${about.now}, ${about.now}
  from users u where u.id = any(${to}::int[]) and u.is_active
  order by u.id
  for key share of u
  on conflict (dedupe_key) do nothing`
