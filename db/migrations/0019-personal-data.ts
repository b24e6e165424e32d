import { OnlineMigration } from './online-migration'

/** Deleted records are few: an index of their own leaves those of the others as small as they are. */
const deletedRecords = {
  properties: ['landlord_id'],
  property_units: ['landlord_id', 'managed_by_id'],
  agreements: ['landlord_id', 'manager_id', 'property_unit_id'],
}

const indexes: [name: string, definition: string][] = [
  ...Object.entries(deletedRecords).flatMap(([table, columns]) =>
    columns.map((column): [string, string] => [
      `${table}_deleted_${column}`,
      `"${table}" ("${column}") where not is_active`,
    ]),
  ),
  ['agreement_signatures_signer', '"agreement_signatures" ("signer_id")'],
  ['rent_revisions_agreement', '"rent_revisions" ("agreement_id")'],
  ['tenant_contacts_tenant', '"tenant_contacts" ("tenant_id")'],
  ['activities_entity', '"activities" ("entity_type", "entity_id")'],
  ['webhook_deliveries_phones', '"webhook_deliveries" using gin (find_phones("payload"))'],
]

/**
 * Finds the ten digits of each phone number in a text, in whichever way they are grouped: at most three blanks,
 * dashes, brackets or dots lie between two of them, but nothing that separates values. A longer run of digits is cut
 * after forty, since its parts are many.
 */
const phonesFunction = `create or replace function find_phones(content text) returns text[]
  language sql immutable strict parallel safe as $$
    select coalesce(array_agg(distinct substr(digits, start, 10)), '{}')
    from regexp_matches(content, '[0-9](?:[^0-9A-Za-z",:{}]{0,3}[0-9]){9,39}', 'g') as found (run)
    cross join lateral regexp_replace(run[1], '[^0-9]', '', 'g') as digits
    cross join lateral generate_series(1, length(digits) - 9) as start
    where substr(digits, start, 1) between '6' and '9'
  $$`

const draftsTable = `create table if not exists "certificate_drafts" ("agreement_id" int not null, "timeline_length" int not null, "content" bytea not null, "created_at" timestamptz(3) not null default now(), primary key ("agreement_id"), constraint "certificate_drafts_agreement_id_foreign" foreign key ("agreement_id") references "agreements" ("id") on update cascade on delete cascade)`

/** Finds the records of one person without reading those of all, and keeps what an erasure has prepared. */
export class PersonalData extends OnlineMigration {
  override async up() {
    await this.restoreTables('certificate_drafts')
    await this.runWithShortLock(phonesFunction, draftsTable)
    for (const [name, definition] of indexes) await this.createIndex(name, definition)
  }

  override async down() {
    await this.runInOneTransaction(
      ...indexes.map(([name]) => `drop index if exists "${name}"`),
      'drop function if exists find_phones(text)',
      ...this.archiveTables('certificate_drafts'),
    )
  }
}
