import type { Expression } from 'kysely'
import { jsonArrayFrom } from 'kysely/helpers/postgres'
import type { Db } from '../../db/database'
import { chargeColumns } from '../charges/queries'
import { toSelection } from '../domain/columns'
import { paymentColumns } from '../payments/queries'
import { exportedJournalColumns, exportedRevisionColumns, exportedSettlementColumns } from './export-columns'

/** Selects the books of an agreement: what is owed, what was paid, and the journals of both. */
export function selectExportedBooks(db: Db, agreementId: Expression<number>) {
  const charges = db.selectFrom('charges as charge').where('charge.agreement_id', '=', agreementId)
  const payments = db.selectFrom('payments as payment').where('payment.agreement_id', '=', agreementId)
  const revisions = db
    .selectFrom('rent_revisions as revision')
    .where('revision.agreement_id', '=', agreementId)
  const settlements = db
    .selectFrom('deposit_settlements as settlement')
    .where('settlement.agreement_id', '=', agreementId)
  return [
    jsonArrayFrom(charges.orderBy('charge.id').select(toSelection(chargeColumns))).as('charges'),
    jsonArrayFrom(payments.orderBy('payment.id').select(toSelection(paymentColumns))).as('payments'),
    jsonArrayFrom(selectJournals(db, agreementId)).as('journals'),
    jsonArrayFrom(revisions.orderBy('revision.id').select(toSelection(exportedRevisionColumns))).as(
      'rent_revisions',
    ),
    jsonArrayFrom(settlements.select(toSelection(exportedSettlementColumns))).as('deposit_settlements'),
  ]
}

function selectJournals(db: Db, agreementId: Expression<number>) {
  return db
    .selectFrom('journals as journal')
    .where('journal.agreement_id', '=', agreementId)
    .orderBy('journal.position')
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
