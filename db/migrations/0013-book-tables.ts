/** The statements that create each table of the books, in the order of their foreign keys. */
export const bookTables = {
  ledgers: [
    `create table if not exists "ledgers" ("agreement_id" int not null, "starts_on" date not null, "length" int not null default 0, "hash" varchar(64) null, "next_posting_on" date null, "deposit_held" numeric(20,2) not null default 0, primary key ("agreement_id"), constraint "ledgers_agreement_id_foreign" foreign key ("agreement_id") references "agreements" ("id") on update cascade on delete cascade, constraint "ledgers_deposit_held" check (deposit_held >= 0))`,
    `create index if not exists "ledgers_next_posting" on "ledgers" ("next_posting_on") where next_posting_on is not null`,
  ],
  charges: [
    `create table if not exists "charges" ("id" serial primary key, "charge_id" uuid not null default gen_random_uuid(), "agreement_id" int not null, "property_unit_id" int not null, "type" text not null, "description" varchar(255) not null, "period_start" date null, "period_end" date null, "due_date" date not null, "amount" numeric(20,2) not null, "amount_paid" numeric(20,2) not null default 0, "amount_credited" numeric(20,2) not null default 0, "source" text not null, "item" smallint not null default 0, "base_charge_id" int null, "late_fee_on" date null, "posted_at" timestamptz(3) not null, constraint "charges_charge_id_unique" unique ("charge_id"), constraint "charges_agreement_id_foreign" foreign key ("agreement_id") references "agreements" ("id"), constraint "charges_property_unit_id_foreign" foreign key ("property_unit_id") references "property_units" ("id"), constraint "charges_base_charge_id_foreign" foreign key ("base_charge_id") references "charges" ("id") on delete set null, constraint "charges_amounts" check (amount > 0 and amount_paid >= 0 and amount_credited >= 0), constraint "charges_not_overpaid" check (amount_paid + amount_credited <= amount), constraint "charges_type_check" check ("type" in ('rent', 'deposit', 'maintenance', 'electricity', 'water', 'late_fee', 'damage', 'other', 'opening_balance')), constraint "charges_source_check" check ("source" in ('schedule', 'manual', 'late_fee', 'opening')))`,
    `create index if not exists "charges_agreement" on "charges" ("agreement_id", "due_date")`,
    `create unique index if not exists "charges_scheduled_once" on "charges" ("agreement_id", "type", "item", "period_start") nulls not distinct where source = 'schedule'`,
    `create unique index if not exists "charges_late_fee_once" on "charges" ("base_charge_id") where source = 'late_fee' and amount_credited < amount`,
    `create index if not exists "charges_late_fee_on" on "charges" ("late_fee_on") where late_fee_on is not null`,
    `create index if not exists "charges_open" on "charges" ("agreement_id", "due_date") where amount > amount_paid + amount_credited`,
  ],
  payments: [
    `create table if not exists "payments" ("id" serial primary key, "payment_id" uuid not null default gen_random_uuid(), "agreement_id" int not null, "landlord_id" int not null, "payer_id" int not null, "amount" numeric(20,2) not null, "tds_amount" numeric(20,2) not null default 0, "tds_certificate_number" varchar(50) null, "method" text not null, "reference" varchar(100) null, "paid_on" date not null, "cheque_date" date null, "status" text not null, "requested_allocations" jsonb null, "unapplied_amount" numeric(20,2) not null default 0, "refunded_amount" numeric(20,2) not null default 0, "receipt_number" varchar(30) null, "reversal_reason" text null, "allows_duplicate" boolean not null default false, "posted_at" timestamptz(3) null, "created_at" timestamptz(3) not null default now(), "updated_at" timestamptz(3) not null default now(), constraint "payments_payment_id_unique" unique ("payment_id"), constraint "payments_agreement_id_foreign" foreign key ("agreement_id") references "agreements" ("id"), constraint "payments_landlord_id_foreign" foreign key ("landlord_id") references "users" ("id"), constraint "payments_payer_id_foreign" foreign key ("payer_id") references "users" ("id"), constraint "payments_amounts" check (amount > 0 and tds_amount >= 0), constraint "payments_not_overspent" check (unapplied_amount >= 0 and refunded_amount >= 0 and unapplied_amount + refunded_amount <= amount + tds_amount), constraint "payments_method_check" check ("method" in ('cash', 'upi', 'bank_transfer', 'cheque', 'payment_link')), constraint "payments_status_check" check ("status" in ('reported', 'rejected', 'pending', 'bounced', 'posted', 'reversed')))`,
    `create index if not exists "payments_agreement" on "payments" ("agreement_id", "paid_on")`,
    `create index if not exists "payments_advance" on "payments" ("agreement_id") where unapplied_amount > 0`,
    `create unique index if not exists "payments_reference_once" on "payments" ("landlord_id", "method", lower("reference")) where not allows_duplicate and status in ('reported', 'pending', 'posted')`,
    `create unique index if not exists "payments_receipt_once" on "payments" ("landlord_id", "receipt_number")`,
  ],
  journals: [
    `create table if not exists "journals" ("id" serial primary key, "agreement_id" int not null, "position" int not null, "kind" varchar(20) not null, "effective_on" date not null, "posted_at" timestamptz(3) not null, "actor_id" int null, "charge_id" int null, "payment_id" int null, "reverses_id" int null, "reason" varchar(30) null, "hash" varchar(64) not null, constraint "journals_position" unique ("agreement_id", "position"), constraint "journals_agreement_id_foreign" foreign key ("agreement_id") references "agreements" ("id"), constraint "journals_actor_id_foreign" foreign key ("actor_id") references "users" ("id") on delete no action, constraint "journals_charge_id_foreign" foreign key ("charge_id") references "charges" ("id") on delete no action, constraint "journals_payment_id_foreign" foreign key ("payment_id") references "payments" ("id") on delete no action, constraint "journals_reverses_id_foreign" foreign key ("reverses_id") references "journals" ("id") on delete no action)`,
    `create index if not exists "journals_charge" on "journals" ("charge_id") where charge_id is not null`,
    `create index if not exists "journals_payment" on "journals" ("payment_id") where payment_id is not null`,
    `create unique index if not exists "journals_reversed_once" on "journals" ("reverses_id") where reverses_id is not null`,
  ],
  journal_lines: [
    `create table if not exists "journal_lines" ("journal_id" int not null, "line" smallint not null, "account" varchar(40) not null, "debit" numeric(20,2) not null, "credit" numeric(20,2) not null, primary key ("journal_id", "line"), constraint "journal_lines_journal_id_foreign" foreign key ("journal_id") references "journals" ("id"), constraint "journal_lines_one_side" check ((debit > 0 and credit = 0) or (debit = 0 and credit > 0)))`,
  ],
  payment_allocations: [
    `create table if not exists "payment_allocations" ("journal_id" int not null, "payment_id" int not null, "charge_id" int not null, "amount" numeric(20,2) not null, primary key ("journal_id"), constraint "payment_allocations_journal_id_foreign" foreign key ("journal_id") references "journals" ("id") on update cascade on delete cascade, constraint "payment_allocations_payment_id_foreign" foreign key ("payment_id") references "payments" ("id"), constraint "payment_allocations_charge_id_foreign" foreign key ("charge_id") references "charges" ("id"), constraint "payment_allocations_amount" check (amount > 0))`,
    `create index if not exists "payment_allocations_payment" on "payment_allocations" ("payment_id")`,
    `create index if not exists "payment_allocations_charge" on "payment_allocations" ("charge_id")`,
  ],
  receipt_counters: [
    `create table if not exists "receipt_counters" ("landlord_id" int not null, "fiscal_year" varchar(7) not null, "last_number" int not null, primary key ("landlord_id", "fiscal_year"), constraint "receipt_counters_landlord_id_foreign" foreign key ("landlord_id") references "users" ("id"))`,
  ],
  rent_revisions: [
    `create table if not exists "rent_revisions" ("id" serial primary key, "revision_id" uuid not null default gen_random_uuid(), "agreement_id" int not null, "rent_amount" numeric(20,2) not null, "effective_on" date not null, "source" text not null, "status" text not null, "decided_by_id" int null, "decided_at" timestamptz(3) null, "created_at" timestamptz(3) not null default now(), constraint "rent_revisions_revision_id_unique" unique ("revision_id"), constraint "rent_revisions_agreement_id_foreign" foreign key ("agreement_id") references "agreements" ("id"), constraint "rent_revisions_decided_by_id_foreign" foreign key ("decided_by_id") references "users" ("id") on delete no action, constraint "rent_revisions_amount" check (rent_amount > 0), constraint "rent_revisions_source_check" check ("source" in ('escalation', 'landlord')), constraint "rent_revisions_status_check" check ("status" in ('proposed', 'accepted', 'declined')))`,
    `create unique index if not exists "rent_revisions_once" on "rent_revisions" ("agreement_id", "effective_on") where status = 'accepted'`,
  ],
  deposit_settlements: [
    `create table if not exists "deposit_settlements" ("id" serial primary key, "settlement_id" uuid not null default gen_random_uuid(), "agreement_id" int not null, "deductions" jsonb not null, "held_amount" numeric(20,2) not null, "open_rent" numeric(20,2) not null, "refund_amount" numeric(20,2) not null, "refund_method" text null, "reference" varchar(100) null, "status" text not null, "is_replacement" boolean not null default false, "dispute_reason" text null, "decided_by_id" int null, "decided_at" timestamptz(3) null, "posted_at" timestamptz(3) null, "created_at" timestamptz(3) not null default now(), "updated_at" timestamptz(3) not null default now(), constraint "deposit_settlements_settlement_id_unique" unique ("settlement_id"), constraint "deposit_settlements_agreement_id_unique" unique ("agreement_id"), constraint "deposit_settlements_agreement_id_foreign" foreign key ("agreement_id") references "agreements" ("id"), constraint "deposit_settlements_decided_by_id_foreign" foreign key ("decided_by_id") references "users" ("id") on delete no action, constraint "deposit_settlements_refund_method_check" check ("refund_method" in ('cash', 'upi', 'bank_transfer', 'cheque', 'payment_link')), constraint "deposit_settlements_status_check" check ("status" in ('proposed', 'accepted', 'disputed', 'posted')))`,
  ],
}

/** A plan that a session makes while the table is small, and keeps, must not read all of it. */
export const balanceFunction = `create or replace function require_balanced_journal() returns trigger language plpgsql set enable_seqscan = off as $$
  declare
    checked int := case tg_table_name when 'journals' then (to_jsonb(new) ->> 'id')::int else (to_jsonb(new) ->> 'journal_id')::int end;
  begin
    if (select sum(debit) = sum(credit) from journal_lines where journal_id = checked) is not true then
      raise exception 'The lines of journal % do not sum to zero', checked using errcode = 'check_violation';
    end if;
    return null;
  end $$`

/** What is posted stays: a journal balances when its transaction commits, and nothing changes or removes it. */
export const refusals = [
  `create or replace function refuse_change() returns trigger language plpgsql as $$
  begin
    raise exception 'Rows of % are never changed or removed', tg_table_name using errcode = 'restrict_violation';
  end $$`,
  balanceFunction,
  ...['journals', 'journal_lines'].flatMap(table => [
    `create or replace trigger "${table}_stay" before update or delete or truncate on "${table}" for each statement execute function refuse_change()`,
    `drop trigger if exists "${table}_balance" on "${table}"`,
    `create constraint trigger "${table}_balance" after insert on "${table}" deferrable initially deferred for each row execute function require_balanced_journal()`,
  ]),
]
