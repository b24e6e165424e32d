import { defineEntity, p, type InferEntity } from '@mikro-orm/core'
import { PaymentMethod, SettlementStatus, type Deduction } from '@kiraya/sdk/contract'
import { Agreement } from './agreement'
import { amount, numericId, timestamps, uuid } from './columns'
import { User } from './user'

/** How the deposit of an ended lease is settled; amounts are those at the proposal, and fixed when it is posted. */
export const DepositSettlement = defineEntity({
  name: 'DepositSettlement',
  tableName: 'deposit_settlements',
  properties: {
    id: numericId(),
    settlement_id: uuid(),
    agreement_id: () => p.manyToOne(Agreement).mapToPk().unique().fieldName('agreement_id'),
    /** The day in India to which its late fees are computed. */
    proposed_on: p.date(),
    deductions: p.json<Deduction[]>(),
    held_amount: amount(),
    open_rent: amount(),
    /** What an advance pays of the deductions. */
    advance_amount: amount().default(0),
    refund_amount: amount(),
    refund_method: p.enum(PaymentMethod.enum).nullable(),
    reference: p.string().length(100).nullable(),
    status: p.enum(SettlementStatus.enum),
    dispute_reason: p.text().nullable(),
    unanswered: p.boolean().default(false),
    paper_accepted_on: p.date().nullable(),
    decided_by_id: () =>
      p.manyToOne(User).mapToPk().nullable().fieldName('decided_by_id').deleteRule('no action'),
    decided_at: p.datetime(3).nullable(),
    posted_at: p.datetime(3).nullable(),
    ...timestamps,
  },
})
export type DepositSettlement = InferEntity<typeof DepositSettlement>
