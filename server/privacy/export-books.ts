import { sql, type Expression } from 'kysely'
import { jsonArrayFrom } from 'kysely/helpers/postgres'
import type { Db } from '../../db/database'
import { chargeColumns } from '../charges/queries'
import { toSelection } from '../domain/columns'
import { paymentColumns } from '../payments/queries'
import {
  exportedJournalColumns,
  exportedRevisionColumns,
  exportedSettlementColumns,
  type ExportedAgreement,
} from './export-columns'
import { listById, type ListsOf, type Owner } from './export-pages'

type Books = Pick<
  ExportedAgreement,
  'charges' | 'payments' | 'journals' | 'rent_revisions' | 'deposit_settlements'
>

/** The books of an agreement: what is owed, what was paid, and the journals of both. */
export const exportedBooks: ListsOf<Books> = {
  charges: listById(
    db => db.selectFrom('charges as charge'),
    'charge.id',
    chargeColumns,
    ({ agreementId }) => sql`select id from charges where agreement_id = ${agreementId}`,
  ),
  payments: listById(
    db => db.selectFrom('payments as payment'),
    'payment.id',
    paymentColumns,
    ({ agreementId }) => sql`select id from payments where agreement_id = ${agreementId}`,
  ),
  journals: {
    start: 0,
    keys: ({ agreementId }) => sql`select position from journals where agreement_id = ${agreementId}`,
    isIndexed: true,
    row: selectJournal,
  },
  rent_revisions: listById(
    db => db.selectFrom('rent_revisions as revision'),
    'revision.id',
    exportedRevisionColumns,
    ({ agreementId }) => sql`select id from rent_revisions where agreement_id = ${agreementId}`,
  ),
  deposit_settlements: {
    rows: (db, { agreementId }) =>
      db
        .selectFrom('deposit_settlements as settlement')
        .where('settlement.agreement_id', '=', agreementId)
        .select(toSelection(exportedSettlementColumns)),
  },
}

function selectJournal(db: Db, { agreementId }: Owner, position: Expression<number>) {
  return db
    .selectFrom('journals as journal')
    .where('journal.agreement_id', '=', agreementId)
    .where('journal.position', '=', position)
    .select(toSelection(exportedJournalColumns))
    .select(e =>
      jsonArrayFrom(
        db
          .selectFrom('journal_lines as line')
          .where('line.journal_id', '=', e.ref('journal.id'))
          .orderBy('line.line')
          .select(['line.account', 'line.debit', 'line.credit']),
      ).as('lines'),
    )
}
