import { sql } from 'kysely'
import { executeCompiled } from '../../db/compiled-queries'
import { getKysely, type Db, type EntityManager } from '../../db/database'
import { setQueryTime } from '../../db/deadlines'
import { storeEvidence } from '../leases/evidence/service'
import type { Deps } from '../deps'
import { isPartyOrManager, MAX_QUERY_MS, toUserId } from './ownership'

/** Stores the missing certificates of a user's signed agreements while records still name the user. */
export async function storeCertificates(deps: Deps, userId: number) {
  const agreements = await executeCompiled(deps.db, selectUncertifiedAgreements, { userId })
  for (const { id } of agreements) {
    setQueryTime(MAX_QUERY_MS)
    await storeEvidence(deps, id)
  }
}

function selectUncertifiedAgreements(db: Db, { userId }: { userId: number }) {
  return db
    .selectFrom('agreements as a')
    .where(isPartyOrManager('a.id', toUserId(userId)))
    .where(isUncertified)
    .select('a.id')
}

/** Whether the certificate of a signed agreement (`agreements as a`) is not stored, or is out of date. */
const isUncertified = sql<boolean>`(
  a.signed_date is not null and (a.evidence_due_at is not null or not exists (
    select from agreement_certificates c where c.agreement_id = a.id
  ))
)`

/** Whether the certificates of locked agreements are stored. */
export async function areCertified(em: EntityManager, agreements: { id: number }[]) {
  const ids = agreements.map(({ id }) => id)
  if (ids.length === 0) return true
  const uncertified = await getKysely(em)
    .selectFrom('agreements as a')
    .where(e => e('a.id', '=', e.fn.any(e.val(ids))))
    .where(isUncertified)
    .select('a.id')
    .execute()
  return uncertified.length === 0
}
