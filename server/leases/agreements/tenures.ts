import { LockMode } from '@mikro-orm/core'
import { getSqlState } from '../../../db/database-errors'
import { Agreement } from '../../../db/entities'
import { loadLockedAgreement, type LockedAgreement } from '../access'
import { appendEntry } from '../timeline'
import type { Deps, Tx } from '../../deps'
import { getTenureEndDate, toIndianDate } from '../../domain/dates'
import { requireNoFailures, runForEachAgreement } from '../../domain/isolation'
import { giveEndNotices } from './end-notices'

const EXCLUSION_VIOLATION = '23P01'

/**
 * Renews leases after their last day if that was agreed, the unit is free and the tenants do not move to another one, and
 * terminates the others. Then it gives the notices of those that end soon.
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

/** Whether the next term of a lease, which may be of another unit, is sent or signed, and begins by a day. */
const isTakenUp = ({ status, agreement_start_date }: Agreement, day: string) =>
  (status === 'PENDING' || status === 'ACTIVE') && agreement_start_date <= day

function endTenure(deps: Deps, id: number, today: string, { canRenew }: { canRenew: boolean }) {
  return deps.db.transactional(async em => {
    // The books pass an advance on to the renewal.
    const locked = { lockMode: LockMode.PESSIMISTIC_WRITE, orderBy: { id: 'asc' } } as const
    const agreements = await em.find(Agreement, { $or: [{ id }, { renews_id: id }] }, locked)
    const agreement = agreements.find(each => each.id === id)
    const hasEnded = agreement?.status === 'ACTIVE' && agreement.agreement_end_date < today
    if (!hasEnded) return undefined

    const end = getExtendedEnd(agreement, today)
    const isFollowed = agreements.some(each => each !== agreement && isTakenUp(each, end))
    const isRenewed = agreement.auto_renew && canRenew && !isFollowed
    if (isRenewed) agreement.agreement_end_date = end
    await finishTenure({ ...deps, em }, await loadLockedAgreement(em, agreement), isRenewed)
    return isRenewed ? 'renewed' : 'terminated'
  })
}

/** Finishes the tenure of a lease that was extended, or ends with it. */
export async function finishTenure(
  { em, now, leaseHooks }: Pick<Tx, 'em' | 'now' | 'leaseHooks'>,
  locked: LockedAgreement,
  isRenewed: boolean,
) {
  const { agreement } = locked
  const { agreement_end_date } = agreement
  if (!isRenewed) {
    agreement.status = 'TERMINATED'
    agreement.termination_date = agreement_end_date
  }
  agreement.evidence_due_at = now()
  await appendEntry(em, now(), locked, isRenewed ? 'renewed' : 'ended', null, { agreement_end_date })
  await em.flush()
  if (!isRenewed) await leaseHooks.afterEnd({ em, now }, agreement)
}

/** If a tenure is over on a day, extends it if the lease renews itself and its unit is free; returns which of both it is. */
export async function extendIfOver(
  agreement: Agreement,
  day: string,
  isLet: (term: Agreement) => boolean | Promise<boolean>,
): Promise<'over' | 'extended' | undefined> {
  if (agreement.agreement_end_date >= day) return undefined
  const agreement_end_date = getExtendedEnd(agreement, day)
  if (!agreement.auto_renew || (await isLet({ ...agreement, agreement_end_date }))) return 'over'
  agreement.agreement_end_date = agreement_end_date
  return 'extended'
}

/** Returns the last day of a lease that is extended by whole tenures until it includes a day. */
function getExtendedEnd(
  { agreement_start_date, agreement_end_date, tenure_in_months }: Agreement,
  day: string,
) {
  let end = agreement_end_date
  for (let tenures = 2; end < day; tenures++)
    end = getTenureEndDate(agreement_start_date, tenure_in_months * tenures)
  return end
}
