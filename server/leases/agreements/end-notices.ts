import { LockMode } from '@mikro-orm/core'
import type { EntityManager } from '../../../db/database'
import { Agreement } from '../../../db/entities'
import type { Deps } from '../../deps'
import { recordActivities } from '../../domain/activities'
import { addDays } from '../../domain/dates'
import { formatDate } from '../../domain/formats'
import { runForEachAgreement } from '../../domain/isolation'
import { loadLockedAgreement } from '../access'
import { toAgreementActivity } from '../entries'

/** So many days before the end of a lease its parties are told, the first notice first. */
const NOTICE_DAYS = [60, 30]

/**
 * Tells the parties of leases that end soon, once for each notice. A run that comes late gives the nearest notice
 * alone. Returns how many leases failed.
 */
export async function giveEndNotices(deps: Deps, today: string) {
  const due = await deps.db.fork().find(Agreement, isDue(today), { fields: ['id'], orderBy: { id: 'asc' } })
  const ids = due.map(({ id }) => id)
  return runForEachAgreement(deps, ids, id =>
    deps.db.transactional(em => giveNotice(em, deps.now(), id, today)),
  )
}

const isDue = (today: string) => ({
  status: 'ACTIVE' as const,
  auto_renew: false,
  $or: NOTICE_DAYS.map(days => ({
    agreement_end_date: { $gte: today, $lte: addDays(today, days) },
    $or: [{ end_notice_days: null }, { end_notice_days: { $gt: days } }],
  })),
})

async function giveNotice(em: EntityManager, now: Date, id: number, today: string) {
  const locked = { lockMode: LockMode.PESSIMISTIC_WRITE } as const
  // Another instance may have given it.
  const agreement = await em.findOne(Agreement, { id, ...isDue(today) }, locked)
  if (!agreement) return

  const { agreement_end_date: end, agreement_number } = agreement
  const days = NOTICE_DAYS.findLast(each => end <= addDays(today, each))!
  agreement.end_notice_days = days
  await em.flush()
  // The notices before that were never ahead.
  const known_on = agreement.recorded_on ?? agreement.signed_date
  if (known_on && known_on > addDays(end, -days)) return

  const message = `The agreement ${agreement_number} ends on ${formatDate(end)}`
  const about = { type: 'lease_ends_soon', message, actorId: null, audience: 'everyone' } as const
  await recordActivities(em, now, toAgreementActivity(await loadLockedAgreement(em, agreement), about))
}
