import { getNow, selectAll, sha256, type Db, type Row } from './http'
import { insertActivities } from './sql/activities'
import { insertEvent, updateTimeline } from './sql/agreements'

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

/** Begins an agreement's timeline. */
export async function recordCreation(tx: Db, agreement: Row, users: number[], actorId: number) {
  const [at, position, type] = [getNow(), 1, 'created']
  const hash = sha256(JSON.stringify(['', agreement.agreement_id, position, type, actorId, [], at]))
  await selectAll(tx, insertEvent, agreement.id, position, type, actorId, '{}', at, hash)
  await selectAll(tx, updateTimeline, agreement.id, position, hash, getNow())
  const activities = toActivities(users, {
    type: 'agreement_created',
    message: `The agreement ${agreement.agreement_number} was drawn up`,
    entity_type: 'agreement',
    entity_id: agreement.id,
    actor_id: actorId,
  })
  await recordActivities(tx, activities)
}
