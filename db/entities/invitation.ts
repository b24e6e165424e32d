import { defineEntity, p } from '@mikro-orm/core'
import { numericId, timestamps } from './columns'

/**
 * An operator's invitation of a landlord. It is no account: its names are only offered to the person who signs
 * in with the phone number. `sent_at` is when its message was sent, null if that failed.
 */
export const Invitation = defineEntity({
  name: 'Invitation',
  tableName: 'invitations',
  properties: {
    id: numericId(),
    phone_number: p.string().length(20).unique(),
    first_name: p.string().length(255),
    last_name: p.string().length(255),
    email: p.string().length(255),
    sent_at: p.datetime(3).nullable(),
    expires_at: p.datetime(3).index(),
    ...timestamps,
  },
})
