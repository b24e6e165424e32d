import { Migration } from '@mikro-orm/migrations'

/** Answers to requests that may be sent again. */
export class Idempotency extends Migration {
  override up() {
    this.addSql(`create table "idempotency_keys" ("user_id" int not null, "key" varchar(255) not null, "digest" varchar(64) not null, "answer" jsonb null, "claimed_until" timestamptz(3) not null, "created_at" timestamptz(3) not null default now(), primary key ("user_id", "key"))`)
    this.addSql(`create index "idempotency_keys_oldest" on "idempotency_keys" ("created_at")`)
    this.addSql(`alter table "idempotency_keys" add constraint "idempotency_keys_user_id_foreign" foreign key ("user_id") references "users" ("id")`)
  }

  override down() {
    this.addSql('drop table idempotency_keys')
  }
}
