import { sql } from 'kysely'
import { executeCompiled } from '../../../db/compiled-queries'
import type { Db } from '../../../db/database'
import { HRA_PAN_THRESHOLD, isAbove } from '../../domain/rent-law'
import { toLastChargedDay } from '../../leases/term'
import { loadLeaseRents } from '../charges/schedule-view'
import type { Deps } from '../../deps'
import { decryptText } from '../../domain/encryption'
import { getFiscalYear, parseFiscalYear } from '../../domain/fiscal-year'
import { toRupees } from '../../domain/money'
import { toPanPlace } from '../../domain/pan'
import type { SettledCharge } from './receipt-queries'

/** Whether a tenant who claims so many rupees of rent for a fiscal year names the landlord's PAN. */
export function needsPan(rupees: number, year: string) {
  return isAbove(HRA_PAN_THRESHOLD, rupees, parseFiscalYear(year)!.from)
}

type ReceiptOfRent = { agreement_id: number; payer_id: number; settled: SettledCharge[] }

/** Finds the PAN for a receipt of rent: only if the rent of one of the years that it settles needs it. */
export async function findPanOfReceipt(deps: Deps, { agreement_id, payer_id, settled }: ReceiptOfRent) {
  const rents = settled.filter(({ type }) => type === 'rent')
  if (rents.length === 0) return null
  const pan = await findLandlordPan(deps, agreement_id)
  if (pan === null) return null
  const years = new Set(rents.map(({ period_start, due_date }) => getFiscalYear(period_start ?? due_date)))
  const sums = await sumRentsByYear(deps, { agreementId: agreement_id, payerId: payer_id }, years)
  return [...sums].some(([year, sum]) => needsPan(toRupees(sum), year)) ? pan : null
}

/** Sums the rents of fiscal years, of all leases that renew one another, in paise. */
async function sumRentsByYear(
  deps: Deps,
  lease: { agreementId: number; payerId: number },
  years: Set<string>,
) {
  const sums = new Map([...years].map(year => [year, 0]))
  const named = [...years].toSorted()
  const days = { from: parseFiscalYear(named.at(0)!)!.from, to: parseFiscalYear(named.at(-1)!)!.to }
  for (const { id, landlord_id } of await loadTenancy(deps, { ...lease, ...days })) {
    const { rents } = await loadLeaseRents(deps.db, { id, landlord_id })
    for (const { period_start, amount } of rents) {
      const year = getFiscalYear(period_start)
      if (sums.has(year)) sums.set(year, sums.get(year)! + amount)
    }
  }
  return sums
}

export type Tenancy = { agreementId: number; payerId: number; from: string; to: string }

/**
 * Loads the signed leases of a tenant that renew one another, so that terms of eleven months do not split a year: those
 * that have days of a period.
 */
export function loadTenancy({ db }: Pick<Deps, 'db'>, given: Tenancy) {
  return executeCompiled(db, selectTenancy, given)
}

const selectTenancy = (_: Db, { agreementId, payerId, from, to }: Tenancy) => sql<{
  id: number
  landlord_id: number
}>`
  with recursive rented as materialized (
    select a.id, a.landlord_id, a.renews_id,
      a.agreement_start_date <= ${to}::date
        and ${toLastChargedDay('a')} >= ${from}::date as has_days
    from agreement_tenants t join agreements a on a.id = t.agreement_id
    where t.tenant_id = ${payerId} and a.signed_date is not null and a.is_active
  ), tenancy as (
    select * from rented where id = ${agreementId}
    union
    select r.* from rented r join tenancy on r.id = tenancy.renews_id or r.renews_id = tenancy.id
  )
  select id, landlord_id from tenancy where has_days`

/** Finds the landlord's PAN whole, for documents that may bear it; null if there is none, or its key is missing. */
export async function findLandlordPan({ db, config, log }: Deps, agreementId: number) {
  const [landlord] = await executeCompiled(db, selectLandlordPan, { agreementId })
  const { id, user_id, pan } = landlord!
  if (pan === null) return null
  const decrypted = decryptText(config.acceptedSecrets.CREDENTIALS_KEY, pan, toPanPlace(user_id))
  if (decrypted === undefined)
    log.error({ user: id }, 'A PAN cannot be decrypted: CREDENTIALS_KEY is not its key')
  return decrypted ?? null
}

function selectLandlordPan(db: Db, { agreementId }: { agreementId: number }) {
  return db
    .selectFrom('agreements as a')
    .innerJoin('users as u', 'u.id', 'a.landlord_id')
    .where('a.id', '=', agreementId)
    .select(['u.id', 'u.user_id', 'u.pan'])
}
