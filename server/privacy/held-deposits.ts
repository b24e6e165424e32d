import { getKysely, type EntityManager } from '../../db/database'
import { refuse } from '../faults'

/** @throws BAD_REQUEST A deposit of the user's agreements is held, by them or for them; `details` lists them. */
export async function requireNoHeldDeposits(em: EntityManager, userId: number) {
  const db = getKysely(em)
  const rented = db.selectFrom('agreement_tenants').where('tenant_id', '=', userId).select('agreement_id')
  const agreements = await db
    .selectFrom('agreements as a')
    .innerJoin('ledgers as l', 'l.agreement_id', 'a.id')
    .where('l.deposit_held', '>', 0)
    .where(e => e.or([e('a.landlord_id', '=', userId), e('a.id', 'in', rented)]))
    .select(['a.agreement_id', 'a.agreement_number', 'a.status'])
    .orderBy('a.id')
    .execute()
  if (agreements.length === 0) return
  const numbers = agreements.map(({ agreement_number }) => agreement_number)
  throw refuse('deposit_held', { agreements: numbers }, { details: agreements })
}
