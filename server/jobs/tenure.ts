import { LockMode } from '@mikro-orm/core'
import { Agreement } from '../../db/entities'
import { query } from '../../db/orm'
import { tell } from '../activity'
import { dayInIndia, lastDayOf } from '../calendar'
import { databaseCode } from '../http/errors'
import { audienceOf } from '../agreements/access'
import { mayBecome } from '../agreements/states'
import type { Deps } from '../deps'

const OVERLAP = '23P01'

/** Leases whose last day is over: renewed by the same tenure where that was agreed and nothing stands against it, else terminated. */
export async function endTenures(deps: Deps) {
  const today = dayInIndia(deps.now()), em = deps.orm.em.fork()
  const over = await query(em).selectFrom('agreements').select('id').where('status', '=', 'ACTIVE').where('is_active', '=', true).where('agreement_end_date', '<', today).orderBy('id').execute()
  for (const { id } of over) {
    const ended = await end(deps, id, today, true).catch(error => {
      if (databaseCode(error) !== OVERLAP) throw error
      return end(deps, id, today, false)
    })
    if (ended) deps.log.info({ agreement: id, ended }, 'A tenure is over')
  }
}

const end = (deps: Deps, id: number, today: string, mayRenew: boolean) => deps.orm.em.fork().transactional(async tx => {
  const agreement = await tx.findOne(Agreement, { id }, { lockMode: LockMode.PESSIMISTIC_WRITE })
  if (!agreement || !mayBecome(agreement.status, 'TERMINATED') || agreement.status !== 'ACTIVE' || agreement.agreement_end_date >= today) return undefined
  const renewed = agreement.auto_renew && mayRenew
  if (renewed) for (let tenures = 2; agreement.agreement_end_date < today; tenures++) agreement.agreement_end_date = lastDayOf(agreement.agreement_start_date, agreement.tenure_in_months * tenures)
  else {
    agreement.status = 'TERMINATED'
    agreement.termination_date = agreement.agreement_end_date
  }
  await tx.flush()
  await tell(tx, deps.now(), await audienceOf(tx, agreement), {
    type: renewed ? 'agreement_renewed' : 'agreement_terminated',
    message: renewed ? `The agreement ${agreement.agreement_number} was renewed until ${agreement.agreement_end_date}` : `The agreement ${agreement.agreement_number} has come to its end`,
    entity_type: 'agreement', entity_id: id, actor_id: null,
  })
  return renewed ? 'renewed' : 'terminated'
})
