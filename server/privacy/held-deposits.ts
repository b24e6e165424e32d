import { getKysely, type EntityManager } from '../../db/database'
import { refuse } from '../faults'
import { isPartyOrManager, toUserId } from './ownership'

/** @throws BAD_REQUEST A deposit of the user's agreements is held, by them or for them; `details` lists them. */
export async function requireNoHeldDeposits(em: EntityManager, userId: number) {
  const db = getKysely(em)
  const rented = db.selectFrom('agreement_tenants').where('tenant_id', '=', userId).select('agreement_id')
  const agreements = await db
    .selectFrom('agreements as agreement')
    .innerJoin('ledgers as ledger', 'ledger.agreement_id', 'agreement.id')
    .where(isPartyOrManager('ledger.agreement_id', toUserId(userId)))
    .where('ledger.deposit_held', '>', 0)
    .where(e => e.or([e('agreement.landlord_id', '=', userId), e('agreement.id', 'in', rented)]))
    .select(['agreement.agreement_id', 'agreement.agreement_number', 'agreement.status'])
    .orderBy('agreement.id')
    .execute()
  if (agreements.length === 0) return
  const numbers = agreements.map(({ agreement_number }) => agreement_number)
  throw refuse('deposit_held', { agreements: numbers }, { details: agreements })
}
