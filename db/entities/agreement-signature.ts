import { defineEntity, p, type InferEntity } from '@mikro-orm/core'
import { createdAt, numericId, timestamps, uuid } from './columns'
import { Agreement } from './agreement'
import { User } from './user'

const SIGNER_ROLES = ['LANDLORD', 'MANAGER', 'TENANT'] as const
const SIGNATURE_STATUSES = ['PENDING', 'SIGNED', 'DECLINED', 'EXPIRED'] as const
export type SignatureStatus = (typeof SIGNATURE_STATUSES)[number]

/**
 * A request to one party to sign an agreement. It is created before the provider is called, because its
 * `signature_id` is the provider's `documentId`. Without a `provider_request_id` it was never sent; it then
 * expires at `expires_at` like any other. One on paper is recorded as SIGNED, by the provider `paper`.
 *
 * While it is PENDING, `next_check_at` is when to ask the provider for its status, and `next_reminder_at`
 * when to remind the signer.
 * `document_key` is in the address at which the provider reads a stored lease, until the signing ends.
 */
export const AgreementSignature = defineEntity({
  name: 'AgreementSignature',
  tableName: 'agreement_signatures',
  uniques: [
    {
      name: 'agreement_signatures_one_open',
      properties: ['agreement_id', 'signer_id'],
      where: "status = any (array['PENDING'::text, 'SIGNED'::text])",
    },
    {
      name: 'agreement_signatures_provider',
      properties: ['provider', 'provider_request_id', 'provider_signature_id'],
    },
  ],
  indexes: [
    { name: 'agreement_signatures_agreement', properties: ['agreement_id', 'id'] },
    { name: 'agreement_signatures_requests', properties: ['agreement_id', 'signer_id'] },
    { name: 'agreement_signatures_signer', properties: ['signer_id'] },
    {
      name: 'agreement_signatures_reminder',
      properties: ['next_reminder_at'],
      where: 'next_reminder_at is not null',
    },
    {
      name: 'agreement_signatures_unsigned',
      properties: ['agreement_id'],
      where: "status in ('DECLINED', 'EXPIRED')",
    },
    { name: 'agreement_signatures_due', properties: ['next_check_at'], where: "status = 'PENDING'" },
  ],
  properties: {
    id: numericId(),
    signature_id: uuid(),
    agreement_id: () => p.manyToOne(Agreement).mapToPk().fieldName('agreement_id'),
    signer_id: () => p.manyToOne(User).mapToPk().fieldName('signer_id'),
    signer_role: p.enum(SIGNER_ROLES),
    status: p.enum(SIGNATURE_STATUSES).default('PENDING'),
    provider: p.string().length(50),
    provider_request_id: p.string().length(255).nullable(),
    provider_signature_id: p.string().length(255).nullable(),
    signing_url: p.text().nullable(),
    document_key: p.uuid().unique().nullable(),
    viewed_at: p.datetime(3).nullable(),
    signed_at: p.datetime(3).nullable(),
    expires_at: p.datetime(3),
    decline_reason: p.text().nullable(),
    last_error: p.string().length(255).nullable(),
    next_check_at: p.datetime(3).nullable(),
    reminders: p.integer().default(0),
    next_reminder_at: p.datetime(3).nullable(),
    ...timestamps,
  },
})
export type AgreementSignature = InferEntity<typeof AgreementSignature>

/** The outbox of cancellations: requests that ended in Kiraya and may still be open at their provider. */
export const SigningCancellation = defineEntity({
  name: 'SigningCancellation',
  tableName: 'signing_cancellations',
  uniques: [{ name: 'signing_cancellations_request', properties: ['provider', 'provider_request_id'] }],
  indexes: [
    { name: 'signing_cancellations_due', properties: ['due_at'] },
    { name: 'signing_cancellations_agreement', properties: ['agreement_id'] },
  ],
  properties: {
    id: numericId(),
    provider: p.string().length(50),
    provider_request_id: p.string().length(255),
    agreement_id: () => p.manyToOne(Agreement).mapToPk().fieldName('agreement_id'),
    due_at: p.datetime(3),
    ...createdAt,
  },
})
