import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { jsonArrayFrom } from 'kysely/helpers/postgres'
import type { Timeline, TimelineEventType } from '@kiraya/sdk/contract'
import { AgreementEvent } from '../../db/entities'
import { iso, type Db } from '../../db/orm'
import { toJsonText } from '../../db/json-text'
import type { Transaction } from '../../db/records'
import { recordActivities } from '../domain/activities'
import type { UserIdExpression } from '../http/authentication'
import { getActivityRecipients, type LockedAgreement } from './access'
import { selectVisibleAgreement } from './queries'
import type { RecordId } from '../domain/record-id'

/** How each kind of event is told to those whom it concerns; the others are in the timeline alone. */
const news: Record<
  TimelineEventType,
  { activity: string; words: string; to: 'all' | 'landlord side' } | undefined
> = {
  created: { activity: 'agreement_created', words: 'was drawn up', to: 'landlord side' },
  changed: { activity: 'agreement_updated', words: 'was changed', to: 'landlord side' },
  deleted: { activity: 'agreement_deleted', words: 'was deleted', to: 'landlord side' },
  sent: { activity: 'agreement_sent', words: 'was sent to be signed', to: 'all' },
  reissued: { activity: 'agreement_sent', words: 'was sent to be signed', to: 'all' },
  viewed: { activity: 'agreement_viewed', words: 'was opened by one of its parties', to: 'landlord side' },
  signed: { activity: 'agreement_signed', words: 'was signed by one of its parties', to: 'all' },
  declined: { activity: 'agreement_declined', words: 'was declined by one of its parties', to: 'all' },
  expired: {
    activity: 'signature_expired',
    words: 'was not signed in time by one of its parties',
    to: 'all',
  },
  cancelled: {
    activity: 'signature_cancelled',
    words: 'is not to be signed by one of its parties any more',
    to: 'all',
  },
  reminded: {
    activity: 'agreement_reminded',
    words: 'is still to be signed by one of its parties, who was reminded',
    to: 'landlord side',
  },
  activated: { activity: 'agreement_activated', words: 'is active', to: 'all' },
  document_stored: undefined,
  renewed: { activity: 'agreement_renewed', words: 'was renewed', to: 'all' },
  ended: { activity: 'agreement_terminated', words: 'has come to its end', to: 'all' },
  terminated: { activity: 'agreement_terminated', words: 'was terminated', to: 'all' },
  revised: { activity: 'agreement_revised', words: 'was withdrawn for a new version', to: 'all' },
  completed: { activity: 'agreement_completed', words: 'was closed', to: 'all' },
}

/** Adds to the timeline of an agreement, whose row the transaction has locked, and tells those whom it concerns. */
export async function appendEvent(
  tx: Transaction,
  now: Date,
  held: LockedAgreement,
  type: TimelineEventType,
  actor_id: number | null,
  told: Record<string, unknown> = {},
) {
  const { agreement, unit } = held
  const details = JSON.parse(toJsonText(told))
  const event = { position: agreement.timeline_length + 1, type, actor_id, details, occurred_at: now }
  agreement.timeline_hash = hashOf(agreement.timeline_hash, agreement.agreement_id, {
    ...event,
    occurred_at: now.toISOString(),
  })
  agreement.timeline_length = event.position
  await tx.insert(AgreementEvent, { ...event, agreement_id: agreement.id, hash: agreement.timeline_hash })
  await tx.flush()
  const { activity, words, to } = news[type] ?? {}
  if (activity)
    await recordActivities(tx.em, now, {
      to: to === 'all' ? getActivityRecipients(held) : [agreement.landlord_id, unit.managed_by_id],
      type: activity,
      message: `The agreement ${agreement.agreement_number} ${words}`,
      entity_type: 'agreement',
      entity_id: agreement.id,
      actor_id,
    })
}

type Hashed = {
  position: number
  type: string
  actor_id: number | null
  details: Record<string, unknown>
  occurred_at: string
}

/** SHA-256, hex, over the JSON of: the hash before, the agreement's UUID, position, type, actor, the details in the order of their names, and the time. */
function hashOf(
  previous: string | null | undefined,
  agreementId: string,
  { position, type, actor_id, details, occurred_at }: Hashed,
) {
  const inOrder = Object.entries(details).toSorted(([a], [b]) => (a < b ? -1 : 1))
  return createHash('sha256')
    .update(JSON.stringify([previous ?? '', agreementId, position, type, actor_id, inOrder, occurred_at]))
    .digest('hex')
}

export const selectTimeline = (db: Db, me: UserIdExpression, id: RecordId) =>
  selectVisibleAgreement(db, me, id)
    .select(['a.agreement_id', 'a.timeline_hash', 'a.timeline_length'])
    .select(e =>
      jsonArrayFrom(
        db
          .selectFrom('agreement_events as v')
          .leftJoin('users as who', 'who.id', 'v.actor_id')
          .where('v.agreement_id', '=', e.ref('a.id'))
          .orderBy('v.position')
          .select([
            'v.position',
            sql<TimelineEventType>`v.type`.as('type'),
            'v.actor_id',
            sql<string | null>`nullif(concat_ws(' ', who.first_name, who.last_name), '')`.as('actor_name'),
            'v.details',
            iso('v.occurred_at'),
            'v.hash',
          ]),
      ).as('events'),
    )

/** Whether every event follows from the one before it, and the last is the one that the agreement knows. */
export function verifyTimeline({
  agreement_id,
  timeline_hash,
  timeline_length,
  events,
}: {
  agreement_id: string
  timeline_hash: string | null
  timeline_length: number
  events: Timeline['events']
}): Timeline {
  const intact =
    events.length === timeline_length &&
    (events.at(-1)?.hash ?? null) === timeline_hash &&
    events.every(
      (event, index) =>
        event.position === index + 1 && event.hash === hashOf(events[index - 1]?.hash, agreement_id, event),
    )
  return { events, intact }
}
