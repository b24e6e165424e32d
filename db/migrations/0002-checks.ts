import { OnlineMigration } from './online-migration'

/** When to ask the providers for the status of open requests. */
export class Checks extends OnlineMigration {
  override async up() {
    await this.runWithShortLock(
      'alter table "agreement_signatures" add column if not exists "next_check_at" timestamptz(3) null',
    )
    await this.runWithShortLock(
      'alter table "kyc_requests" add column if not exists "next_check_at" timestamptz(3) null',
    )
    await this.updateInBatches(
      'agreement_signatures',
      `set "next_check_at" = now() where t.status = 'PENDING' and t.next_check_at is null`,
    )
    await this.updateInBatches(
      'kyc_requests',
      `set "next_check_at" = now() where t.status in ('CREATED', 'KYC_REQUESTED') and t.next_check_at is null`,
    )
    await this.restoreColumns('agreement_signatures', 'agreement_signatures_checks', ['next_check_at'])
    await this.restoreColumns('kyc_requests', 'kyc_requests_checks', ['next_check_at'])
    await this.createIndex(
      'agreement_signatures_due',
      `"agreement_signatures" ("next_check_at") where status = 'PENDING'`,
    )
  }

  override async down() {
    await this.runInOneTransaction(
      ...(await this.archiveColumns('agreement_signatures', 'agreement_signatures_checks', [
        'next_check_at',
      ])),
      ...(await this.archiveColumns('kyc_requests', 'kyc_requests_checks', ['next_check_at'])),
    )
  }
}
