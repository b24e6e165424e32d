import { OnlineMigration } from './online-migration'

/** Listings that a creator removed from a shared building, and an index for managers who are parties. */
export class Listings extends OnlineMigration {
  override async up() {
    await this.runWithShortLock(
      'alter table "properties" add column if not exists "is_listed" boolean not null default true',
    )
    await this.restoreColumns('properties', 'properties_listings', ['is_listed'])
    await this.createIndex('agreements_manager', '"agreements" ("manager_id", "id") where is_active')
  }

  override async down() {
    await this.runInOneTransaction(
      'drop index if exists "agreements_manager"',
      ...(await this.archiveColumns('properties', 'properties_listings', ['is_listed'])),
    )
  }
}
