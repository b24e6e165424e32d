import { OnlineMigration } from './online-migration'

/** Idempotency keys with their responses. */
export class Idempotency extends OnlineMigration {
  override async up() {
    await this.restoreTables('idempotency_keys')
    await this.runWithShortLock(
      `create table if not exists "idempotency_keys" ("user_id" int not null, "key" varchar(255) not null, "digest" varchar(64) not null, "answer" jsonb null, "claimed_until" timestamptz(3) not null, "created_at" timestamptz(3) not null default now(), primary key ("user_id", "key"), constraint "idempotency_keys_user_id_foreign" foreign key ("user_id") references "users" ("id"))`,
      `create index if not exists "idempotency_keys_oldest" on "idempotency_keys" ("created_at")`,
    )
  }

  override async down() {
    await this.runInOneTransaction(...this.archiveTables('idempotency_keys'))
  }
}
