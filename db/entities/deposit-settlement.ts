import { defineEntity, p, type InferEntity } from '@mikro-orm/core'
import { Agreement } from './agreement'
import { amount, numericId, timestamps, uuid } from './columns'
import { PAYMENT_METHODS } from './payment'
import { User } from './user'

export const SETTLEMENT_STATUSES = ['proposed', 'accepted', 'disputed', 'posted'] as const
export type Deduction = { type: string; description: string; amount: number }

/** How the deposit of an ended lease is settled; amounts are those at the proposal, and fixed when it is posted. */
export const DepositSettlement = defineEntity({
  name: 'DepositSettlement',
  tableName: 'deposit_settlements',
  properties: {
    id: numericId(),
    settlement_id: uuid(),
    agreement_id: () => p.manyToOne(Agreement).mapToPk().unique().fieldName('agreement_id'),
    deductions: p.json<Deduction[]>(),
    held_amount: amount(),
    open_rent: amount(),
    /** What an advance pays of the deductions. */
    advance_amount: amount().default(0),
    refund_amount: amount(),
    refund_method: p.enum(PAYMENT_METHODS).nullable(),
    reference: p.string().length(100).nullable(),
    status: p.enum(SETTLEMENT_STATUSES),
    /** Whether it replaced a proposal that no tenant had answered: their answer names the one that they mean. */
    is_replacement: p.boolean().default(false),
    dispute_reason: p.text().nullable(),
    decided_by_id: () =>
      p.manyToOne(User).mapToPk().nullable().fieldName('decided_by_id').deleteRule('no action'),
    decided_at: p.datetime(3).nullable(),
    posted_at: p.datetime(3).nullable(),
    ...timestamps,
  },
})
export type DepositSettlement = InferEntity<typeof DepositSettlement>
