import type { RentProofQuery } from '@kiraya/sdk/contract'
import { executeCompiled } from '../../../db/compiled-queries'
import type { Deps } from '../../deps'
import { toIndianDate } from '../../domain/dates'
import { getFiscalYear, parseFiscalYear } from '../../domain/fiscal-year'
import { parseRecordId } from '../../domain/record-id'
import { refuseFields } from '../../faults'
import type { Reader } from '../../http/reads/reader'
import { findLandlordPan } from './landlord-pan'
import { loadParties, type LeaseParties } from './parties'
import { selectRentPayer, selectRentsPaid } from './rent-proof-queries'

/**
 * Creates the proof of what one tenant paid of a year's rent.
 * @throws NOT_FOUND The agreement is not visible to the reader.
 */
export async function createRentProofPdf(
  deps: Deps,
  reader: Reader,
  agreementId: string,
  { year = getFiscalYear(toIndianDate(deps.now())), payer_id }: RentProofQuery,
) {
  const id = parseRecordId(agreementId, 'agreement_not_found')
  const { agreement_id, tenant_id } = await reader.row(selectRentPayer, id, 'agreement_not_found')
  const parties = await loadParties(deps, agreement_id)
  const payer = getPayer(parties, tenant_id, payer_id)
  const days = parseFiscalYear(year)!
  const given = { agreementId: agreement_id, payerId: payer.id, ...days, language: 'en' as const }
  const rents = await executeCompiled(deps.db, selectRentsPaid, given)
  const landlord_pan = await findLandlordPan(deps, agreement_id, days.to)
  const { renderRentProof } = await import('./rent-proof-pdf')
  const content = await renderRentProof({ year, days, payer: payer.name, parties, rents, landlord_pan })
  return { name: `${parties.agreement_number} rent ${year}`, content }
}

/** Tenants get their own; the landlord's side names a tenant, unless there is one only. */
function getPayer({ tenants }: LeaseParties, tenantId: number | null, payerId: number | undefined) {
  if (tenantId !== null && payerId !== undefined && payerId !== tenantId)
    throw refuseFields('payer_not_self', 'payer_id', { id: tenantId })
  const id = tenantId ?? payerId ?? (tenants.length === 1 ? tenants[0]!.id : undefined)
  const payer = tenants.find(tenant => tenant.id === id)
  if (!payer) throw refuseFields('payer_not_tenant', 'payer_id', { ids: tenants.map(tenant => tenant.id) })
  return payer
}
