import { defineEntity, p } from '@mikro-orm/core'
import { createdAt } from './columns'
import { User } from './user'

/** A file of a landlord, once for all records that have it. Bytes are stored as they came, and read one file at a time. */
export const StoredFile = defineEntity({
  name: 'StoredFile',
  tableName: 'stored_files',
  properties: {
    landlord_id: () => p.manyToOne(User).mapToPk().primary().fieldName('landlord_id'),
    sha256: p.string().length(64).primary(),
    name: p.string().length(255),
    size: p.integer(),
    content_type: p.string().length(100),
    content: p.blob().lazy(),
    ...createdAt,
  },
})
