import { LockMode } from '@mikro-orm/core'
import { getSqlState } from '../../../db/database-errors'
import { Agreement } from '../../../db/entities'
import { loadLockedAgreement } from '../access'
import { appendEntry } from '../timeline'
import type { Deps } from '../../deps'
import { getTenureEndDate, toIndianDate } from '../../domain/dates'
import { requireNoFailures, runForEachAgreement } from '../../domain/isolation'
import { giveEndNotices } from './end-notices'

const EXCLUSION_VIOLATION = '23P01'

/**
 * Renews leases after their last day if that was agreed and the unit is free, and terminates the others. Then it gives
 * the notices of those that end soon.
 */
export async function endTenures(deps: Deps) {
  const today = toIndianDate(deps.now())
  const hasEnded = { status: 'ACTIVE', agreement_end_date: { $lt: today } } as const
  const ended = await deps.db.fork().find(Agreement, hasEnded, { fields: ['id'], orderBy: { id: 'asc' } })
  const ids = ended.map(({ id }) => id)
  const failures = await runForEachAgreement(deps, ids, async id => {
    const outcome = await renewOrTerminate(deps, id, today)
    if (outcome) deps.log.info({ agreement: id, ended: outcome }, 'A tenure has ended')
  })
  requireNoFailures(failures + (await giveEndNotices(deps, today)))
}

async function renewOrTerminate(deps: Deps, id: number, today: string) {
  try {
    return await endTenure(deps, id, today, { canRenew: true })
  } catch (error) {
    if (getSqlState(error) !== EXCLUSION_VIOLATION) throw error
    // The unit has another agreement for the new tenure.
    return endTenure(deps, id, today, { canRenew: false })
  }
}

function endTenure(deps: Deps, id: number, today: string, { canRenew }: { canRenew: boolean }) {
  return deps.db.transactional(async em => {
    // The books pass an advance on to the renewal.
    const locked = { lockMode: LockMode.PESSIMISTIC_WRITE, orderBy: { id: 'asc' } } as const
    const agreements = await em.find(Agreement, { $or: [{ id }, { renews_id: id }] }, locked)
    const agreement = agreements.find(each => each.id === id)
    const hasEnded = agreement?.status === 'ACTIVE' && agreement.agreement_end_date < today
    if (!hasEnded) return undefined

    const isRenewed = agreement.auto_renew && canRenew
    if (isRenewed) extendTenure(agreement, today)
    else terminate(agreement)
    agreement.evidence_due_at = deps.now()

    const lease = await loadLockedAgreement(em, agreement)
    const { agreement_end_date } = agreement
    const entry = isRenewed ? 'renewed' : 'ended'
    await appendEntry(em, deps.now(), lease, entry, null, { agreement_end_date })
    await em.flush()
    if (isRenewed) return 'renewed'
    await deps.leaseHooks.afterEnd({ ...deps, em }, agreement)
    return 'terminated'
  })
}

/** Adds whole tenures until the lease includes today. */
function extendTenure(agreement: Agreement, today: string) {
  for (let tenures = 2; agreement.agreement_end_date < today; tenures++) {
    const months = agreement.tenure_in_months * tenures
    agreement.agreement_end_date = getTenureEndDate(agreement.agreement_start_date, months)
  }
}

function terminate(agreement: Agreement) {
  agreement.status = 'TERMINATED'
  agreement.termination_date = agreement.agreement_end_date
}
