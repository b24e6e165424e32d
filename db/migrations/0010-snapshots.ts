import { OnlineMigration } from './online-migration'

/**
 * Snapshots of what is signed. And names leave the users who never completed a profile: landlords typed them,
 * who have them in `tenant_contacts`. Going down leaves them there.
 */
export class Snapshots extends OnlineMigration {
  override async up() {
    await this.runWithShortLock(
      'alter table "agreement_events" add column if not exists "snapshot" text null',
    )
    await this.restoreColumns('agreement_events', 'agreement_events_snapshots', ['snapshot'])
    await this.updateInBatches(
      'users',
      `set first_name = null, last_name = null
      where t.email is null and (t.first_name is not null or t.last_name is not null)`,
    )
  }

  override async down() {
    await this.runInOneTransaction(
      ...(await this.archiveColumns('agreement_events', 'agreement_events_snapshots', ['snapshot'])),
    )
  }
}
