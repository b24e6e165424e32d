import { sql } from './fragments'

export const selectActiveUser = sql`select * from users where id = $1 and is_active`

export const selectTwoUsers = sql`select * from users where id in ($1, $2)`

export const lockOpenSignature = sql`
  select *
  from agreement_signatures
  where agreement_id = $1 and signer_id = $2 and status in ('PENDING', 'SIGNED')
  for update`

export const insertSignature = sql`
  insert into agreement_signatures (
    agreement_id, signer_id, signer_role, status, provider, expires_at, reminders, created_at, updated_at
  )
  values ($1, $2, $3, 'PENDING', 'sandbox', $4::timestamptz, 0, $5::timestamptz, $5::timestamptz)
  returning id, signature_id`

export const selectEarlierSignatures = sql`
  select *
  from agreement_signatures
  where agreement_id = $1 and provider_request_id is not null
  order by id desc`

export const lockSignature = sql`select * from agreement_signatures where id = $1 for update`

export const lockSignatures = sql`select * from agreement_signatures where agreement_id = $1 for update`

export const countRequest = sql`
  select count(*)::int as n
  from agreement_signatures
  where provider = 'sandbox' and provider_request_id = $1`

export const selectEarlierSignature = sql`
  select *
  from agreement_signatures
  where agreement_id = $1 and signer_id = $2 and id <> $3 and provider_request_id is not null
  order by id desc
  limit 1`

export const updateSentSignature = sql`
  update agreement_signatures
  set
    provider_request_id = $2,
    provider_signature_id = $3,
    signing_url = $4,
    expires_at = $5::timestamptz,
    next_reminder_at = $6::timestamptz,
    updated_at = $7::timestamptz
  where id = $1`

export const selectOpenSignatures = sql`
  select * from agreement_signatures where agreement_id = $1 and status in ('PENDING', 'SIGNED')`

export const selectSignatureByRequest = sql`
  select * from agreement_signatures where provider = 'sandbox' and provider_request_id = $1`

export const updateSignedSignature = sql`
  update agreement_signatures
  set status = 'SIGNED', signed_at = $2::timestamptz, next_reminder_at = null, updated_at = $2::timestamptz
  where id = $1`

export const selectDeliveries = sql`
  select id from webhook_deliveries where provider = 'sandbox' and request_id = $1 order by id`

export const insertDelivery = sql`
  insert into webhook_deliveries (
    provider, digest, payload, request_id, document_id, next_attempt_at, created_at
  )
  values ('sandbox', $1, $2, $3, $4, $5::timestamptz, $6::timestamptz)
  on conflict (digest) do update set digest = $1
  returning id, processed_at`

export const leaseDelivery = sql`
  update webhook_deliveries
  set
    attempts = attempts + 1,
    next_attempt_at = $2::timestamptz + greatest(interval '1 minute', $2::timestamptz - created_at)
  where id = $1
  returning payload`

export const updateProcessedDelivery = sql`
  update webhook_deliveries
  set outcome = 'signed', processed_at = $2::timestamptz, next_attempt_at = null, last_error = null
  where id = $1`

export const insertSandboxRecord = sql`
  insert into sandbox_records (id, kind, data) values ($1, $2, $3::text::jsonb)`

export const selectSandboxRecord = sql`select data from sandbox_records where id = $1 and kind = $2`
