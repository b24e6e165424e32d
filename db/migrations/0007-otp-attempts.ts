import { OnlineMigration } from './online-migration'

const COLUMN = 'attempts_by_network'
const ARCHIVE = 'otp_sessions_attempts'

/** Wrong one-time passwords are counted by network. */
export class OtpAttempts extends OnlineMigration {
  override async up() {
    await this.runWithShortLock(
      `alter table "otp_sessions" add if not exists "${COLUMN}" jsonb not null default '{}'`,
    )
    await this.restoreColumns('otp_sessions', ARCHIVE, [COLUMN])
  }

  override async down() {
    await this.runInOneTransaction(...(await this.archiveColumns('otp_sessions', ARCHIVE, [COLUMN])))
  }
}
