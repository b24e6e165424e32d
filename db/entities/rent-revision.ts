import { defineEntity, p, type InferEntity } from '@mikro-orm/core'
import { RevisionStatus } from '@kiraya/sdk/contract'
import { Agreement } from './agreement'
import { amount, createdAt, numericId, uuid } from './columns'
import { User } from './user'

/** A rent that the landlord's side proposes from a day on. Once a tenant accepts it, it applies. */
export const RentRevision = defineEntity({
  name: 'RentRevision',
  tableName: 'rent_revisions',
  indexes: [
    { name: 'rent_revisions_agreement', properties: ['agreement_id'] },
    {
      name: 'rent_revisions_once',
      expression: `create unique index "rent_revisions_once" on "rent_revisions" ("agreement_id", "effective_on") where status = 'accepted'`,
    },
  ],
  checks: [{ name: 'rent_revisions_amount', expression: 'rent_amount > 0' }],
  properties: {
    id: numericId(),
    revision_id: uuid(),
    agreement_id: () => p.manyToOne(Agreement).mapToPk().fieldName('agreement_id'),
    rent_amount: amount(),
    effective_on: p.date(),
    status: p.enum(RevisionStatus.enum),
    paper_accepted_on: p.date().nullable(),
    decided_by_id: () =>
      p.manyToOne(User).mapToPk().nullable().fieldName('decided_by_id').deleteRule('no action'),
    decided_at: p.datetime(3).nullable(),
    ...createdAt,
  },
})
export type RentRevision = InferEntity<typeof RentRevision>
