import { sql } from 'kysely'
import { getKysely, type EntityManager } from '../../db/database'
import { refuse } from '../faults'
import { selectOwnIds, toUserId } from './ownership'

/** @throws BAD_REQUEST A deposit of the user's agreements is held, by them or for them; `details` lists them. */
export async function requireNoHeldDeposits(em: EntityManager, userId: number) {
  const id = toUserId(userId)
  const ids = sql`array(
    ${selectOwnIds('agreements', id)} union select agreement_id from agreement_tenants where tenant_id = ${id}
  )`
  const agreements = await getKysely(em)
    .selectFrom('agreements as agreement')
    .innerJoin('ledgers as ledger', 'ledger.agreement_id', 'agreement.id')
    .where(sql<boolean>`ledger.agreement_id = any (${ids})`)
    .where('ledger.deposit_held', '>', 0)
    .select(['agreement.agreement_id', 'agreement.agreement_number', 'agreement.status'])
    .orderBy('agreement.id')
    .execute()
  if (agreements.length === 0) return
  const numbers = agreements.map(({ agreement_number }) => agreement_number)
  throw refuse('deposit_held', { agreements: numbers }, { details: agreements })
}
