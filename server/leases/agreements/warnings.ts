import type { Warning } from '@kiraya/sdk/contract'
import { executeCompiled } from '../../../db/compiled-queries'
import type { Db, EntityManager } from '../../../db/database'
import type { Agreement } from '../../../db/entities'
import { MODEL_TENANCY } from '../../domain/rent-law'
import { exceedsCustomaryLateFee } from '../../domain/late-fee'
import { toPaise } from '../../domain/money'
import { toWarning } from '../../messages/warnings'

/** Returns what of the terms breaks a custom, which is never refused; nothing if nothing does. */
export async function findWarnings(
  em: EntityManager,
  agreement: Agreement,
): Promise<{ warnings?: Warning[] }> {
  const warnings: Warning[] = []
  if (await isDepositAboveCustom(em, agreement)) warnings.push(toWarning('deposit_above_custom'))
  if (isLateFeeAboveCustom(agreement)) warnings.push(toWarning('late_fee_above_custom'))
  return warnings.length > 0 ? { warnings } : {}
}

async function isDepositAboveCustom(em: EntityManager, agreement: Agreement) {
  const { deposit_amount, rent_amount, property_unit_id } = agreement
  if (!deposit_amount) return false
  const [property] = await executeCompiled(em, selectPropertyType, { unitId: property_unit_id })
  const { residential, other } = MODEL_TENANCY.deposit_months
  const months = property!.property_type === 'commercial' ? other : residential
  return toPaise(deposit_amount) > months * toPaise(rent_amount)
}

function selectPropertyType(db: Db, { unitId }: { unitId: number }) {
  return db
    .selectFrom('property_units as u')
    .innerJoin('properties as p', 'p.id', 'u.property_id')
    .where('u.id', '=', unitId)
    .select('p.property_type')
}

function isLateFeeAboveCustom(agreement: Agreement) {
  const { late_fee = null, late_fee_percent = null, late_fee_cap = null } = agreement
  const terms = { ...agreement, late_fee, late_fee_percent, late_fee_cap }
  return exceedsCustomaryLateFee(terms, toPaise(agreement.rent_amount))
}
