import { defineEntity, p } from '@mikro-orm/core'
import { createdAt } from './columns'

/** What the sandbox's providers store: signing requests, identity checks, messages. */
export const SandboxRecord = defineEntity({
  name: 'SandboxRecord',
  tableName: 'sandbox_records',
  indexes: [{ name: 'sandbox_records_newest', properties: ['kind', 'created_at'] }],
  properties: {
    id: p.string().length(64).primary(),
    kind: p.string().length(20),
    data: p.json<Record<string, unknown>>(),
    ...createdAt,
  },
})
