import { Migration } from '@mikro-orm/migrations'

/** When the providers are asked next about what is still open there. */
export class Checks extends Migration {
  override up() {
    this.addSql('alter table "agreement_signatures" add column "next_check_at" timestamptz(3) null')
    this.addSql('alter table "kyc_requests" add column "next_check_at" timestamptz(3) null')
    this.addSql(`update "agreement_signatures" set "next_check_at" = now() where status = 'PENDING'`)
    this.addSql(`update "kyc_requests" set "next_check_at" = now() where status in ('CREATED', 'KYC_REQUESTED')`)
    this.addSql(`create index "agreement_signatures_due" on "agreement_signatures" ("next_check_at") where status = 'PENDING'`)
  }

  override down() {
    this.addSql('alter table "agreement_signatures" drop column "next_check_at"')
    this.addSql('alter table "kyc_requests" drop column "next_check_at"')
  }
}
