import { defineEntity, p, type InferEntity } from '@mikro-orm/core'
import { numericId, timestamps, uuid } from './columns'

const ROLES = ['LANDLORD', 'TENANT', 'MANAGER', 'ADMIN'] as const

export const User = defineEntity({
  name: 'User',
  tableName: 'users',
  properties: {
    id: numericId(),
    user_id: uuid(),
    phone: p.string().length(20).unique(),
    first_name: p.text().nullable(),
    last_name: p.string().length(255).nullable(),
    email: p.string().length(255).nullable(),
    password: p.string().length(255).nullable(),
    last_login_at: p.datetime(3).nullable(),
    role: p.enum(ROLES).default('LANDLORD'),
    /** Encrypted with `CREDENTIALS_KEY`. */
    pan: p.string().length(255).nullable(),
    pan_last_four: p.string().length(4).nullable(),
    kyc_verified: p.boolean().default(false),
    ...timestamps,
    is_active: p.boolean().default(true),
  },
})
export type User = InferEntity<typeof User>
