-- Printed from the entities by `bun run db:migrate --baseline`.

create table "invitations" ("id" serial primary key, "phone_number" varchar(20) not null, "first_name" varchar(255) not null, "last_name" varchar(255) not null, "email" varchar(255) not null, "sent_at" timestamptz(3) null, "expires_at" timestamptz(3) not null, "created_at" timestamptz(3) not null, "updated_at" timestamptz(3) not null);
alter table "invitations" add constraint "invitations_phone_number_unique" unique ("phone_number");
create index "invitations_expires_at_index" on "invitations" ("expires_at");

create table "otp_sessions" ("id" serial primary key, "phone_number" varchar(20) not null, "otp" varchar(64) not null, "attempts" int not null default 0, "attempts_by_network" jsonb not null default '{}', "expire_at" timestamptz(3) not null, "created_at" timestamptz(3) not null, "updated_at" timestamptz(3) not null, "is_active" boolean not null default true);
alter table "otp_sessions" add constraint "otp_sessions_phone_number_unique" unique ("phone_number");

create table "rate_limits" ("key" varchar(200) not null, "count" int not null, "resets_at" timestamptz(3) not null, "created_at" timestamptz(3) not null, primary key ("key"));
create index "rate_limits_resets_at_index" on "rate_limits" ("resets_at");

create table "received_webhooks" ("id" serial primary key, "provider" varchar(50) not null, "digest" varchar(64) not null, "request_id" varchar(255) null, "document_id" varchar(255) null, "payload" text not null, "attempts" int not null default 0, "next_attempt_at" timestamptz(3) null, "last_error" text null, "outcome" text null, "processed_at" timestamptz(3) null, "created_at" timestamptz(3) not null);
alter table "received_webhooks" add constraint "received_webhooks_digest_unique" unique ("digest");
create index "received_webhooks_request" on "received_webhooks" ("request_id");
create index "received_webhooks_document" on "received_webhooks" ("document_id");
create index "received_webhooks_open" on "received_webhooks" ("next_attempt_at") where processed_at is null;

create table "sandbox_records" ("id" varchar(64) not null, "kind" varchar(20) not null, "data" jsonb not null, "created_at" timestamptz(3) not null, primary key ("id"));
create index "sandbox_records_newest" on "sandbox_records" ("kind", "created_at");

create table "users" ("id" serial primary key, "user_id" uuid not null default gen_random_uuid(), "phone" varchar(20) not null, "first_name" text null, "last_name" varchar(255) null, "email" varchar(255) null, "password" varchar(255) null, "last_login_at" timestamptz(3) null, "role" text not null default 'LANDLORD', "pan" varchar(255) null, "pan_last_four" varchar(4) null, "kyc_verified" boolean not null default false, "created_at" timestamptz(3) not null, "updated_at" timestamptz(3) not null, "is_active" boolean not null default true);
alter table "users" add constraint "users_user_id_unique" unique ("user_id");
alter table "users" add constraint "users_phone_unique" unique ("phone");
alter table "users" add constraint "users_role_check" check ("role" in ('LANDLORD', 'TENANT', 'MANAGER', 'ADMIN'));

create table "tenant_contacts" ("landlord_id" int not null, "tenant_id" int not null, "first_name" varchar(255) null, "last_name" varchar(255) null, primary key ("landlord_id", "tenant_id"));
create index "tenant_contacts_tenant" on "tenant_contacts" ("tenant_id");

create table "stored_files" ("landlord_id" int not null, "sha256" varchar(64) not null, "name" varchar(255) not null, "size" int not null, "content_type" varchar(100) not null, "content" bytea not null, "created_at" timestamptz(3) not null, primary key ("landlord_id", "sha256"));

create table "receipt_counters" ("landlord_id" int not null, "fiscal_year" varchar(7) not null, "last_number" int not null, primary key ("landlord_id", "fiscal_year"));

create table "properties" ("id" serial primary key, "property_id" uuid not null default gen_random_uuid(), "society_building" varchar(255) null, "survey_number" varchar(255) null, "road_name" varchar(255) null, "locality" varchar(255) null, "landmark" varchar(255) null, "pin_code" int not null, "district" varchar(255) not null, "city" varchar(255) not null, "state" varchar(255) not null, "country" varchar(255) not null default 'India', "alias_name" varchar(255) not null, "property_type" text not null, "common_amenities" text[] null, "property_approved" boolean not null default true, "property_approved_at" timestamptz(3) null, "property_approved_by" int null, "landlord_id" int not null, "is_listed" boolean not null default true, "created_at" timestamptz(3) not null, "updated_at" timestamptz(3) not null, "is_active" boolean not null default true);
alter table "properties" add constraint "properties_property_id_unique" unique ("property_id");
create index "properties_landlord" on "properties" ("landlord_id", "id");
create index "properties_pin_code" on "properties" ("pin_code") where is_active;
alter table "properties" add constraint "properties_pin_code_six_digits" check (pin_code >= 100000 and pin_code <= 999999);
alter table "properties" add constraint "properties_property_type_check" check ("property_type" in ('apartment', 'gated_community_villa', 'independent_house', 'commercial', 'pg'));

create table "property_units" ("id" serial primary key, "property_unit_id" uuid not null default gen_random_uuid(), "property_id" int not null, "landlord_id" int not null, "managed_by_id" int not null, "unit_name" varchar(255) not null, "room_type" text null, "furnishing_type" text null, "furniture_included" text null, "area_sqft" numeric(12,2) null, "floor_number" int null, "is_available" boolean not null default true, "unit_notes" text null, "unit_amenities" text[] null, "created_at" timestamptz(3) not null, "updated_at" timestamptz(3) not null, "is_active" boolean not null default true);
alter table "property_units" add constraint "property_units_property_unit_id_unique" unique ("property_unit_id");
create index "property_units_property" on "property_units" ("property_id", "id") where is_active;
create index "property_units_landlord" on "property_units" ("landlord_id", "property_id");
create index "property_units_manager" on "property_units" ("managed_by_id", "property_id");
alter table "property_units" add constraint "property_units_room_type_check" check ("room_type" in ('1rk', '1bhk', '2bhk', '3bhk', '4bhk', '5bhk', 'other'));
alter table "property_units" add constraint "property_units_furnishing_type_check" check ("furnishing_type" in ('fully_furnished', 'semi_furnished', 'unfurnished'));

create table "messages_out" ("id" serial primary key, "user_id" int not null, "landlord_id" int not null, "kind" varchar(50) not null, "entity_type" varchar(50) not null, "entity_id" int not null, "params" jsonb not null, "dedupe_key" varchar(255) not null, "language" text not null, "state" text not null default 'queued', "provider_id" varchar(255) null, "due_at" timestamptz(3) not null, "created_at" timestamptz(3) not null, "updated_at" timestamptz(3) not null);
create index "messages_out_user" on "messages_out" ("user_id");
create index "messages_out_due" on "messages_out" ("due_at") where state = 'queued';
alter table "messages_out" add constraint "messages_out_once" unique ("dedupe_key");
alter table "messages_out" add constraint "messages_out_language_check" check ("language" in ('en', 'hi'));
alter table "messages_out" add constraint "messages_out_state_check" check ("state" in ('queued', 'sent', 'failed', 'unknown'));

create table "kyc_requests" ("id" serial primary key, "kyc_request_id" uuid not null default gen_random_uuid(), "user_id" int not null, "provider" varchar(50) not null, "provider_request_id" varchar(255) null, "verification_url" text null, "status" text not null default 'CREATED', "error_code" varchar(100) null, "error_message" text null, "name" varchar(255) null, "masked_aadhaar" varchar(4) null, "expires_at" timestamptz(3) not null, "next_check_at" timestamptz(3) null, "created_at" timestamptz(3) not null, "updated_at" timestamptz(3) not null);
alter table "kyc_requests" add constraint "kyc_requests_kyc_request_id_unique" unique ("kyc_request_id");
create index "kyc_requests_user_id_index" on "kyc_requests" ("user_id");
create unique index "kyc_requests_one_open" on "kyc_requests" ("user_id") where status = any (array['CREATED'::text, 'KYC_REQUESTED'::text]);
alter table "kyc_requests" add constraint "kyc_requests_provider" unique ("provider", "provider_request_id");
alter table "kyc_requests" add constraint "kyc_requests_masked" check (masked_aadhaar ~ '^[0-9]{4}$');
alter table "kyc_requests" add constraint "kyc_requests_status_check" check ("status" in ('CREATED', 'KYC_REQUESTED', 'SUCCESS', 'ERROR'));

create table "idempotency_keys" ("user_id" int not null, "key" varchar(255) not null, "digest" varchar(64) not null, "answer" jsonb not null, "created_at" timestamptz(3) not null, primary key ("user_id", "key"));
create index "idempotency_keys_oldest" on "idempotency_keys" ("created_at");

create table "auth_sessions" ("id" serial primary key, "sid" uuid not null default gen_random_uuid(), "user_id" int not null, "auth_token" varchar(500) not null, "expires_by" timestamptz(3) not null, "token_expires_at" timestamptz(3) not null, "created_at" timestamptz(3) not null, "updated_at" timestamptz(3) not null, "is_active" boolean not null default true);
create index "auth_sessions_sid_index" on "auth_sessions" ("sid");
create index "auth_sessions_user_id_index" on "auth_sessions" ("user_id");
alter table "auth_sessions" add constraint "auth_sessions_auth_token_unique" unique ("auth_token");
create index "auth_sessions_token_expires_at_index" on "auth_sessions" ("token_expires_at");
create unique index "auth_sessions_one_active" on "auth_sessions" ("user_id") where is_active;

create table "agreement_counters" ("landlord_id" int not null, "year" int not null, "last_number" int not null, primary key ("landlord_id", "year"));

create table "agreements" ("id" serial primary key, "agreement_id" uuid not null default gen_random_uuid(), "agreement_number" varchar(100) not null, "document_url" text null, "document_sha256" varchar(64) null, "document_template" text null, "document_language" text null, "document_version" int null, "property_unit_id" int not null, "landlord_id" int not null, "manager_id" int null, "agreement_start_date" date not null, "agreement_end_date" date not null, "tenure_in_months" int not null, "auto_renew" boolean not null default false, "rent_amount" numeric(12,2) not null, "deposit_amount" numeric(12,2) null, "rent_due_day" int not null, "notice_period_days" int not null, "status" text not null default 'DRAFT', "amenities" text[] null, "pets_allowed" boolean not null default false, "non_veg_allowed" boolean not null default false, "smoking_allowed" boolean not null default false, "bachelor_allowed" boolean not null default false, "additional_policies" text null, "improvements" text null, "signed_date" date null, "recorded_on" date null, "voided_on" date null, "registration_number" varchar(100) null, "stamp_number" varchar(100) null, "termination_date" date null, "termination_reason" text null, "reinstatement_asked_by" text null, "late_fee_pauses" jsonb null, "payment_terms" text null, "late_fee" numeric(12,2) null, "billing_cycle" text not null default 'calendar_month', "rent_in" text not null default 'advance', "rent_rounding" numeric(4,2) not null default 0.01, "late_fee_kind" text not null default 'flat', "late_fee_percent" numeric(5,2) null, "late_fee_grace_days" int not null default 0, "late_fee_cap" numeric(12,2) null, "escalation_percent" numeric(5,2) null, "escalation_every_months" int null, "recurring_charges" jsonb null, "signing_order" jsonb null, "clauses" text[] null, "opening" jsonb null, "internal_notes" text null, "external_ref" varchar(100) null, "revises_id" int null, "renews_id" int null, "revision" int not null default 0, "timeline_length" int not null default 0, "timeline_hash" varchar(64) null, "end_notice_days" int null, "evidence_due_at" timestamptz(3) null, "created_at" timestamptz(3) not null, "updated_at" timestamptz(3) not null, "is_active" boolean not null default true);
alter table "agreements" add constraint "agreements_agreement_id_unique" unique ("agreement_id");
create index "agreements_landlord" on "agreements" ("landlord_id", "id");
create index "agreements_manager" on "agreements" ("manager_id", "id");
create unique index "agreements_external_ref" on "agreements" ("landlord_id", "external_ref") where is_active and external_ref is not null;
create index "agreements_unit" on "agreements" ("property_unit_id", "status");
create index "agreements_document" on "agreements" ("landlord_id", "document_sha256") where document_sha256 is not null;
create index "agreements_pending" on "agreements" ("id") where status = 'PENDING';
create index "agreements_evidence" on "agreements" ("evidence_due_at") where evidence_due_at is not null;
alter table "agreements" add constraint "agreements_rent_due_day_of_month" check (rent_due_day >= 1 and rent_due_day <= 31);
alter table "agreements" add constraint "agreements_tenure" check (tenure_in_months >= 1 and tenure_in_months <= 600);
alter table "agreements" add constraint "agreements_amounts" check (rent_amount > 0 and deposit_amount >= 0 and late_fee >= 0);
alter table "agreements" add constraint "agreements_no_overlap" exclude using gist (property_unit_id with =, daterange(agreement_start_date, agreement_end_date, '[]'::text) with &&) where (is_active and (status = any (array['PENDING'::text, 'ACTIVE'::text])));
alter table "agreements" add constraint "agreements_ends_after_start" check (agreement_end_date > agreement_start_date);
alter table "agreements" add constraint "agreements_document_template_check" check ("document_template" in ('leave_and_licence', 'residential', 'commercial', 'pg'));
alter table "agreements" add constraint "agreements_document_language_check" check ("document_language" in ('en', 'hi'));
alter table "agreements" add constraint "agreements_status_check" check ("status" in ('DRAFT', 'PENDING', 'ACTIVE', 'TERMINATED', 'COMPLETED'));
alter table "agreements" add constraint "agreements_reinstatement_asked_by_check" check ("reinstatement_asked_by" in ('landlord', 'tenants'));
alter table "agreements" add constraint "agreements_billing_cycle_check" check ("billing_cycle" in ('calendar_month', 'anniversary'));
alter table "agreements" add constraint "agreements_rent_in_check" check ("rent_in" in ('advance', 'arrears'));
alter table "agreements" add constraint "agreements_late_fee_kind_check" check ("late_fee_kind" in ('flat', 'per_day', 'percent_pa'));

create table "timeline_entries" ("id" serial primary key, "agreement_id" int not null, "position" int not null, "type" varchar(30) not null, "actor_id" int null, "details" jsonb not null, "snapshot" text null, "occurred_at" timestamptz(3) not null, "hash" varchar(64) not null);
alter table "timeline_entries" add constraint "timeline_entries_position" unique ("agreement_id", "position");

create table "signing_cancellations" ("id" serial primary key, "provider" varchar(50) not null, "provider_request_id" varchar(255) not null, "agreement_id" int not null, "due_at" timestamptz(3) not null, "created_at" timestamptz(3) not null);
create index "signing_cancellations_due" on "signing_cancellations" ("due_at");
create index "signing_cancellations_agreement" on "signing_cancellations" ("agreement_id");
alter table "signing_cancellations" add constraint "signing_cancellations_request" unique ("provider", "provider_request_id");

create table "signed_documents" ("id" serial primary key, "agreement_id" int not null, "provider" varchar(50) not null, "provider_request_id" varchar(255) not null, "sha256" varchar(64) not null, "size" int not null, "content" bytea not null, "created_at" timestamptz(3) not null);
create index "signed_documents_agreement" on "signed_documents" ("agreement_id", "id");
alter table "signed_documents" add constraint "signed_documents_request" unique ("provider", "provider_request_id");

create table "rent_revisions" ("id" serial primary key, "revision_id" uuid not null default gen_random_uuid(), "agreement_id" int not null, "rent_amount" numeric(20,2) not null, "effective_on" date not null, "status" text not null, "paper_accepted_on" date null, "decided_by_id" int null, "decided_at" timestamptz(3) null, "created_at" timestamptz(3) not null);
alter table "rent_revisions" add constraint "rent_revisions_revision_id_unique" unique ("revision_id");
create index "rent_revisions_agreement" on "rent_revisions" ("agreement_id");
create unique index "rent_revisions_once" on "rent_revisions" ("agreement_id", "effective_on") where status = 'accepted';
alter table "rent_revisions" add constraint "rent_revisions_amount" check (rent_amount > 0);
alter table "rent_revisions" add constraint "rent_revisions_status_check" check ("status" in ('proposed', 'accepted', 'declined', 'withdrawn'));

create table "refunds" ("id" serial primary key, "refund_id" uuid not null default gen_random_uuid(), "agreement_id" int not null, "amount" numeric(20,2) not null, "method" text not null, "reference" varchar(100) null, "refunded_on" date not null, "status" text not null default 'posted', "reversal_reason" text null, "created_at" timestamptz(3) not null, "updated_at" timestamptz(3) not null);
alter table "refunds" add constraint "refunds_refund_id_unique" unique ("refund_id");
create index "refunds_agreement" on "refunds" ("agreement_id");
alter table "refunds" add constraint "refunds_method_check" check ("method" in ('cash', 'upi', 'bank_transfer', 'cheque', 'payment_link'));
alter table "refunds" add constraint "refunds_status_check" check ("status" in ('posted', 'reversed'));

create table "payments" ("id" serial primary key, "payment_id" uuid not null default gen_random_uuid(), "agreement_id" int not null, "landlord_id" int not null, "payer_id" int not null, "amount" numeric(20,2) not null, "tds_amount" numeric(20,2) not null default 0, "tds_certificate_number" varchar(50) null, "method" text not null, "reference" varchar(100) null, "paid_on" date not null, "cheque_date" date null, "cleared_on" date null, "status" text not null, "requested_allocations" jsonb null, "unapplied_amount" numeric(20,2) not null default 0, "refunded_amount" numeric(20,2) not null default 0, "moved_amount" numeric(20,2) not null default 0, "waits_for_allocation" boolean not null default false, "source" text not null default 'manual', "external_ref" varchar(100) null, "receipt_number" varchar(30) null, "reversal_reason" text null, "allows_duplicate" boolean not null default false, "posted_at" timestamptz(3) null, "created_at" timestamptz(3) not null, "updated_at" timestamptz(3) not null);
alter table "payments" add constraint "payments_payment_id_unique" unique ("payment_id");
create index "payments_agreement" on "payments" ("agreement_id", "paid_on");
create index "payments_advance" on "payments" ("agreement_id") where unapplied_amount > 0;
create unique index "payments_reference_once" on "payments" ("landlord_id", "method", lower("reference")) where not allows_duplicate and status in ('reported', 'pending', 'posted');
create unique index "payments_external_ref" on "payments" ("landlord_id", "external_ref") where external_ref is not null;
create unique index "payments_receipt_once" on "payments" ("landlord_id", "receipt_number");
alter table "payments" add constraint "payments_amounts" check (amount >= 0 and tds_amount >= 0 and amount + tds_amount > 0);
alter table "payments" add constraint "payments_not_overspent" check (unapplied_amount >= 0 and refunded_amount >= 0 and moved_amount >= 0 and unapplied_amount + refunded_amount + moved_amount <= amount + tds_amount);
alter table "payments" add constraint "payments_method_check" check ("method" in ('cash', 'upi', 'bank_transfer', 'cheque', 'payment_link'));
alter table "payments" add constraint "payments_status_check" check ("status" in ('reported', 'rejected', 'pending', 'bounced', 'posted', 'reversed'));
alter table "payments" add constraint "payments_source_check" check ("source" in ('manual', 'renewal', 'opening'));

create table "ledgers" ("agreement_id" int not null, "starts_on" date not null, "length" int not null default 0, "hash" varchar(64) null, "next_posting_on" date null, "deposit_held" numeric(20,2) not null default 0, primary key ("agreement_id"));
create index "ledgers_next_posting" on "ledgers" ("next_posting_on") where next_posting_on is not null;
alter table "ledgers" add constraint "ledgers_deposit_held" check (deposit_held >= 0);

create table "deposit_settlements" ("id" serial primary key, "settlement_id" uuid not null default gen_random_uuid(), "agreement_id" int not null, "proposed_on" date not null, "deductions" jsonb not null, "held_amount" numeric(20,2) not null, "open_rent" numeric(20,2) not null, "advance_amount" numeric(20,2) not null default 0, "refund_amount" numeric(20,2) not null, "refund_method" text null, "reference" varchar(100) null, "status" text not null, "dispute_reason" text null, "unanswered" boolean not null default false, "paper_accepted_on" date null, "decided_by_id" int null, "decided_at" timestamptz(3) null, "posted_at" timestamptz(3) null, "created_at" timestamptz(3) not null, "updated_at" timestamptz(3) not null);
alter table "deposit_settlements" add constraint "deposit_settlements_settlement_id_unique" unique ("settlement_id");
alter table "deposit_settlements" add constraint "deposit_settlements_agreement_id_unique" unique ("agreement_id");
alter table "deposit_settlements" add constraint "deposit_settlements_refund_method_check" check ("refund_method" in ('cash', 'upi', 'bank_transfer', 'cheque', 'payment_link'));
alter table "deposit_settlements" add constraint "deposit_settlements_status_check" check ("status" in ('proposed', 'accepted', 'disputed', 'posted'));

create table "charges" ("id" serial primary key, "charge_id" uuid not null default gen_random_uuid(), "agreement_id" int not null, "property_unit_id" int not null, "type" text not null, "description" varchar(255) null, "period_start" date null, "period_end" date null, "due_date" date not null, "amount" numeric(20,2) not null, "amount_paid" numeric(20,2) not null default 0, "amount_credited" numeric(20,2) not null default 0, "source" text not null, "item" smallint not null default 0, "base_charge_id" int null, "late_fee_on" date null, "posted_at" timestamptz(3) not null);
alter table "charges" add constraint "charges_charge_id_unique" unique ("charge_id");
create index "charges_agreement" on "charges" ("agreement_id", "due_date");
create unique index "charges_scheduled_once" on "charges" ("agreement_id", "type", "item", "period_start") nulls not distinct where source = 'schedule';
create unique index "charges_late_fee_once" on "charges" ("base_charge_id", date_trunc('month', due_date::timestamp)) where source = 'late_fee' and amount_credited < amount;
create index "charges_base" on "charges" ("base_charge_id") where base_charge_id is not null;
create index "charges_open" on "charges" ("agreement_id", "due_date") where amount > amount_paid + amount_credited;
alter table "charges" add constraint "charges_amounts" check (amount > 0 and amount_paid >= 0 and amount_credited >= 0);
alter table "charges" add constraint "charges_not_overpaid" check (amount_paid + amount_credited <= amount);
alter table "charges" add constraint "charges_type_check" check ("type" in ('rent', 'deposit', 'maintenance', 'electricity', 'water', 'late_fee', 'damage', 'other', 'opening_balance'));
alter table "charges" add constraint "charges_source_check" check ("source" in ('schedule', 'manual', 'late_fee', 'bounced_cheque', 'opening'));

create table "maintenance_requests" ("id" serial primary key, "request_id" uuid not null default gen_random_uuid(), "property_unit_id" int not null, "agreement_id" int null, "raised_by_id" int not null, "category" text not null, "priority" text not null, "title" varchar(200) not null, "description" text null, "status" text not null, "vendor_name" varchar(255) null, "vendor_phone" varchar(20) null, "scheduled_at" timestamptz(3) null, "cost" numeric(12,2) null, "borne_by" text not null, "charge_id" int null, "resolved_at" timestamptz(3) null, "created_at" timestamptz(3) not null, "updated_at" timestamptz(3) not null);
alter table "maintenance_requests" add constraint "maintenance_requests_request_id_unique" unique ("request_id");
alter table "maintenance_requests" add constraint "maintenance_requests_charge_id_unique" unique ("charge_id");
create index "maintenance_requests_unit" on "maintenance_requests" ("property_unit_id", "id");
create index "maintenance_requests_agreement" on "maintenance_requests" ("agreement_id", "id");
create index "maintenance_requests_raised_by" on "maintenance_requests" ("raised_by_id");
alter table "maintenance_requests" add constraint "maintenance_requests_cost" check (cost >= 0);
alter table "maintenance_requests" add constraint "maintenance_requests_category_check" check ("category" in ('plumbing', 'electrical', 'appliance', 'carpentry', 'painting', 'pest', 'cleaning', 'security', 'other'));
alter table "maintenance_requests" add constraint "maintenance_requests_priority_check" check ("priority" in ('low', 'normal', 'high', 'urgent'));
alter table "maintenance_requests" add constraint "maintenance_requests_status_check" check ("status" in ('open', 'acknowledged', 'in_progress', 'on_hold', 'resolved', 'closed', 'cancelled'));
alter table "maintenance_requests" add constraint "maintenance_requests_borne_by_check" check ("borne_by" in ('landlord', 'tenant'));

create table "maintenance_entries" ("id" serial primary key, "comment_id" uuid not null default gen_random_uuid(), "maintenance_request_id" int not null, "status" text null, "text" text null, "is_internal" boolean not null, "created_by_id" int not null, "created_at" timestamptz(3) not null);
alter table "maintenance_entries" add constraint "maintenance_entries_comment_id_unique" unique ("comment_id");
create index "maintenance_entries_request" on "maintenance_entries" ("maintenance_request_id", "id");
create index "maintenance_entries_created_by" on "maintenance_entries" ("created_by_id");
alter table "maintenance_entries" add constraint "maintenance_entries_content" check (status is not null or text is not null);
alter table "maintenance_entries" add constraint "maintenance_entries_status_check" check ("status" in ('open', 'acknowledged', 'in_progress', 'on_hold', 'resolved', 'closed', 'cancelled'));

create table "maintenance_attachments" ("id" serial primary key, "attachment_id" uuid not null default gen_random_uuid(), "maintenance_request_id" int not null, "content_type" text not null, "size" int not null, "created_by_id" int not null, "created_at" timestamptz(3) not null);
alter table "maintenance_attachments" add constraint "maintenance_attachments_attachment_id_unique" unique ("attachment_id");
create index "maintenance_attachments_request" on "maintenance_attachments" ("maintenance_request_id", "id");
create index "maintenance_attachments_created_by" on "maintenance_attachments" ("created_by_id");
alter table "maintenance_attachments" add constraint "maintenance_attachments_content_type_check" check ("content_type" in ('image/webp', 'application/pdf'));

create table "maintenance_files" ("attachment_id" int not null, "content" bytea not null, primary key ("attachment_id"));

create table "journals" ("id" serial primary key, "agreement_id" int not null, "position" int not null, "kind" varchar(20) not null, "effective_on" date not null, "posted_at" timestamptz(3) not null, "actor_id" int null, "charge_id" int null, "payment_id" int null, "reverses_id" int null, "refund_id" int null, "reason" varchar(30) null, "reference" varchar(100) null, "hash" varchar(64) not null);
create index "journals_charge" on "journals" ("charge_id") where charge_id is not null;
create index "journals_payment" on "journals" ("payment_id") where payment_id is not null;
create index "journals_refund" on "journals" ("refund_id") where refund_id is not null;
create unique index "journals_reversed_once" on "journals" ("reverses_id") where reverses_id is not null;
alter table "journals" add constraint "journals_position" unique ("agreement_id", "position");

create table "payment_allocations" ("journal_id" int not null, "payment_id" int not null, "charge_id" int not null, "amount" numeric(20,2) not null, primary key ("journal_id"));
create index "payment_allocations_payment" on "payment_allocations" ("payment_id");
create index "payment_allocations_charge" on "payment_allocations" ("charge_id");
alter table "payment_allocations" add constraint "payment_allocations_amount" check (amount > 0);

create table "journal_lines" ("journal_id" int not null, "line" smallint not null, "account" varchar(40) not null, "debit" numeric(20,2) not null, "credit" numeric(20,2) not null, primary key ("journal_id", "line"));
alter table "journal_lines" add constraint "journal_lines_one_side" check ((debit > 0 and credit = 0) or (debit = 0 and credit > 0));

create table "agreement_tenants" ("id" serial primary key, "agreement_id" int not null, "tenant_id" int not null, "accepted_at" timestamptz(3) null, "objected_at" timestamptz(3) null, "objection" text null);
create index "agreement_tenants_tenant" on "agreement_tenants" ("tenant_id", "agreement_id");
alter table "agreement_tenants" add constraint "agreement_tenants_once" unique ("agreement_id", "tenant_id");

create table "agreement_signatures" ("id" serial primary key, "signature_id" uuid not null default gen_random_uuid(), "agreement_id" int not null, "signer_id" int not null, "signer_role" text not null, "status" text not null default 'PENDING', "provider" varchar(50) not null, "provider_request_id" varchar(255) null, "provider_signature_id" varchar(255) null, "signing_url" text null, "document_key" uuid null, "viewed_at" timestamptz(3) null, "signed_at" timestamptz(3) null, "expires_at" timestamptz(3) not null, "decline_reason" text null, "last_error" varchar(255) null, "next_check_at" timestamptz(3) null, "reminders" int not null default 0, "next_reminder_at" timestamptz(3) null, "created_at" timestamptz(3) not null, "updated_at" timestamptz(3) not null);
alter table "agreement_signatures" add constraint "agreement_signatures_signature_id_unique" unique ("signature_id");
alter table "agreement_signatures" add constraint "agreement_signatures_document_key_unique" unique ("document_key");
create index "agreement_signatures_agreement" on "agreement_signatures" ("agreement_id", "id");
create index "agreement_signatures_requests" on "agreement_signatures" ("agreement_id", "signer_id");
create index "agreement_signatures_signer" on "agreement_signatures" ("signer_id");
create index "agreement_signatures_reminder" on "agreement_signatures" ("next_reminder_at") where next_reminder_at is not null;
create index "agreement_signatures_unsigned" on "agreement_signatures" ("agreement_id") where status in ('DECLINED', 'EXPIRED');
create index "agreement_signatures_due" on "agreement_signatures" ("next_check_at") where status = 'PENDING';
create unique index "agreement_signatures_one_open" on "agreement_signatures" ("agreement_id", "signer_id") where status = any (array['PENDING'::text, 'SIGNED'::text]);
alter table "agreement_signatures" add constraint "agreement_signatures_provider" unique ("provider", "provider_request_id", "provider_signature_id");
alter table "agreement_signatures" add constraint "agreement_signatures_signer_role_check" check ("signer_role" in ('LANDLORD', 'MANAGER', 'TENANT'));
alter table "agreement_signatures" add constraint "agreement_signatures_status_check" check ("status" in ('PENDING', 'SIGNED', 'DECLINED', 'EXPIRED'));

create table "agreement_certificates" ("agreement_id" int not null, "sha256" varchar(64) not null, "content" bytea not null, "created_at" timestamptz(3) not null, primary key ("agreement_id"));

create table "activities" ("id" serial primary key, "user_id" int not null, "type" varchar(50) not null, "message" text not null, "entity_type" varchar(50) not null, "entity_id" int not null, "actor_id" int null, "occurred_at" timestamptz(3) not null);
create index "activities_newest" on "activities" ("user_id", "id");
create index "activities_entity" on "activities" ("entity_type", "entity_id");
alter table "tenant_contacts" add constraint "tenant_contacts_landlord_id_foreign" foreign key ("landlord_id") references "users" ("id") on update cascade on delete cascade;
alter table "tenant_contacts" add constraint "tenant_contacts_tenant_id_foreign" foreign key ("tenant_id") references "users" ("id") on update cascade on delete cascade;
alter table "stored_files" add constraint "stored_files_landlord_id_foreign" foreign key ("landlord_id") references "users" ("id");
alter table "receipt_counters" add constraint "receipt_counters_landlord_id_foreign" foreign key ("landlord_id") references "users" ("id");
alter table "properties" add constraint "properties_property_approved_by_foreign" foreign key ("property_approved_by") references "users" ("id") on delete set null;
alter table "properties" add constraint "properties_landlord_id_foreign" foreign key ("landlord_id") references "users" ("id");
alter table "property_units" add constraint "property_units_property_id_foreign" foreign key ("property_id") references "properties" ("id");
alter table "property_units" add constraint "property_units_landlord_id_foreign" foreign key ("landlord_id") references "users" ("id");
alter table "property_units" add constraint "property_units_managed_by_id_foreign" foreign key ("managed_by_id") references "users" ("id");
alter table "messages_out" add constraint "messages_out_user_id_foreign" foreign key ("user_id") references "users" ("id");
alter table "messages_out" add constraint "messages_out_landlord_id_foreign" foreign key ("landlord_id") references "users" ("id");
alter table "kyc_requests" add constraint "kyc_requests_user_id_foreign" foreign key ("user_id") references "users" ("id");
alter table "idempotency_keys" add constraint "idempotency_keys_user_id_foreign" foreign key ("user_id") references "users" ("id");
alter table "auth_sessions" add constraint "auth_sessions_user_id_foreign" foreign key ("user_id") references "users" ("id");
alter table "agreement_counters" add constraint "agreement_counters_landlord_id_foreign" foreign key ("landlord_id") references "users" ("id");
alter table "agreements" add constraint "agreements_property_unit_id_foreign" foreign key ("property_unit_id") references "property_units" ("id");
alter table "agreements" add constraint "agreements_landlord_id_foreign" foreign key ("landlord_id") references "users" ("id");
alter table "agreements" add constraint "agreements_manager_id_foreign" foreign key ("manager_id") references "users" ("id") on delete set null;
alter table "agreements" add constraint "agreements_revises_id_foreign" foreign key ("revises_id") references "agreements" ("id") on delete set null;
alter table "agreements" add constraint "agreements_renews_id_foreign" foreign key ("renews_id") references "agreements" ("id") on delete set null;
alter table "timeline_entries" add constraint "timeline_entries_agreement_id_foreign" foreign key ("agreement_id") references "agreements" ("id");
alter table "timeline_entries" add constraint "timeline_entries_actor_id_foreign" foreign key ("actor_id") references "users" ("id") on delete no action;
alter table "signing_cancellations" add constraint "signing_cancellations_agreement_id_foreign" foreign key ("agreement_id") references "agreements" ("id");
alter table "signed_documents" add constraint "signed_documents_agreement_id_foreign" foreign key ("agreement_id") references "agreements" ("id");
alter table "rent_revisions" add constraint "rent_revisions_agreement_id_foreign" foreign key ("agreement_id") references "agreements" ("id");
alter table "rent_revisions" add constraint "rent_revisions_decided_by_id_foreign" foreign key ("decided_by_id") references "users" ("id") on delete no action;
alter table "refunds" add constraint "refunds_agreement_id_foreign" foreign key ("agreement_id") references "agreements" ("id");
alter table "payments" add constraint "payments_agreement_id_foreign" foreign key ("agreement_id") references "agreements" ("id");
alter table "payments" add constraint "payments_landlord_id_foreign" foreign key ("landlord_id") references "users" ("id");
alter table "payments" add constraint "payments_payer_id_foreign" foreign key ("payer_id") references "users" ("id");
alter table "ledgers" add constraint "ledgers_agreement_id_foreign" foreign key ("agreement_id") references "agreements" ("id") on update cascade on delete cascade;
alter table "deposit_settlements" add constraint "deposit_settlements_agreement_id_foreign" foreign key ("agreement_id") references "agreements" ("id");
alter table "deposit_settlements" add constraint "deposit_settlements_decided_by_id_foreign" foreign key ("decided_by_id") references "users" ("id") on delete no action;
alter table "charges" add constraint "charges_agreement_id_foreign" foreign key ("agreement_id") references "agreements" ("id");
alter table "charges" add constraint "charges_property_unit_id_foreign" foreign key ("property_unit_id") references "property_units" ("id");
alter table "charges" add constraint "charges_base_charge_id_foreign" foreign key ("base_charge_id") references "charges" ("id") on delete set null;
alter table "maintenance_requests" add constraint "maintenance_requests_property_unit_id_foreign" foreign key ("property_unit_id") references "property_units" ("id");
alter table "maintenance_requests" add constraint "maintenance_requests_agreement_id_foreign" foreign key ("agreement_id") references "agreements" ("id") on delete no action;
alter table "maintenance_requests" add constraint "maintenance_requests_raised_by_id_foreign" foreign key ("raised_by_id") references "users" ("id");
alter table "maintenance_requests" add constraint "maintenance_requests_charge_id_foreign" foreign key ("charge_id") references "charges" ("id") on delete no action;
alter table "maintenance_entries" add constraint "maintenance_entries_maintenance_request_id_foreign" foreign key ("maintenance_request_id") references "maintenance_requests" ("id");
alter table "maintenance_entries" add constraint "maintenance_entries_created_by_id_foreign" foreign key ("created_by_id") references "users" ("id");
alter table "maintenance_attachments" add constraint "maintenance_attachments_maintenance_request_id_foreign" foreign key ("maintenance_request_id") references "maintenance_requests" ("id");
alter table "maintenance_attachments" add constraint "maintenance_attachments_created_by_id_foreign" foreign key ("created_by_id") references "users" ("id");
alter table "maintenance_files" add constraint "maintenance_files_attachment_id_foreign" foreign key ("attachment_id") references "maintenance_attachments" ("id") on update cascade on delete cascade;
alter table "journals" add constraint "journals_agreement_id_foreign" foreign key ("agreement_id") references "agreements" ("id");
alter table "journals" add constraint "journals_actor_id_foreign" foreign key ("actor_id") references "users" ("id") on delete no action;
alter table "journals" add constraint "journals_charge_id_foreign" foreign key ("charge_id") references "charges" ("id") on delete no action;
alter table "journals" add constraint "journals_payment_id_foreign" foreign key ("payment_id") references "payments" ("id") on delete no action;
alter table "journals" add constraint "journals_reverses_id_foreign" foreign key ("reverses_id") references "journals" ("id") on delete no action;
alter table "journals" add constraint "journals_refund_id_foreign" foreign key ("refund_id") references "refunds" ("id") on delete no action;
alter table "payment_allocations" add constraint "payment_allocations_journal_id_foreign" foreign key ("journal_id") references "journals" ("id") on update cascade on delete cascade;
alter table "payment_allocations" add constraint "payment_allocations_payment_id_foreign" foreign key ("payment_id") references "payments" ("id");
alter table "payment_allocations" add constraint "payment_allocations_charge_id_foreign" foreign key ("charge_id") references "charges" ("id");
alter table "journal_lines" add constraint "journal_lines_journal_id_foreign" foreign key ("journal_id") references "journals" ("id");
alter table "agreement_tenants" add constraint "agreement_tenants_agreement_id_foreign" foreign key ("agreement_id") references "agreements" ("id");
alter table "agreement_tenants" add constraint "agreement_tenants_tenant_id_foreign" foreign key ("tenant_id") references "users" ("id");
alter table "agreement_signatures" add constraint "agreement_signatures_agreement_id_foreign" foreign key ("agreement_id") references "agreements" ("id");
alter table "agreement_signatures" add constraint "agreement_signatures_signer_id_foreign" foreign key ("signer_id") references "users" ("id");
alter table "agreement_certificates" add constraint "agreement_certificates_agreement_id_foreign" foreign key ("agreement_id") references "agreements" ("id") on update cascade on delete cascade;
alter table "activities" add constraint "activities_user_id_foreign" foreign key ("user_id") references "users" ("id");
alter table "activities" add constraint "activities_actor_id_foreign" foreign key ("actor_id") references "users" ("id") on delete set null;
