import { OnlineMigration } from './online-migration'

/** Landlords whom an operator has invited. */
export class Invitations extends OnlineMigration {
  override async up() {
    await this.restoreTables('invitations')
    await this.runWithShortLock(
      `create table if not exists "invitations" ("id" serial primary key, "phone_number" varchar(20) not null, "first_name" varchar(255) not null, "last_name" varchar(255) not null, "email" varchar(255) not null, "sent_at" timestamptz(3) null, "expires_at" timestamptz(3) not null, "created_at" timestamptz(3) not null default now(), "updated_at" timestamptz(3) not null default now(), constraint "invitations_phone_number_unique" unique ("phone_number"))`,
      `create index if not exists "invitations_expires_at_index" on "invitations" ("expires_at")`,
    )
  }

  override async down() {
    await this.runInOneTransaction(...this.archiveTables('invitations'))
  }
}
