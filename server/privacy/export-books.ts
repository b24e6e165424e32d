import type { Expression } from 'kysely'
import { jsonArrayFrom } from 'kysely/helpers/postgres'
import type { Db } from '../../db/database'
import { chargeColumns } from '../charges/queries'
import { toSelection } from '../domain/columns'
import { paymentColumns } from '../payments/queries'
import { exportedJournalColumns, exportedRevisionColumns, exportedSettlementColumns } from './export-columns'

/** Selects the books of an agreement: what is owed, what was paid, and the journals of both. */
export function selectExportedBooks(db: Db, agreementId: Expression<number>) {
  const charges = db.selectFrom('charges as c').where('c.agreement_id', '=', agreementId)
  const payments = db.selectFrom('payments as y').where('y.agreement_id', '=', agreementId)
  const revisions = db.selectFrom('rent_revisions as r').where('r.agreement_id', '=', agreementId)
  const settlements = db.selectFrom('deposit_settlements as d').where('d.agreement_id', '=', agreementId)
  return [
    jsonArrayFrom(charges.orderBy('c.id').select(toSelection(chargeColumns))).as('charges'),
    jsonArrayFrom(payments.orderBy('y.id').select(toSelection(paymentColumns))).as('payments'),
    jsonArrayFrom(selectJournals(db, agreementId)).as('journals'),
    jsonArrayFrom(revisions.orderBy('r.id').select(toSelection(exportedRevisionColumns))).as(
      'rent_revisions',
    ),
    jsonArrayFrom(settlements.select(toSelection(exportedSettlementColumns))).as('deposit_settlements'),
  ]
}

function selectJournals(db: Db, agreementId: Expression<number>) {
  return db
    .selectFrom('journals as j')
    .where('j.agreement_id', '=', agreementId)
    .orderBy('j.position')
    .select(toSelection(exportedJournalColumns))
    .select(e =>
      jsonArrayFrom(
        db
          .selectFrom('journal_lines as l')
          .where('l.journal_id', '=', e.ref('j.id'))
          .orderBy('l.line')
          .select(['l.account', 'l.debit', 'l.credit']),
      ).as('lines'),
    )
}
