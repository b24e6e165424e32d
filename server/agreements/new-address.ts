import { executeCompiled, findEntities } from '../../db/compiled-queries'
import { SQL_TRUE, type Db, type EntityManager } from '../../db/database'
import { Agreement, AgreementEvent } from '../../db/entities'
import type { Deps } from '../deps'
import { refuse } from '../faults'
import { consumeDailyLimit } from './daily-limits'
import { chainEvent } from './timeline'

export type Building = { propertyId: number; creatorId: number }

/**
 * Notes in the drafts of other landlords of a building that its address changed; they have to be saved again before
 * they can be signed. A request that is being sent has the former address. The event does not name the creator, whom
 * the others do not know.
 * @throws TOO_MANY_REQUESTS The address changed too often in a day.
 */
export async function noteNewAddress(deps: Deps, em: EntityManager, building: Building) {
  const now = deps.now()
  const [anyDraft] = await executeCompiled(em, selectAnyDraft, building)
  if (!anyDraft) return
  await consumeDailyLimit(em, deps, { id: building.propertyId }, 'addresses')
  const drafts = await findEntities(em, Agreement, lockOthersDrafts, building)
  for (const draft of drafts) {
    draft.revision++
    const { position, type, hash } = chainEvent(draft, now, 'address_changed', null)
    const event = { agreement_id: draft.id, position, type, details: {}, occurred_at: now, hash }
    em.create(AgreementEvent, event)
  }
  await em.flush()
}

/** Selects the units in a building that its creator has not added, as `u`. */
export function selectOthersUnits(db: Db, { propertyId, creatorId }: Building) {
  return db
    .selectFrom('property_units as u')
    .where('u.property_id', '=', propertyId)
    .where('u.landlord_id', '<>', creatorId)
    .where('u.is_active', '=', SQL_TRUE)
}

function selectOthersDrafts(db: Db, building: Building) {
  return db
    .selectFrom('agreements')
    .where('property_unit_id', 'in', selectOthersUnits(db, building).select('u.id'))
    .where('status', '=', 'DRAFT')
    .where('is_active', '=', SQL_TRUE)
}

function selectAnyDraft(db: Db, building: Building) {
  return selectOthersDrafts(db, building).limit(1).select('id')
}

function lockOthersDrafts(db: Db, building: Building) {
  return selectOthersDrafts(db, building).orderBy('id').forUpdate()
}

/** @throws BAD_REQUEST The address of a draft's building changed since the draft was saved. */
export async function requireKnownAddress(em: EntityManager, { id, status }: Agreement) {
  if (status !== 'DRAFT') return
  const [last] = await executeCompiled(em, selectLastSave, { id })
  if (last?.type === 'address_changed') throw refuse('address_changed')
}

function selectLastSave(db: Db, { id }: { id: number }) {
  return db
    .selectFrom('agreement_events')
    .where('agreement_id', '=', id)
    .where('type', 'in', ['created', 'changed', 'address_changed'])
    .orderBy('position', 'desc')
    .limit(1)
    .select('type')
}
