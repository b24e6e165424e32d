import { sql } from 'kysely'
import { executeCompiled } from '../../../db/compiled-queries'
import type { Db, EntityManager } from '../../../db/database'
import type { Agreement, Charge, Ledger, Payment, Refund } from '../../../db/entities'
import { toJsonText } from '../../../db/json-text'
import { hashLink } from '../../domain/hash-chain'
import { addPaise, toRupees } from '../../domain/money'
import { refuse } from '../../errors'
import type { Line } from './accounts'

type JournalKind =
  | 'charge'
  | 'credit'
  | 'payment'
  | 'allocation'
  | 'refund'
  | 'settlement'
  | 'transfer'
  | 'opening'
  | 'reversal'

/** A journal that is not posted yet. Its charge and payment may be new too: they have ids once they are flushed. */
export type NewJournal = {
  kind: JournalKind
  effectiveOn: string
  actorId: number | null
  charge?: Charge
  payment?: Payment
  /** The id of the journal whose mirror this one is. */
  reversesId?: number
  reason?: string
  /** Of a refund, and of what takes it back. */
  refund?: Refund
  lines: Line[]
}

type PostedBooks = { agreement: Agreement; ledger: Ledger; journals: NewJournal[] }

/**
 * Posts the journals that were added to the books, in their order, and moves the books' head.
 * @throws BAD_REQUEST They take back more of a deposit than is still held.
 */
export async function postJournals(em: EntityManager, now: Date, allBooks: PostedBooks[]) {
  const rows = allBooks.flatMap(books => books.journals.map(journal => toRow(books, journal, now)))
  for (const { ledger } of allBooks) if (ledger.deposit_held < 0) throw refuse('deposit_settled')
  const ledgers = allBooks.map(({ ledger }) => ledger)
  await executeCompiled(em, insertJournals, { rows: toJsonText(rows), ledgers: toJsonText(ledgers) })
  for (const books of allBooks) books.journals = []
}

function toRow({ agreement, ledger }: PostedBooks, journal: NewJournal, now: Date) {
  const posted = {
    position: ledger.length + 1,
    kind: journal.kind,
    effective_on: journal.effectiveOn,
    posted_at: now.toISOString(),
    actor_id: journal.actorId,
    charge_id: journal.charge?.id ?? null,
    payment_id: journal.payment?.id ?? null,
    reverses_id: journal.reversesId ?? null,
    reason: journal.reason ?? null,
    refund_id: journal.refund?.id ?? null,
    reference: journal.refund?.reference ?? null,
  }
  const hash = hashJournal(ledger.hash, agreement.agreement_id, posted, journal.lines)
  ledger.length = posted.position
  ledger.hash = hash
  ledger.deposit_held = addPaise(ledger.deposit_held, sumHeld(journal.lines))
  const lines = journal.lines.map(line => ({
    account: line.account,
    debit: toRupees(line.debit),
    credit: toRupees(line.credit),
  }))
  return { agreement_id: agreement.id, ...posted, hash, lines }
}

/** Returns by how much lines raise the deposit that is held. */
function sumHeld(lines: Line[]) {
  const held = lines.filter(({ account }) => account === 'deposit_held')
  return held.reduce((sum, line) => sum + line.credit - line.debit, 0)
}

export type PostedJournal = {
  position: number
  kind: string
  effective_on: string
  posted_at: string
  actor_id: number | null
  charge_id: number | null
  payment_id: number | null
  reverses_id: number | null
  refund_id: number | null
  reason: string | null
  reference: string | null
}

/**
 * Hashes the fields of a journal in this order, its lines as [account, debit, credit] in paise, and its reference and
 * refund if it has them.
 */
export function hashJournal(
  previousHash: string | null | undefined,
  agreementId: string,
  journal: PostedJournal,
  lines: Line[],
) {
  const { position, kind, effective_on, posted_at, actor_id } = journal
  const { charge_id, payment_id, reverses_id, refund_id, reason, reference } = journal
  return hashLink(previousHash, agreementId, [
    position,
    kind,
    effective_on,
    posted_at,
    actor_id,
    charge_id,
    payment_id,
    reverses_id,
    reason,
    lines.map(line => [line.account, line.debit, line.credit]),
    ...[reference, refund_id].filter(each => each !== null),
  ])
}

type Insertion = { rows: string; ledgers: string }

/** An allocation is live from its journal on, and until another one reverses that. */
const insertJournals = (_: Db, { rows, ledgers }: Insertion) => sql`
  with given as materialized (
    select * from json_to_recordset(${rows}::text::json) as given (
      agreement_id int, position int, kind text, effective_on date, posted_at timestamptz, actor_id int,
      charge_id int, payment_id int, reverses_id int, refund_id int, reason text,
      reference text, hash text, lines json
    )
  ), inserted as (
    insert into journals (
      agreement_id, position, kind, effective_on, posted_at, actor_id, charge_id, payment_id, reverses_id, refund_id,
      reason, reference, hash
    )
    select agreement_id, position, kind, effective_on, posted_at, actor_id, charge_id, payment_id, reverses_id,
      refund_id, reason, reference, hash
    from given order by agreement_id, position
    returning id, agreement_id, position
  ), posted as materialized (
    select inserted.id, given.kind, given.charge_id, given.payment_id, given.reverses_id, given.lines
    from inserted join given using (agreement_id, position)
  ), entries as materialized (
    select posted.id, posted.kind, posted.charge_id, posted.payment_id, entry.line, entry.account, entry.debit,
      entry.credit
    from posted cross join lateral rows from (
      json_to_recordset(posted.lines) as (account text, debit numeric, credit numeric)
    ) with ordinality as entry (account, debit, credit, line)
  ), posted_lines as (
    insert into journal_lines (journal_id, line, account, debit, credit)
    select id, line, account, debit, credit from entries
  ), allocated as (
    insert into payment_allocations (journal_id, payment_id, charge_id, amount)
    select id, payment_id, charge_id, credit from entries where account = 'receivable' and kind = 'allocation'
  ), unallocated as (
    delete from payment_allocations allocation using posted where allocation.journal_id = posted.reverses_id
  )
  update ledgers ledger set length = head.length, hash = head.hash, next_posting_on = head.next_posting_on,
    deposit_held = head.deposit_held
  from json_to_recordset(${ledgers}::text::json) as head (
    agreement_id int, length int, hash text, next_posting_on date, deposit_held numeric
  )
  where ledger.agreement_id = head.agreement_id`
