import { Migration } from '@mikro-orm/migrations'

/** Certificates that outlive the erasure of a party. */
export class Erasure extends Migration {
  override up() {
    this.addSql(`create table "agreement_certificates" ("agreement_id" int not null, "sha256" varchar(64) not null, "content" bytea not null, "created_at" timestamptz(3) not null default now(), primary key ("agreement_id"))`)
    this.addSql(`alter table "agreement_certificates" add constraint "agreement_certificates_agreement_id_foreign" foreign key ("agreement_id") references "agreements" ("id") on update cascade on delete cascade`)
  }

  override down() {
    this.addSql('drop table agreement_certificates')
  }
}
