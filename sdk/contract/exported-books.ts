import { Type } from '@sinclair/typebox'
import { Charge } from './charges.ts'
import { Nullable } from './common.ts'
import { Payment } from './payments.ts'

const { status: _, ...chargeFields } = Charge.properties

const decision = { decided_by_id: Nullable(Type.Integer()), decided_at: Nullable(Type.String()) }

/** The books of an agreement as the export of personal data has them; amounts are rupees. */
export const exportedBooks = {
  charges: Type.Array(Type.Object(chargeFields)),
  payments: Type.Array(Payment),
  journals: Type.Array(
    Type.Object({
      id: Type.Integer(),
      position: Type.Integer(),
      kind: Type.String(),
      effective_on: Type.String(),
      posted_at: Type.String(),
      actor_id: Nullable(Type.Integer()),
      charge_id: Nullable(Type.Integer()),
      payment_id: Nullable(Type.Integer()),
      reverses_id: Nullable(Type.Integer()),
      reason: Nullable(Type.String()),
      reference: Nullable(Type.String()),
      hash: Type.String(),
      lines: Type.Array(Type.Object({ account: Type.String(), debit: Type.Number(), credit: Type.Number() })),
    }),
  ),
  rent_revisions: Type.Array(
    Type.Object({
      revision_id: Type.String(),
      rent_amount: Type.Number(),
      effective_on: Type.String(),
      source: Type.String(),
      status: Type.String(),
      ...decision,
      created_at: Type.String(),
    }),
  ),
  deposit_settlements: Type.Array(
    Type.Object({
      settlement_id: Type.String(),
      deductions: Type.Any(),
      held_amount: Type.Number(),
      open_rent: Type.Number(),
      advance_amount: Type.Number(),
      refund_amount: Type.Number(),
      refund_method: Nullable(Type.String()),
      reference: Nullable(Type.String()),
      status: Type.String(),
      dispute_reason: Nullable(Type.String()),
      ...decision,
      posted_at: Nullable(Type.String()),
      created_at: Type.String(),
    }),
  ),
}
