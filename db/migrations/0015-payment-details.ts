import { OnlineMigration } from './online-migration'

/** When a cheque was cleared, by which transfer an advance went back, and payments that are tax alone. */
export class PaymentDetails extends OnlineMigration {
  override async up() {
    await this.runWithShortLock(
      `alter table "payments" add column if not exists "cleared_on" date null`,
      `alter table "journals" add column if not exists "reference" varchar(100) null`,
      replaceAmountsCheck('amount >= 0 and tds_amount >= 0 and amount + tds_amount > 0'),
    )
    await this.execute(`alter table "payments" validate constraint "payments_amounts"`)
    await this.restoreColumns('payments', 'payments_cleared', ['cleared_on'])
    await this.restoreReferences()
  }

  /** The trigger that keeps journals as they are rests for the few rows that had a reference. */
  private async restoreReferences() {
    if (!(await this.hasTable('set_aside.journals_reference'))) return
    await this.runWithShortLock(
      `alter table "journals" disable trigger "journals_stay"`,
      `update "journals" j set "reference" = s."reference" from set_aside.journals_reference s where s.id = j.id and s."reference" is not null`,
      `alter table "journals" enable trigger "journals_stay"`,
      'drop table set_aside.journals_reference',
    )
  }

  /** Payments of tax alone stay: the former check holds for new rows. */
  override async down() {
    await this.runInOneTransaction(
      ...(await this.archiveColumns('payments', 'payments_cleared', ['cleared_on'])),
      ...(await this.archiveColumns('journals', 'journals_reference', ['reference'])),
      replaceAmountsCheck('amount > 0 and tds_amount >= 0'),
    )
  }
}

const replaceAmountsCheck = (expression: string) =>
  `alter table "payments" drop constraint if exists "payments_amounts", add constraint "payments_amounts" check (${expression}) not valid`
