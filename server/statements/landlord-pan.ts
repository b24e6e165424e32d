import { executeCompiled } from '../../db/compiled-queries'
import type { Db } from '../../db/database'
import { HRA_PAN_THRESHOLD, isAbove } from '../books/law'
import { loadMonthlyRents } from '../charges/schedule-view'
import type { Deps } from '../deps'
import { decryptText } from '../domain/encryption'
import { getFiscalYear, parseFiscalYear } from '../domain/fiscal-year'
import { toRupees } from '../domain/money'
import { toPanPlace } from '../domain/pan'
import type { SessionReader } from '../http/authentication'
import type { SettledCharge } from './receipt-queries'

/** Whether a tenant who claims so many rupees of rent for a fiscal year names the landlord's PAN. */
export function needsPan(rupees: number, year: string) {
  return isAbove(HRA_PAN_THRESHOLD, rupees, parseFiscalYear(year)!.from)
}

/** Finds the PAN for a receipt of rent: only if the rent of one of the years that it settles needs it. */
export async function findPanOfReceipt(
  deps: Deps,
  reader: SessionReader,
  { agreement_id, settled }: { agreement_id: number; settled: SettledCharge[] },
) {
  const rents = settled.filter(({ type }) => type === 'rent')
  if (rents.length === 0) return null
  const pan = await findLandlordPan(deps, agreement_id)
  if (pan === null) return null
  const years = new Set(rents.map(({ period_start, due_date }) => getFiscalYear(period_start ?? due_date)))
  const { rents: monthly } = await loadMonthlyRents(reader, { id: agreement_id })
  const sumOf = (year: string) =>
    monthly.reduce((sum, rent) => sum + (getFiscalYear(rent.period_start) === year ? rent.amount : 0), 0)
  return [...years].some(year => needsPan(toRupees(sumOf(year)), year)) ? pan : null
}

/** Finds the landlord's PAN whole, for papers that may bear it; null if there is none, or its key is missing. */
export async function findLandlordPan({ db, config, log }: Deps, agreementId: number) {
  const [landlord] = await executeCompiled(db, selectLandlordPan, { agreementId })
  const { id, user_id, pan } = landlord!
  if (pan === null) return null
  const decrypted = decryptText(config.acceptedSecrets.CREDENTIALS_KEY, pan, toPanPlace(user_id))
  if (decrypted === undefined) log.error({ user: id }, 'A PAN does not open: CREDENTIALS_KEY is not its key')
  return decrypted ?? null
}

function selectLandlordPan(db: Db, { agreementId }: { agreementId: number }) {
  return db
    .selectFrom('agreements as a')
    .innerJoin('users as u', 'u.id', 'a.landlord_id')
    .where('a.id', '=', agreementId)
    .select(['u.id', 'u.user_id', 'u.pan'])
}
