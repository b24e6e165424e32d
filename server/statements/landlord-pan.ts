import { sql } from 'kysely'
import { executeCompiled } from '../../db/compiled-queries'
import type { Db } from '../../db/database'
import { HRA_PAN_THRESHOLD, isAbove } from '../domain/rent-law'
import { loadLeaseRents } from '../charges/schedule-view'
import type { Deps } from '../deps'
import { decryptText } from '../domain/encryption'
import { getFiscalYear, parseFiscalYear } from '../domain/fiscal-year'
import { toRupees } from '../domain/money'
import { toPanPlace } from '../domain/pan'
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
  for (const year of years) {
    const given = { agreementId: agreement_id, payerId: payer_id, ...parseFiscalYear(year)! }
    if (needsPan(toRupees(await sumRentsOfYear(deps, given, year)), year)) return pan
  }
  return null
}

/** Sums the rents of a fiscal year of all leases that renew one another, in paise. */
async function sumRentsOfYear(deps: Deps, given: Tenancy, year: string) {
  let sum = 0
  for (const lease of await loadTenancy(deps, given)) {
    const { rents } = await loadLeaseRents(deps.db, lease)
    for (const { period_start, amount } of rents) if (getFiscalYear(period_start) === year) sum += amount
  }
  return sum
}

type Tenancy = { agreementId: number; payerId: number; from: string; to: string }

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
        and coalesce(a.termination_date, a.agreement_end_date) >= ${from}::date as has_days
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
