import { sql } from 'kysely'
import type { Warning } from '@kiraya/sdk/contract'
import { executeCompiled } from '../../db/compiled-queries'
import type { Db, EntityManager } from '../../db/database'
import type { Actor } from '../deps'
import { toWarning } from '../messages/warnings'

/** Whether what the lease before holds moves to an agreement `a`: one of its tenants stays. Null without one. */
export const depositMoves = sql<boolean | null>`case when a.renews_id is not null then exists (
  select from agreement_tenants stays join agreement_tenants rented on rented.tenant_id = stays.tenant_id
  where stays.agreement_id = a.id and rented.agreement_id = a.renews_id
) end`

export async function doesDepositMove(em: EntityManager, id: number) {
  const [agreement] = await executeCompiled(em, selectDepositMoves, { id })
  return Boolean(agreement?.moves)
}

function selectDepositMoves(db: Db, { id }: { id: number }) {
  return db.selectFrom('agreements as a').where('a.id', '=', id).select(depositMoves.as('moves'))
}

export type Warned = { warnings?: Warning[] }

/** Tells the landlord's side that what the lease before holds does not move along. */
export async function findDepositWarning(em: EntityManager, agreementId: number, { id }: Pick<Actor, 'id'>) {
  const staying = await executeCompiled(em, selectStayingMoney, { agreementId, userId: id })
  return (staying.length > 0 ? { warnings: [toWarning('deposit_stays')] } : {}) as Warned
}

/** `offset 0` keeps the planner from hashing the advances of all leases. */
const selectStayingMoney = (
  _: Db,
  { agreementId, userId }: { agreementId: number; userId: number },
) => sql<object>`
  select a.id from agreements a join property_units u on u.id = a.property_unit_id
  join ledgers ledger on ledger.agreement_id = a.renews_id
  where a.id = ${agreementId} and not ${depositMoves} and ${userId}::int in (a.landlord_id, u.managed_by_id)
    and (ledger.deposit_held > 0 or exists (
      select from payments where agreement_id = a.renews_id and unapplied_amount > 0
      offset 0
    ))`
