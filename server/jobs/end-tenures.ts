import { getSqlState } from '../../db/database-errors'
import { Agreement, PropertyUnit } from '../../db/entities'
import { query } from '../../db/orm'
import { records } from '../../db/records'
import { transact } from '../../db/records'
import { toIndianDate, getTenureEndDate } from '../domain/dates'
import { findTenantIds } from '../agreements/access'
import { canTransition } from '../agreements/states'
import { appendEvent } from '../agreements/timeline'
import type { Deps } from '../deps'

const OVERLAP = '23P01'

/** Leases whose last day is over: renewed by the same tenure where that was agreed and nothing stands against it, else terminated. */
export async function endTenures(deps: Deps) {
  const today = toIndianDate(deps.now())
  const db = records(deps.orm)
  const over = await query(db)
    .selectFrom('agreements')
    .select('id')
    .where('status', '=', 'ACTIVE')
    .where('is_active', '=', true)
    .where('agreement_end_date', '<', today)
    .orderBy('id')
    .execute()
  for (const { id } of over) {
    const ended = await end(deps, id, today, true).catch(error => {
      if (getSqlState(error) !== OVERLAP) throw error
      return end(deps, id, today, false)
    })
    if (ended) deps.log.info({ agreement: id, ended }, 'A tenure is over')
  }
}

const end = (deps: Deps, id: number, today: string, mayRenew: boolean) =>
  transact(deps.orm, async tx => {
    const agreement = await tx.findOne(Agreement, { id }, { lock: 'update' })
    if (
      !agreement ||
      !canTransition(agreement.status, 'TERMINATED') ||
      agreement.status !== 'ACTIVE' ||
      agreement.agreement_end_date >= today
    )
      return undefined
    const renewed = agreement.auto_renew && mayRenew
    if (renewed)
      for (let tenures = 2; agreement.agreement_end_date < today; tenures++)
        agreement.agreement_end_date = getTenureEndDate(
          agreement.agreement_start_date,
          agreement.tenure_in_months * tenures,
        )
    else {
      agreement.status = 'TERMINATED'
      agreement.termination_date = agreement.agreement_end_date
    }
    const held = {
      agreement,
      unit: await tx.findOneOrFail(PropertyUnit, { id: agreement.property_unit_id }, { filters: false }),
      tenantIds: await findTenantIds(tx, agreement),
    }
    await appendEvent(tx, deps.now(), held, renewed ? 'renewed' : 'ended', null, {
      agreement_end_date: agreement.agreement_end_date,
    })
    return renewed ? 'renewed' : 'terminated'
  })
