import { sql, type Expression, type InferResult } from 'kysely'
import { jsonArrayFrom } from 'kysely/helpers/postgres'
import { TimelineEntry, type Timeline, type TimelineEntryType } from '@kiraya/sdk/contract'
import { executeCompiled } from '../../db/compiled-queries'
import type { Db, EntityManager } from '../../db/database'
import type { Agreement } from '../../db/entities'
import { toJsonText } from '../../db/json-text'
import { recordActivities } from '../domain/activities'
import { toColumns } from '../domain/fields'
import { hashLink, isChainIntact } from '../domain/hash-chain'
import type { RecordId } from '../http/record-id'
import { toSha256 } from '../domain/sha256'
import type { UserId } from '../http/reads/reader'
import type { LockedAgreement } from './access'
import { toActivity } from './entries'
import { toPersonName } from './names'
import { selectVisibleAgreement } from './queries'

/**
 * Appends an entry to the timeline of a locked agreement and records its activity.
 * The next flush writes the agreement's part of it, so a change needs one flush only.
 */
export async function appendEntry(em: EntityManager, now: Date, locked: LockedAgreement, ...entry: NewEntry) {
  await storeEntries(em, [{ locked, entry: chainEntry(locked.agreement, now, ...entry) }])
}

type NewEntry = [
  type: TimelineEntryType,
  actorId: number | null,
  details?: Record<string, unknown>,
  snapshot?: string,
]

type ChainedEntry = ReturnType<typeof chainEntry>

/**
 * Makes the next entry and puts its hash and position into the agreement, which may not be inserted yet. The
 * details name the SHA-256 of the snapshot, so that the entry's hash covers it.
 */
export function chainEntry(agreement: Agreement, now: Date, ...[type, actorId, details, snapshot]: NewEntry) {
  const position = agreement.timeline_length + 1
  const snapshotDetails = snapshot !== undefined && { snapshot_sha256: toSha256(snapshot) }
  const detailsText = toJsonText({ ...details, ...snapshotDetails })
  const hash = hashEntry(agreement.timeline_hash, agreement.agreement_id, {
    position,
    type,
    actor_id: actorId,
    details: JSON.parse(detailsText), // as the database stores them
    occurred_at: now.toISOString(),
  })
  agreement.timeline_hash = hash
  agreement.timeline_length = position
  return { position, type, actorId, detailsText, snapshot: snapshot ?? null, now, hash }
}

/** Stores entries of agreements that are inserted, and records their activities. */
export async function storeEntries(
  em: EntityManager,
  stored: { locked: LockedAgreement; entry: ChainedEntry }[],
) {
  const rows = stored.map(({ locked, entry }) => ({ ...entry, agreementId: locked.agreement.id }))
  if (rows.length === 0) return
  await executeCompiled(em, insertEntries, { rows: toJsonText(rows) })
  const activities = stored.flatMap(({ locked, entry }) => toActivity(locked, entry) ?? [])
  await recordActivities(em, rows[0]!.now, ...activities)
}

const insertEntries = (_: Db, { rows }: { rows: string }) => sql`
  insert into timeline_entries (agreement_id, position, type, actor_id, details, snapshot, occurred_at, hash)
  select "agreementId", position, type, "actorId", "detailsText"::jsonb, snapshot, now, hash
  from json_to_recordset(${rows}::text::json) as given (
    "agreementId" int, position int, type text, "actorId" int, "detailsText" text, snapshot text, now timestamptz, hash text
  )`

interface HashedEntry {
  position: number
  type: string
  actor_id: number | null
  details: Record<string, unknown>
  occurred_at: string
}

/** Hashes position, type, actor, the details sorted by name, and the time. */
function hashEntry(previousHash: string | null | undefined, agreementId: string, entry: HashedEntry) {
  const { position, type, actor_id, details, occurred_at } = entry
  const sortedDetails = Object.entries(details).toSorted(([a], [b]) => (a < b ? -1 : 1))
  return hashLink(previousHash, agreementId, [position, type, actor_id, sortedDetails, occurred_at])
}

export const selectTimeline = (db: Db, me: UserId, id: RecordId) =>
  selectVisibleAgreement(db, me, id)
    .select(['a.agreement_id', 'a.timeline_hash', 'a.timeline_length'])
    .select(e =>
      sql<boolean>`not exists ${selectChangedSnapshots(db, e.ref('a.id'))}`.as('has_intact_snapshots'),
    )
    .select(e =>
      jsonArrayFrom(
        db
          .selectFrom('timeline_entries as v')
          .leftJoin('users as who', 'who.id', 'v.actor_id')
          .leftJoin('tenant_contacts as contact', join =>
            join.on('contact.landlord_id', '=', me).onRef('contact.tenant_id', '=', 'who.id'),
          )
          .where('v.agreement_id', '=', e.ref('a.id'))
          .orderBy('v.position')
          .select(
            toColumns('timeline_entries as v', TimelineEntry, {
              type: sql.ref<TimelineEntryType>('v.type'),
              actor_name: toPersonName(me),
            }),
          ),
      ).as('entries'),
    )

function selectChangedSnapshots(db: Db, agreementId: Expression<number>) {
  return db
    .selectFrom('timeline_entries as taken')
    .where('taken.agreement_id', '=', agreementId)
    .where('taken.snapshot', 'is not', null)
    .where(
      sql<boolean>`encode(sha256(convert_to(taken.snapshot, 'UTF8')), 'hex')
        is distinct from taken.details ->> 'snapshot_sha256'`,
    )
    .select('taken.id')
}

type StoredTimeline = InferResult<ReturnType<typeof selectTimeline>>[number]

/**
 * A timeline is intact if each entry's hash follows from the one before, the agreement has the last, and no
 * snapshot was changed.
 */
export function verifyTimeline(stored: StoredTimeline): Timeline {
  const { agreement_id, timeline_hash, timeline_length, has_intact_snapshots, entries } = stored
  const head = { length: timeline_length, hash: timeline_hash }
  const isIntact = isChainIntact(entries, head, (previousHash, entry) =>
    hashEntry(previousHash, agreement_id, entry),
  )
  return { entries, intact: isIntact && has_intact_snapshots }
}
