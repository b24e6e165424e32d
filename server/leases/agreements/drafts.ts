import { LockMode } from '@mikro-orm/core'
import { sql } from 'kysely'
import type { Agreement as AgreementView, NewAgreement, Warning } from '@kiraya/sdk/contract'
import { executeCompiled } from '../../../db/compiled-queries'
import { anyIdIn, type Db } from '../../../db/database'
import { Agreement, PropertyUnit } from '../../../db/entities'
import type { Tx } from '../../deps'
import { getTenureEndDate } from '../../domain/dates'
import { refuse, refuseFields } from '../../errors'
import { loadView } from '../../http/changes'
import type { RecordId } from '../../http/record-id'
import { selectVisibleUnits } from '../../listing/visibility'
import type { LockedAgreement } from '../access'
import { getNextAgreementNumber } from './number'
import { selectAgreement, selectVisibleAgreement } from '../queries'
import { requireOneSource, toSource } from './source'
import {
  findChangedFields,
  insertTenants,
  requireValidTenants,
  requireValidTerms,
  takeSnapshot,
  toTerms,
} from './terms'
import { findWarnings } from './warnings'
import { chainEntry, storeEntries } from '../timeline'

export type AgreementResult = { message: string; data: AgreementView; warnings?: Warning[] }

/** The agreement that a draft follows, and how the draft and its first entry name it. */
type Origin = {
  locked: LockedAgreement
  links: Partial<Pick<Agreement, 'revises_id' | 'renews_id' | 'external_ref'>>
  details: Record<string, unknown>
}

/** Creates a draft; the landlord of the unit becomes its landlord. The entry before the insert names its UUID. */
export async function createDraft(tx: Tx, input: NewAgreement, origin?: Origin): Promise<LockedAgreement> {
  const { em, actor } = tx
  requireOneSource(input)
  const { tenant_ids: tenantIds } = input
  const unit = await shareUnit(tx, input.property_unit_id, origin?.locked)
  await requireValidTenants(tx, unit, tenantIds, origin?.locked)
  const agreement = em.create(Agreement, {
    ...toDraft(input),
    ...toSource(input, origin?.locked.agreement),
    ...origin?.links,
    agreement_number: input.agreement_number ?? (await getNextAgreementNumber(tx, unit.landlord_id)),
    landlord_id: unit.landlord_id,
  })
  const draft = { agreement, unit, tenantIds }
  requireValidTerms(tx, draft)

  const fields = origin && findChangedFields(takeSnapshot(origin.locked), takeSnapshot(draft))
  const entry = chainEntry(agreement, tx.now(), 'created', actor.id, { ...origin?.details, fields })
  await em.flush()
  await insertTenants(em, [draft])
  await storeEntries(em, [{ locked: draft, entry }])
  return draft
}

/** Returns what a draft has of its input, whatever its number and parties. */
export function toDraft(input: NewAgreement) {
  const { agreement_start_date, tenure_in_months, internal_notes = null } = input
  return {
    ...toTerms(input),
    internal_notes,
    agreement_id: crypto.randomUUID(),
    agreement_end_date: getTenureEndDate(agreement_start_date, tenure_in_months),
    status: 'DRAFT' as const,
    revision: 0,
    timeline_length: 0,
  }
}

/** Locks the unit that an agreement has and the one that it moves to, since units come before agreements in `LOCK_ORDER`. */
export async function lockUnits({ em, actor }: Tx, id: RecordId, nextUnitId: number) {
  await executeCompiled(em, selectBothUnits, { userId: actor.id, id, nextUnitId })
}

type BothUnits = { userId: number; id: RecordId; nextUnitId: number }

function selectBothUnits(db: Db, { userId, id, nextUnitId }: BothUnits) {
  const me = sql.val(userId)
  const present = selectVisibleAgreement(db, me, id).select('a.property_unit_id as id')
  const next = selectVisibleUnits(db, me).where('u.id', '=', nextUnitId).select('u.id')
  const ids = anyIdIn(present.union(next))
  return db.selectFrom('property_units').where('id', '=', ids).orderBy('id').select('id').forNoKeyUpdate()
}

/**
 * Locks the unit of a draft against changes, together with others who draft; one that a known agreement has is locked
 * already.
 * @throws NOT_FOUND The actor neither owns nor manages it. VALIDATION_ERROR It is another landlord's.
 */
export async function shareUnit({ em, actor }: Tx, id: number, known?: LockedAgreement) {
  if (known?.unit.id === id) return known.unit
  const unit = await em.findOne(
    PropertyUnit,
    { id, $or: [{ landlord_id: actor.id }, { managed_by_id: actor.id }] },
    { lockMode: LockMode.PESSIMISTIC_READ },
  )
  if (!unit) throw refuse('unit_not_found')
  if (known && unit.landlord_id !== known.agreement.landlord_id)
    throw refuseFields('unit_of_other_landlord', 'property_unit_id')
  return unit
}

/** Returns an agreement that was changed. */
export async function loadChanged(tx: Tx, message: string, { id }: Agreement): Promise<AgreementResult> {
  return { message, data: await loadView(tx, selectAgreement, { id }) }
}

/** Returns a draft that was written, with the warnings that its terms deserve. */
export async function loadDraft(tx: Tx, message: string, agreement: Agreement): Promise<AgreementResult> {
  const changed = await loadChanged(tx, message, agreement)
  return { ...changed, ...(await findWarnings(tx.em, agreement, tx.actor)) }
}
