import { defineEntity, p } from '@mikro-orm/core'
import { Language } from '@kiraya/sdk/contract'
import { numericId, timestamps } from './columns'
import { User } from './user'

const MESSAGE_STATES = ['queued', 'sent', 'failed', 'unknown'] as const

/**
 * A message to a person, written in the transaction of what it tells. While it is `queued`, `due_at` is when to send it.
 * It becomes `unknown` before it is sent, and stays so if no answer comes: it is never sent twice. `landlord_id` is the
 * landlord whose messages it counts to.
 */
export const MessageOut = defineEntity({
  name: 'MessageOut',
  tableName: 'messages_out',
  uniques: [{ name: 'messages_out_once', properties: ['dedupe_key'] }],
  indexes: [
    { name: 'messages_out_user', properties: ['user_id'] },
    { name: 'messages_out_due', properties: ['due_at'], where: "state = 'queued'" },
  ],
  properties: {
    id: numericId(),
    user_id: () => p.manyToOne(User).mapToPk().fieldName('user_id'),
    landlord_id: () => p.manyToOne(User).mapToPk().fieldName('landlord_id'),
    kind: p.string().length(50),
    entity_type: p.string().length(50),
    entity_id: p.integer(),
    params: p.json<Record<string, string>>(),
    dedupe_key: p.string().length(255),
    language: p.enum(Language.enum),
    state: p.enum(MESSAGE_STATES).default('queued'),
    provider_id: p.string().length(255).nullable(),
    due_at: p.datetime(3),
    ...timestamps,
  },
})
