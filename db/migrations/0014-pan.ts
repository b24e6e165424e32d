import { OnlineMigration } from './online-migration'

const columns = ['pan', 'pan_last_four']

/** The PAN of landlords: encrypted, and the last four characters that answers show. */
export class Pan extends OnlineMigration {
  override async up() {
    await this.runWithShortLock(
      `alter table "users" add column if not exists "pan" varchar(255) null, add column if not exists "pan_last_four" varchar(4) null`,
    )
    await this.restoreColumns('users', 'users_pan', columns)
  }

  override async down() {
    await this.runInOneTransaction(...(await this.archiveColumns('users', 'users_pan', columns)))
  }
}
