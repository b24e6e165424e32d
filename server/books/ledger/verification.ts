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
type StoredLedger = { agreement_id: string; length: number; hash: string | null; journals: StoredJournal[] }

/** Whether no journal of an agreement was changed, removed or added since it was posted. */
export async function areJournalsIntact(of: Database | EntityManager, agreementId: number) {
  const [ledger] = await executeCompiled(of, selectLedger, { agreementId })
  if (!ledger) return true
  const { agreement_id, journals } = ledger
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
  select agreement.agreement_id, ledger.length, ledger.hash, (
    select coalesce(json_agg(json_build_object(
      'position', position, 'kind', kind, 'effective_on', effective_on,
      'posted_at', to_char(posted_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
      'actor_id', actor_id, 'charge_id', charge_id, 'payment_id', payment_id, 'reverses_id', reverses_id,
      'reason', reason, 'reference', reference, 'hash', journal.hash, 'lines', (
        select coalesce(json_agg(json_build_object('account', account, 'debit', debit, 'credit', credit) order by line), '[]')
        from journal_lines where journal_id = journal.id
      )
    ) order by position), '[]')
    from journals journal where journal.agreement_id = ledger.agreement_id
  ) as journals
  from ledgers ledger join agreements agreement on agreement.id = ledger.agreement_id
  where ledger.agreement_id = ${agreementId}`
