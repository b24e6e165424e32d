import type { Language, RentProofQuery } from '@kiraya/sdk/contract'
import { executeCompiled } from '../../../db/compiled-queries'
import type { Deps } from '../../deps'
import { toIndianDate } from '../../domain/dates'
import { getFiscalYear, parseFiscalYear } from '../../domain/fiscal-year'
import { toAmountInWords } from '../../domain/amount-in-words'
import { sumRupees, toPaise } from '../../domain/money'
import { findInForce, HRA_PAN_THRESHOLD, TAX_FORMS } from '../../domain/rent-law'
import { splitRows } from '../../documents/rows'
import type { RecordId } from '../../http/record-id'
import { refuseFields } from '../../errors'
import type { Reader } from '../../http/reads/reader'
import { chargeWords } from '../charges/descriptions'
import { findLandlordPan } from './landlord-pan'
import { loadParties, type LeaseParties } from './parties'
import { selectRentPayer, selectRentsPaid, type PaidRent } from './rent-proof-queries'

/**
 * Loads the proof of the rent that one tenant paid in a year, by the payments that stand today.
 * @throws NOT_FOUND The agreement is not visible to the reader.
 */
export async function loadRentProof(
  deps: Deps,
  reader: Reader,
  id: RecordId,
  { query, language }: { query: RentProofQuery; language: Language },
) {
  const as_of = toIndianDate(deps.now())
  const year = query.year ?? getFiscalYear(as_of)
  const { agreement_id, tenant_id } = await reader.row(selectRentPayer, id, 'agreement_not_found')
  const parties = await loadParties(deps, agreement_id, language)
  const payer = getPayer(parties, tenant_id, query.payer_id)
  const days = parseFiscalYear(year)!
  const { tenants } = parties
  const share = { payerId: payer.id, payers: tenants.length, position: tenants.indexOf(payer) + 1 }
  const given = { agreementId: agreement_id, ...share, ...days, words: chargeWords[language] }
  const rents = await executeCompiled(deps.db, selectRentsPaid, given)
  const pan = await findLandlordPan(deps, agreement_id, days.to)
  const data = {
    ...summarizeRents(rents, language),
    year,
    ...days,
    payer: payer.name,
    parties,
    needs_pan: pan !== undefined,
    landlord_pan: pan ?? null,
    pan_threshold: findInForce(HRA_PAN_THRESHOLD, days.from)!.rupees,
    form: findInForce(TAX_FORMS, days.from)!.rent_claim,
    as_of,
  }
  return { fileName: `${parties.agreement_number} rent ${year}`, name: 'rentProof', data } as const
}

function summarizeRents(all: PaidRent[], language: Language) {
  const [rents, further] = splitRows(all)
  const sum = (of: PaidRent[], field: 'rent' | 'paid') => sumRupees(of.map(each => each[field]))
  const total = sum(all, 'paid')
  return {
    rents,
    further: { count: further.length, rent: sum(further, 'rent'), paid: sum(further, 'paid') },
    total,
    amount_in_words: toAmountInWords(toPaise(total), language),
  }
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
