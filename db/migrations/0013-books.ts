import { OnlineMigration } from './online-migration'
import { bookTables, refusals } from './0013-book-tables'

const tables = Object.keys(bookTables)
const terms = {
  billing_cycle: `text not null default 'calendar_month'`,
  rent_in: `text not null default 'advance'`,
  rent_rounding: 'numeric(4,2) not null default 0.01',
  late_fee_kind: `text not null default 'flat'`,
  late_fee_percent: 'numeric(5,2) null',
  late_fee_grace_days: 'int not null default 0',
  late_fee_cap: 'numeric(12,2) null',
  escalation_percent: 'numeric(5,2) null',
  escalation_every_months: 'int null',
  recurring_charges: 'jsonb null',
  renews_id: 'int null',
}
const columns = Object.keys(terms)

/** The books: what is owed and paid, in journals that the database keeps as they are, and what a lease says of them. */
export class Books extends OnlineMigration {
  override async up() {
    await this.restoreTables(...tables)
    for (const statements of Object.values(bookTables)) await this.runWithShortLock(...statements)
    await this.runWithShortLock(...refusals)

    const added = Object.entries(terms).map(([name, type]) => `add column if not exists "${name}" ${type}`)
    await this.runWithShortLock(`alter table "agreements" ${added.join(', ')}`)
    await this.restoreColumns('agreements', 'agreements_books', columns)
    await this.addConstraint(
      'agreements',
      'agreements_renews_id_foreign',
      'foreign key ("renews_id") references "agreements" ("id") on delete set null',
    )
    await this.addConstraint(
      'agreements',
      'agreements_billing_cycle_check',
      `check ("billing_cycle" in ('calendar_month', 'anniversary'))`,
    )
    await this.addConstraint(
      'agreements',
      'agreements_rent_in_check',
      `check ("rent_in" in ('advance', 'arrears'))`,
    )
    await this.addConstraint(
      'agreements',
      'agreements_late_fee_kind_check',
      `check ("late_fee_kind" in ('flat', 'per_day', 'percent_pa'))`,
    )
    await this.openBooks()
  }

  /** The books of leases that are ACTIVE begin with the current month, in India. */
  private async openBooks() {
    await this.runInBatches(
      'agreements',
      `insert into "ledgers" ("agreement_id", "starts_on", "next_posting_on")
      select t.id, date_trunc('month', today)::date, today
      from "agreements" t, cast(now() at time zone 'Asia/Kolkata' as date) today
      where t.status = 'ACTIVE' and t.is_active
        and not exists (select from "ledgers" l where l.agreement_id = t.id)`,
    )
  }

  override async down() {
    await this.runInOneTransaction(
      ...this.archiveTables(...tables),
      ...(await this.archiveColumns('agreements', 'agreements_books', columns)),
    )
  }
}
