import { defineEntity, p, type InferEntity } from '@mikro-orm/core'
import { numericId, timestamps, uuid } from './columns'
import { User } from './user'

const KYC_STATUSES = ['CREATED', 'KYC_REQUESTED', 'SUCCESS', 'ERROR'] as const
export type KycStatus = (typeof KYC_STATUSES)[number]

/** An identity check. Of the Aadhaar data it holds only the name and the last four digits. */
export const KycRequest = defineEntity({
  name: 'KycRequest',
  tableName: 'kyc_requests',
  uniques: [
    {
      name: 'kyc_requests_one_open',
      properties: ['user_id'],
      where: "status = any (array['CREATED'::text, 'KYC_REQUESTED'::text])",
    },
    { name: 'kyc_requests_provider', properties: ['provider', 'provider_request_id'] },
  ],
  checks: [{ name: 'kyc_requests_masked', expression: "masked_aadhaar ~ '^[0-9]{4}$'" }],
  properties: {
    id: numericId(),
    kyc_request_id: uuid(),
    user_id: () => p.manyToOne(User).mapToPk().fieldName('user_id').index(),
    provider: p.string().length(50),
    provider_request_id: p.string().length(255).nullable(),
    verification_url: p.text().nullable(),
    status: p.enum(KYC_STATUSES).default('CREATED'),
    error_code: p.string().length(100).nullable(),
    error_message: p.text().nullable(),
    name: p.string().length(255).nullable(),
    masked_aadhaar: p.string().length(4).nullable(),
    expires_at: p.datetime(3),
    next_check_at: p.datetime(3).nullable(),
    ...timestamps,
  },
})
export type KycRequest = InferEntity<typeof KycRequest>
