import { sql } from 'kysely'
import { executeCompiled } from '../../db/compiled-queries'
import { getKysely, type Database, type Db, type EntityManager } from '../../db/database'
import { setQueryTime } from '../../db/deadlines'
import { generateCertificate } from '../leases/evidence/certificate'
import type { Deps } from '../deps'
import { isPartyOrManager, MAX_QUERY_MS, toUserId } from './ownership'

/**
 * Generates the missing certificates of a user's signed agreements while records still name the user. Each is kept as
 * a draft, so that an erasure that is sent again goes on where the last one ended.
 */
export async function generateCertificates(deps: Deps, userId: number) {
  const agreements = await executeCompiled(deps.db, selectUncertifiedAgreements, { userId })
  for (const { id } of agreements) {
    setQueryTime(MAX_QUERY_MS)
    await saveDraft(deps.db, id, { ...(await generateCertificate(deps, id)), created_at: deps.now() })
  }
}

function selectUncertifiedAgreements(db: Db, { userId }: { userId: number }) {
  return db
    .selectFrom('agreements as a')
    .where(isPartyOrManager('a.id', toUserId(userId)))
    .where('a.signed_date', 'is not', null)
    .where(isUncertified)
    .select('a.id')
}

/** Whether an agreement (`agreements as a`) has neither a certificate nor a draft that covers its timeline. */
const isUncertified = sql<boolean>`(
  not exists (select from agreement_certificates c where c.agreement_id = a.id)
  and not exists (
    select from certificate_drafts d where d.agreement_id = a.id and d.timeline_length = a.timeline_length
  )
)`

type Draft = { timeline_length: number; content: Uint8Array; created_at: Date }

async function saveDraft(db: Database, agreement_id: number, { content, ...rest }: Draft) {
  const draft = { ...rest, content: Buffer.from(content) }
  await getKysely(db)
    .insertInto('certificate_drafts')
    .values({ agreement_id, ...draft })
    .onConflict(conflict => conflict.column('agreement_id').doUpdateSet(draft))
    .execute()
}

type LockedAgreement = { id: number; signed_date: string | null }

/**
 * Turns the drafts of locked agreements into certificates.
 * Returns false if one was not generated, or does not cover the current timeline.
 */
export async function storeCertificates(em: EntityManager, now: Date, agreements: LockedAgreement[]) {
  const ids = agreements.filter(({ signed_date }) => signed_date !== null).map(({ id }) => id)
  const db = getKysely(em)
  const uncertified = await db
    .selectFrom('agreements as a')
    .where(e => e('a.id', '=', e.fn.any(e.val(ids))))
    .where(isUncertified)
    .select('a.id')
    .execute()
  if (uncertified.length > 0) return false
  await sql`
    with drafts as (delete from certificate_drafts where agreement_id = any (${ids}::int[]) returning *)
    insert into agreement_certificates (agreement_id, sha256, content, created_at)
    select agreement_id, encode(sha256(content), 'hex'), content, ${now}::timestamptz from drafts
    on conflict do nothing`.execute(db)
  return true
}
