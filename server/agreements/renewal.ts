import type { RenewInput } from '@kiraya/sdk/contract'
import { executeCompiled } from '../../db/compiled-queries'
import type { Db, EntityManager } from '../../db/database'
import { SQL_TRUE } from '../../db/database'
import { Agreement } from '../../db/entities'
import { getRentOn } from '../charges/rents'
import { listRents, loadRevisions } from '../charges/agreement-schedule'
import type { Deps } from '../deps'
import { addDays, getTenureEndDate } from '../domain/dates'
import { toRupees } from '../domain/money'
import { refuse } from '../faults'
import type { Actor } from '../http/authentication'
import { saveIdempotentResponse } from '../http/idempotency'
import { results } from '../messages/results'
import { lockAgreement, requireLandlordOrManager, type LockedAgreement } from './access'
import { getNextAgreementNumber } from './agreement-number'
import { consumeDailyLimit } from './daily-limits'
import { loadAgreementView } from './queries'
import { changeTerms, initialState, type AgreementResult } from './service'
import { findChangedFields, insertTenants, takeSnapshot, toTerms } from './terms'
import { appendEvent } from './timeline'
import { findWarnings } from './warnings'

/** Draws up the draft of a lease's next term, from the day after its end. */
export function renewAgreement(
  deps: Deps,
  actor: Actor,
  id: string,
  change: RenewInput,
): Promise<AgreementResult> {
  return deps.db.transactional(async em => {
    const now = deps.now()
    const locked = await lockAgreement(em, actor, id)
    const { agreement } = locked
    requireLandlordOrManager(actor, locked)
    await requireRenewable(em, locked)
    await consumeDailyLimit(em, deps, locked.agreement, 'changes')

    const renewal = await createRenewal(deps, em, actor, locked, change)
    const next = renewal.agreement
    await appendEvent(em, now, locked, 'renewal_drafted', actor.id, { agreement_id: next.agreement_id })
    await appendEvent(em, now, renewal, 'created', actor.id, {
      renews_agreement_id: agreement.agreement_id,
      fields: findChangedFields(takeSnapshot(locked), takeSnapshot(renewal)),
    })
    await em.flush()
    const data = await loadAgreementView(em, actor, next.id)
    const response = { message: results.agreement_renewed, data, ...(await findWarnings(em, next)) }
    return saveIdempotentResponse(em, response)
  })
}

/**
 * @throws FORBIDDEN The agreement was never active, or is closed. NOT_FOUND Its unit is deleted.
 * BAD_REQUEST Its next term is drawn up already.
 */
async function requireRenewable(em: EntityManager, { agreement, unit }: LockedAgreement) {
  const { id, status, signed_date } = agreement
  const wasActive = status === 'ACTIVE' || (status === 'TERMINATED' && signed_date)
  if (!wasActive) throw refuse('wrong_status', { status, to_be: 'renewed' })
  if (!unit.is_active) throw refuse('unit_not_found')
  const [open] = await executeCompiled(em, selectOpenRenewal, { id })
  if (open) throw refuse('already_renewed', { agreement: open.agreement_number })
}

function selectOpenRenewal(db: Db, { id }: { id: number }) {
  return db
    .selectFrom('agreements')
    .where('renews_id', '=', id)
    .where('is_active', '=', SQL_TRUE)
    .where('status', 'in', ['DRAFT', 'PENDING', 'ACTIVE'])
    .select('agreement_number')
}

async function createRenewal(
  deps: Deps,
  em: EntityManager,
  actor: Actor,
  { agreement, unit, tenantIds }: LockedAgreement,
  { agreement_number, ...change }: RenewInput,
): Promise<LockedAgreement> {
  const start = addDays(agreement.termination_date ?? agreement.agreement_end_date, 1)
  const next = em.create(Agreement, {
    ...toTerms(agreement),
    ...initialState(),
    landlord_id: agreement.landlord_id,
    agreement_number: agreement_number ?? (await getNextAgreementNumber(em, unit.landlord_id, deps.now())),
    agreement_start_date: start,
    agreement_end_date: getTenureEndDate(start, agreement.tenure_in_months),
    rent_amount: await computeNextRent(em, agreement, start),
    renews_id: agreement.id,
  })
  await em.flush()
  await insertTenants(em, next, tenantIds)
  return changeTerms(deps, em, actor, { agreement: next, unit, tenantIds }, change)
}

/** The rent that the lease would have on that day, with the escalation that falls on it. */
async function computeNextRent(em: EntityManager, agreement: Agreement, start: string) {
  const revisions = await loadRevisions(em, [agreement.id])
  return toRupees(getRentOn(listRents({ ...agreement, agreement_end_date: start }, revisions), start))
}
