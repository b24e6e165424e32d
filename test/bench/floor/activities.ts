import { getNow, selectAll, sha256, type Db, type Row } from './http'
import { insertActivities } from './sql/activities'
import { insertEvent, updateAgreement } from './sql/agreements'

type NewActivity = {
  type: string
  message: string
  entity_type: string
  entity_id: number
  actor_id: number | null
}

/** The activity for each of the users once. */
export const toActivities = (users: number[], activity: NewActivity) =>
  [...new Set(users)].map(user_id => ({ user_id, ...activity }))

export function recordActivities(db: Db, ...groups: Row[][]) {
  const activities = groups.flatMap((rows, position) => rows.map(row => ({ ...row, position })))
  return selectAll(db, insertActivities, getNow(), JSON.stringify(activities))
}

type NewEvent = {
  type: string
  activity: string
  /** What happened to the agreement, for the activity's message. */
  message: string
  users: number[]
  actorId: number | null
  details?: Row
}

/** Appends an event to the agreement's timeline; what comes back records its activities. */
export async function appendEvent(tx: Db, agreement: Row, event: NewEvent) {
  const { type, activity, message, users, actorId, details = {} } = event
  const at = getNow()
  const position = agreement.timeline_length + 1
  const sortedDetails = Object.entries(details).toSorted(([a], [b]) => (a < b ? -1 : 1))
  const previousHash = agreement.timeline_hash ?? ''
  const hashed = [previousHash, agreement.agreement_id, position, type, actorId, sortedDetails, at]
  const hash = sha256(JSON.stringify(hashed))
  await selectAll(tx, insertEvent, agreement.id, position, type, actorId, JSON.stringify(details), at, hash)
  Object.assign(agreement, { timeline_length: position, timeline_hash: hash })
  const activities = toActivities(users, {
    type: activity,
    message: `The agreement ${agreement.agreement_number} ${message}`,
    entity_type: 'agreement',
    entity_id: agreement.id,
    actor_id: actorId,
  })
  return async () => {
    await recordActivities(tx, activities)
  }
}

/** Writes an agreement's status with the end of its timeline. */
export function saveAgreement(
  tx: Db,
  agreement: Row,
  status: string,
  signedDate: string | null,
  now = getNow(),
) {
  const { id, timeline_length, timeline_hash } = agreement
  return selectAll(tx, updateAgreement, id, status, timeline_length, timeline_hash, signedDate, now)
}
