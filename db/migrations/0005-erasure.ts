import { OnlineMigration } from './online-migration'

/** Certificates from before the erasure of a party. */
export class Erasure extends OnlineMigration {
  override async up() {
    await this.restoreTables('agreement_certificates')
    await this.runWithShortLock(
      `create table if not exists "agreement_certificates" ("agreement_id" int not null, "sha256" varchar(64) not null, "content" bytea not null, "created_at" timestamptz(3) not null default now(), primary key ("agreement_id"), constraint "agreement_certificates_agreement_id_foreign" foreign key ("agreement_id") references "agreements" ("id") on update cascade on delete cascade)`,
    )
  }

  override async down() {
    await this.runInOneTransaction(...this.archiveTables('agreement_certificates'))
  }
}
