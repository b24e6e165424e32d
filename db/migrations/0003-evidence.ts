import { OnlineMigration } from './online-migration'

const tables = ['signing_cancellations', 'signed_documents', 'agreement_events']
const columns = {
  agreements: ['signing_order', 'revises_id', 'timeline_length', 'timeline_hash'],
  agreement_signatures: ['viewed_at', 'reminders', 'next_reminder_at', 'document_due_at'],
  webhook_deliveries: ['request_id', 'document_id', 'attempts', 'next_attempt_at', 'last_error'],
}
const PROVIDER_KEY = 'agreement_signatures_provider'

/** Timelines, signed documents, cancellations, reminders and the retries of webhooks. */
export class Evidence extends OnlineMigration {
  override async up() {
    await this.restoreTables(...tables)
    await this.runWithShortLock(
      `create table if not exists "signing_cancellations" ("provider" varchar(50) not null, "provider_request_id" varchar(255) not null, "agreement_id" int not null, "due_at" timestamptz(3) not null, "created_at" timestamptz(3) not null default now(), primary key ("provider", "provider_request_id"), constraint "signing_cancellations_agreement_id_foreign" foreign key ("agreement_id") references "agreements" ("id"))`,
      `create index if not exists "signing_cancellations_agreement" on "signing_cancellations" ("agreement_id")`,
      `create index if not exists "signing_cancellations_due" on "signing_cancellations" ("due_at")`,
    )
    await this.runWithShortLock(
      `create table if not exists "signed_documents" ("id" serial primary key, "agreement_id" int not null, "provider" varchar(50) not null, "provider_request_id" varchar(255) not null, "sha256" varchar(64) not null, "size" int not null, "content" bytea not null, "created_at" timestamptz(3) not null default now(), constraint "signed_documents_request" unique ("provider", "provider_request_id"), constraint "signed_documents_agreement_id_foreign" foreign key ("agreement_id") references "agreements" ("id"))`,
      `create index if not exists "signed_documents_agreement" on "signed_documents" ("agreement_id", "id")`,
    )
    await this.runWithShortLock(
      `create table if not exists "agreement_events" ("id" serial primary key, "agreement_id" int not null, "position" int not null, "type" varchar(30) not null, "actor_id" int null, "details" jsonb not null, "occurred_at" timestamptz(3) not null, "hash" varchar(64) not null, constraint "agreement_events_position" unique ("agreement_id", "position"), constraint "agreement_events_agreement_id_foreign" foreign key ("agreement_id") references "agreements" ("id"), constraint "agreement_events_actor_id_foreign" foreign key ("actor_id") references "users" ("id"))`,
    )
    await this.runWithShortLock(
      `alter table "agreements" add if not exists "signing_order" jsonb null, add if not exists "revises_id" int null, add if not exists "timeline_length" int not null default 0, add if not exists "timeline_hash" varchar(64) null`,
    )
    await this.runWithShortLock(
      `alter table "agreement_signatures" add if not exists "viewed_at" timestamptz(3) null, add if not exists "reminders" int not null default 0, add if not exists "next_reminder_at" timestamptz(3) null, add if not exists "document_due_at" timestamptz(3) null`,
    )
    await this.runWithShortLock(
      `alter table "webhook_deliveries" add if not exists "request_id" varchar(255) null, add if not exists "document_id" varchar(255) null, add if not exists "attempts" int not null default 0, add if not exists "next_attempt_at" timestamptz(3) null, add if not exists "last_error" text null`,
    )
    await this.updateInBatches(
      'webhook_deliveries',
      `set "next_attempt_at" = now() where t.processed_at is null and t.next_attempt_at is null`,
    )
    await this.updateInBatches(
      'agreement_signatures',
      `set "document_due_at" = now() from "agreements" a where a.id = t.agreement_id and a.signed_date is not null and t.status = 'SIGNED' and t.document_due_at is null`,
    )
    for (const [table, names] of Object.entries(columns))
      await this.restoreColumns(table, `${table}_evidence`, names)
    await this.addConstraint(
      'agreements',
      'agreements_revises_id_foreign',
      `foreign key ("revises_id") references "agreements" ("id") on delete set null`,
    )
    await this.createIndex(
      'agreement_signatures_reminder',
      `"agreement_signatures" ("next_reminder_at") where next_reminder_at is not null`,
    )
    await this.createIndex(
      'agreement_signatures_document',
      `"agreement_signatures" ("document_due_at") where document_due_at is not null`,
    )
    await this.createIndex('webhook_deliveries_request', `"webhook_deliveries" ("request_id")`)
    await this.createIndex('webhook_deliveries_document', `"webhook_deliveries" ("document_id")`)
    await this.createIndex(
      'webhook_deliveries_open',
      `"webhook_deliveries" ("next_attempt_at") where processed_at is null`,
    )
    await this.replaceProviderKey(['provider', 'provider_request_id', 'provider_signature_id'])
  }

  override async down() {
    // First, because it fails if several parties signed one request; nothing has changed by then.
    await this.replaceProviderKey(['provider', 'provider_request_id'])
    const archivals = await Promise.all(
      Object.entries(columns).map(([table, names]) => this.archiveColumns(table, `${table}_evidence`, names)),
    )
    await this.runInOneTransaction(...this.archiveTables(...tables), ...archivals.flat())
  }

  /** Replaces the unique key of a provider's requests; one of the two keys always holds. */
  private async replaceProviderKey(keyColumns: string[]) {
    if (await this.hasConstraint('agreement_signatures', PROVIDER_KEY, keyColumns.length)) return
    const newIndex = `${PROVIDER_KEY}_${keyColumns.length}`
    const list = keyColumns.map(column => `"${column}"`).join(', ')
    await this.createIndex(newIndex, `unique "agreement_signatures" (${list})`)
    await this.runWithShortLock(
      `alter table "agreement_signatures" drop constraint if exists "${PROVIDER_KEY}"`,
      `alter table "agreement_signatures" add constraint "${PROVIDER_KEY}" unique using index "${newIndex}"`,
    )
  }
}
