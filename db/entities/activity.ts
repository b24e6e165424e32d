import { defineEntity, p } from '@mikro-orm/core'
import { numericId } from './columns'
import { User } from './user'

/** One entry of a user's `recent_activity`, written in the transaction of the change that it reports. */
export const Activity = defineEntity({
  name: 'Activity',
  tableName: 'activities',
  indexes: [
    { name: 'activities_newest', properties: ['user_id', 'id'] },
    { name: 'activities_entity', properties: ['entity_type', 'entity_id'] },
  ],
  properties: {
    id: numericId(),
    user_id: () => p.manyToOne(User).mapToPk().fieldName('user_id'),
    type: p.string().length(50),
    message: p.text(),
    entity_type: p.string().length(50),
    entity_id: p.integer(),
    actor_id: () => p.manyToOne(User).mapToPk().nullable().fieldName('actor_id'),
    occurred_at: p.datetime(3),
  },
})
