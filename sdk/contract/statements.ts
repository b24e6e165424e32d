import { Type, type Static } from '@sinclair/typebox'
import { CalendarDate, FiscalYear, Nullable, PositiveId, StringEnum } from './common.ts'

/** The days of a statement; a year from April to March stands for both. */
export const StatementQuery = Type.Object({
  from: Type.Optional(CalendarDate),
  to: Type.Optional(CalendarDate),
  year: Type.Optional(FiscalYear),
})
export type StatementQuery = Static<typeof StatementQuery>

export const StatementLineKind = StringEnum('charge', 'credit', 'payment', 'refund', 'settlement', 'reversal')
export type StatementLineKind = Static<typeof StatementLineKind>

/** One posting: a debit raises what the tenants owe, a credit lowers it. Amounts are rupees. */
export const StatementLine = Type.Object({
  date: Type.String(),
  kind: StatementLineKind,
  description: Type.String(),
  charge_id: Nullable(Type.Integer()),
  payment_id: Nullable(Type.Integer()),
  debit: Type.Number(),
  credit: Type.Number(),
  balance: Type.Number(),
})
export type StatementLine = Static<typeof StatementLine>

/**
 * The tenants' account under a lease, in rupees. A balance is what they owe: what is outstanding less their
 * advance, so it is below zero while the advance is larger. `deposit` is at the end of the period.
 */
export const Statement = Type.Object({
  agreement_id: Type.Integer(),
  agreement_number: Type.String(),
  from: Type.String(),
  to: Type.String(),
  opening_balance: Type.Number(),
  lines: Type.Array(StatementLine),
  total_debit: Type.Number(),
  total_credit: Type.Number(),
  closing_balance: Type.Number(),
  deposit: Type.Object({ agreed: Type.Number(), paid: Type.Number(), held: Type.Number() }),
})
export type Statement = Static<typeof Statement>
export const StatementResponse = Type.Object({ message: Type.String(), data: Statement })

/** The year is the present one unless it is given; of several tenants the landlord's side names the payer. */
export const RentProofQuery = Type.Object({
  year: Type.Optional(FiscalYear),
  payer_id: Type.Optional(PositiveId),
})
export type RentProofQuery = Static<typeof RentProofQuery>
