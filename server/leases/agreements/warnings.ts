import type { Agreement as AgreementView, LateFeeKind, PropertyType, WarningCode } from '@kiraya/sdk/contract'
import { executeCompiled } from '../../../db/compiled-queries'
import type { Db, EntityManager } from '../../../db/database'
import type { Agreement } from '../../../db/entities'
import { CUSTOMARY_LATE_FEE_PERCENT, MODEL_TENANCY } from '../../domain/rent-law'
import { toPaise } from '../../domain/money'
import type { Actor } from '../../deps'
import { toWarning } from '../../messages/warnings'
import { findDepositWarning, type Warned } from '../previous-lease'

type FeeTerms = { late_fee_kind: LateFeeKind } & Pick<
  Agreement,
  'rent_amount' | 'late_fee' | 'late_fee_percent'
>

/** Returns what of the terms breaks a custom or has no effect, which is never refused; nothing if nothing does. */
export async function findWarnings(
  em: EntityManager,
  agreement: Agreement,
  actor: Pick<Actor, 'id'>,
): Promise<Warned> {
  const { warnings = [] } = await findDepositWarning(em, agreement.id, actor)
  const [property] = await executeCompiled(em, selectPropertyType, { unitId: agreement.property_unit_id })
  warnings.push(...listTermWarnings(agreement, property!.property_type))
  return warnings.length > 0 ? { warnings } : {}
}

/** Warns of the objections of tenants to what was recorded. */
export const warnOfObjections = ({ objections }: AgreementView): Warned =>
  objections.length > 0 ? { warnings: [toWarning('tenant_objects')] } : {}

/** Lists those of the terms alone. */
export function listTermWarnings(agreement: Agreement, type: PropertyType) {
  const codes: WarningCode[] = []
  if (isDepositAboveCustom(agreement, type)) codes.push('deposit_above_custom')
  if (isEscalationAfterTenure(agreement)) codes.push('escalation_after_tenure')
  if (isLateFeeAboveCustom(agreement)) codes.push('late_fee_above_custom')
  return codes.map(code => toWarning(code))
}

function isDepositAboveCustom({ deposit_amount, rent_amount }: Agreement, type: PropertyType) {
  if (!deposit_amount) return false
  const { residential, other } = MODEL_TENANCY.deposit_months
  const months = type === 'commercial' ? other : residential
  return toPaise(deposit_amount) > months * toPaise(rent_amount)
}

function selectPropertyType(db: Db, { unitId }: { unitId: number }) {
  return db
    .selectFrom('property_units as u')
    .innerJoin('properties as p', 'p.id', 'u.property_id')
    .where('u.id', '=', unitId)
    .select('p.property_type')
}

/** A lease that extends itself goes on counting from its start. */
function isEscalationAfterTenure({ escalation_every_months, tenure_in_months, auto_renew }: Agreement) {
  return !auto_renew && (escalation_every_months ?? 0) >= tenure_in_months
}

/**
 * Whether a late fee is above what is customary on the rent. A flat fee counts as that of a whole month. The cap is
 * ignored: it bounds the sum, not the rate.
 */
export function isLateFeeAboveCustom(terms: FeeTerms) {
  const fee = toPaise(terms.late_fee ?? 0)
  const customary = (toPaise(terms.rent_amount) * CUSTOMARY_LATE_FEE_PERCENT) / 100
  switch (terms.late_fee_kind) {
    case 'flat':
      return fee * 12 > customary
    case 'per_day':
      return fee * 365 > customary
    case 'percent_pa':
      return (terms.late_fee_percent ?? 0) > CUSTOMARY_LATE_FEE_PERCENT
  }
}
