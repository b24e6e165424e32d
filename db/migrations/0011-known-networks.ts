import { OnlineMigration } from './online-migration'

/** The networks from which users have signed in. */
export class KnownNetworks extends OnlineMigration {
  override async up() {
    await this.restoreTables('known_networks')
    await this.runWithShortLock(
      `create table if not exists "known_networks" ("user_id" int not null, "network_hash" varchar(64) not null, "last_seen_at" timestamptz(3) not null, primary key ("user_id", "network_hash"), constraint "known_networks_user_id_foreign" foreign key ("user_id") references "users" ("id"))`,
      `create index if not exists "known_networks_last_seen_at_index" on "known_networks" ("last_seen_at")`,
    )
  }

  override async down() {
    await this.runInOneTransaction(...this.archiveTables('known_networks'))
  }
}
