import { sql } from 'kysely'
import { executeCompiled } from '../../../db/compiled-queries'
import type { Database, Db, EntityManager } from '../../../db/database'
import { isChainIntact } from '../../domain/hash-chain'
import { toPaise } from '../../domain/money'
import type { Account } from './accounts'
import { hashJournal, type PostedJournal } from './journals'

type StoredJournal = PostedJournal & {
  hash: string
  lines: { account: Account; debit: number; credit: number }[]
}
type StoredLedger = {
  agreement_id: string
  length: number
  hash: string | null
  has_wrong_payments: boolean
  journals: StoredJournal[]
}

/**
 * Whether no journal of an agreement was changed, removed or added since it was posted, and its payments are used as far
 * as they say.
 */
export async function areJournalsIntact(of: Database | EntityManager, agreementId: number) {
  const [ledger] = await executeCompiled(of, selectLedger, { agreementId })
  if (!ledger) return true
  const { agreement_id, journals, has_wrong_payments } = ledger
  if (has_wrong_payments) return false
  return isChainIntact(journals, ledger, (previousHash, journal) =>
    hashJournal(previousHash, agreement_id, journal, journal.lines.map(toLine)),
  )
}

const toLine = ({ account, debit, credit }: StoredJournal['lines'][number]) => ({
  account,
  debit: toPaise(debit),
  credit: toPaise(credit),
})

const selectLedger = (_: Db, { agreementId }: { agreementId: number }) => sql<StoredLedger>`
  select agreement.agreement_id, ledger.length, ledger.hash, exists (
    select from payments payment
    where payment.agreement_id = ledger.agreement_id and payment.status = 'posted'
      and payment.amount + payment.tds_amount <> payment.unapplied_amount + payment.refunded_amount
        + payment.moved_amount + coalesce((
          select sum(amount) from payment_allocations where payment_id = payment.id
        ), 0)
  ) as has_wrong_payments, (
    select coalesce(json_agg(json_build_object(
      'position', position, 'kind', kind, 'effective_on', effective_on,
      'posted_at', to_char(posted_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
      'actor_id', actor_id, 'charge_id', charge_id, 'payment_id', payment_id, 'reverses_id', reverses_id,
      'refund_id', refund_id, 'reason', reason, 'reference', reference, 'hash', journal.hash, 'lines', (
        select coalesce(json_agg(json_build_object('account', account, 'debit', debit, 'credit', credit) order by line), '[]')
        from journal_lines where journal_id = journal.id
      )
    ) order by position), '[]')
    from journals journal where journal.agreement_id = ledger.agreement_id
  ) as journals
  from ledgers ledger join agreements agreement on agreement.id = ledger.agreement_id
  where ledger.agreement_id = ${agreementId}`
