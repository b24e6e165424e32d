import { OnlineMigration } from './online-migration'

const indexes = {
  agreements_pending: `"agreements" ("id") where status = 'PENDING'`,
  agreement_signatures_requests: '"agreement_signatures" ("agreement_id", "signer_id")',
  agreement_signatures_unsigned: `"agreement_signatures" ("agreement_id") where status in ('DECLINED', 'EXPIRED')`,
}

/** Indexes for the signatures whose outcome can still change, and for all requests to one signer of an agreement. */
export class AwaitedSignatures extends OnlineMigration {
  override async up() {
    for (const [name, definition] of Object.entries(indexes)) await this.createIndex(name, definition)
  }

  override async down() {
    await this.runInOneTransaction(...Object.keys(indexes).map(name => `drop index if exists "${name}"`))
  }
}
