import { Migration } from '@mikro-orm/migrations'

/** Timelines, signed documents and all that keeps the signing from getting stuck. */
export class Evidence extends Migration {
  override up() {
    this.addSql(`create table "signing_cancellations" ("provider" varchar(50) not null, "provider_request_id" varchar(255) not null, "agreement_id" int not null, "due_at" timestamptz(3) not null, "created_at" timestamptz(3) not null default now(), primary key ("provider", "provider_request_id"))`)
    this.addSql(`create index "signing_cancellations_agreement" on "signing_cancellations" ("agreement_id")`)
    this.addSql(`create index "signing_cancellations_due" on "signing_cancellations" ("due_at")`)
    this.addSql(`create table "signed_documents" ("id" serial primary key, "agreement_id" int not null, "provider" varchar(50) not null, "provider_request_id" varchar(255) not null, "sha256" varchar(64) not null, "size" int not null, "content" bytea not null, "created_at" timestamptz(3) not null default now())`)
    this.addSql(`create index "signed_documents_agreement" on "signed_documents" ("agreement_id", "id")`)
    this.addSql(`alter table "signed_documents" add constraint "signed_documents_request" unique ("provider", "provider_request_id")`)
    this.addSql(`create table "agreement_events" ("id" serial primary key, "agreement_id" int not null, "position" int not null, "type" varchar(30) not null, "actor_id" int null, "details" jsonb not null, "occurred_at" timestamptz(3) not null, "hash" varchar(64) not null)`)
    this.addSql(`alter table "agreement_events" add constraint "agreement_events_position" unique ("agreement_id", "position")`)
    this.addSql(`alter table "agreements" add "signing_order" jsonb null, add "revises_id" int null, add "timeline_length" int not null default 0, add "timeline_hash" varchar(64) null`)
    this.addSql(`alter table "agreements" add constraint "agreements_revises_id_foreign" foreign key ("revises_id") references "agreements" ("id") on delete set null`)
    this.addSql(`alter table "agreement_signatures" drop constraint "agreement_signatures_provider"`)
    this.addSql(`alter table "agreement_signatures" add "viewed_at" timestamptz(3) null, add "reminders" int not null default 0, add "next_reminder_at" timestamptz(3) null, add "document_due_at" timestamptz(3) null`)
    this.addSql(`create index "agreement_signatures_reminder" on "agreement_signatures" ("next_reminder_at") where next_reminder_at is not null`)
    this.addSql(`create index "agreement_signatures_document" on "agreement_signatures" ("document_due_at") where document_due_at is not null`)
    this.addSql(`alter table "agreement_signatures" add constraint "agreement_signatures_provider" unique ("provider", "provider_request_id", "provider_signature_id")`)
    this.addSql(`alter table "webhook_deliveries" add "request_id" varchar(255) null, add "document_id" varchar(255) null, add "attempts" int not null default 0, add "next_attempt_at" timestamptz(3) null, add "last_error" text null`)
    this.addSql(`create index "webhook_deliveries_request" on "webhook_deliveries" ("request_id")`)
    this.addSql(`create index "webhook_deliveries_document" on "webhook_deliveries" ("document_id")`)
    this.addSql(`create index "webhook_deliveries_open" on "webhook_deliveries" ("next_attempt_at") where processed_at is null`)
    this.addSql(`alter table "signed_documents" add constraint "signed_documents_agreement_id_foreign" foreign key ("agreement_id") references "agreements" ("id")`)
    this.addSql(`alter table "agreement_events" add constraint "agreement_events_agreement_id_foreign" foreign key ("agreement_id") references "agreements" ("id")`)
    this.addSql(`alter table "agreement_events" add constraint "agreement_events_actor_id_foreign" foreign key ("actor_id") references "users" ("id")`)
    this.addSql(`alter table "signing_cancellations" add constraint "signing_cancellations_agreement_id_foreign" foreign key ("agreement_id") references "agreements" ("id")`)
    this.addSql(`update "webhook_deliveries" set "next_attempt_at" = now() where processed_at is null`)
    this.addSql(`update "agreement_signatures" s set "document_due_at" = now() from "agreements" a where a.id = s.agreement_id and a.signed_date is not null and s.status = 'SIGNED'`)
  }

  override down() {
    this.addSql(`drop table signing_cancellations, signed_documents, agreement_events`)
    this.addSql(`alter table "agreements" drop column "signing_order", drop column "revises_id", drop column "timeline_length", drop column "timeline_hash"`)
    this.addSql(`alter table "agreement_signatures" drop constraint "agreement_signatures_provider"`)
    this.addSql(`alter table "agreement_signatures" drop column "viewed_at", drop column "reminders", drop column "next_reminder_at", drop column "document_due_at"`)
    this.addSql(`alter table "agreement_signatures" add constraint "agreement_signatures_provider" unique ("provider", "provider_request_id")`)
    this.addSql(`alter table "webhook_deliveries" drop column "request_id", drop column "document_id", drop column "attempts", drop column "next_attempt_at", drop column "last_error"`)
  }
}
