import { Type, type Static } from '@sinclair/typebox'
import {
  CalendarDate,
  Nullable,
  OptionalNullable,
  PageMetadata,
  PageQuery,
  PositiveRupees,
  RecordKey,
  StringEnum,
  Text,
  Timestamp,
} from './common.ts'

export const ChargeType = StringEnum(
  'rent',
  'deposit',
  'maintenance',
  'electricity',
  'water',
  'late_fee',
  'damage',
  'other',
  'opening_balance',
)
export type ChargeType = Static<typeof ChargeType>
export const ChargeStatus = StringEnum('upcoming', 'due', 'overdue', 'paid', 'credited')
export type ChargeStatus = Static<typeof ChargeStatus>
export const ChargeSource = StringEnum('schedule', 'manual', 'late_fee', 'opening')
export type ChargeSource = Static<typeof ChargeSource>

/**
 * What is owed, in rupees. `amount` is the sum of what was paid, what was credited and what is outstanding. `status`
 * follows from the amounts and the day.
 */
export const Charge = Type.Object({
  id: Type.Integer(),
  charge_id: Type.String(),
  agreement_id: Type.Integer(),
  property_unit_id: Type.Integer(),
  type: ChargeType,
  description: Type.String(),
  period_start: Nullable(Type.String()),
  period_end: Nullable(Type.String()),
  due_date: Type.String(),
  amount: Type.Number(),
  amount_paid: Type.Number(),
  amount_credited: Type.Number(),
  amount_outstanding: Type.Number(),
  status: ChargeStatus,
  source: ChargeSource,
  /** The charge that a late fee is for, or to which a revised rent adds. */
  base_charge_id: Nullable(Type.Integer()),
  posted_at: Timestamp,
})
export type Charge = Static<typeof Charge>
export const ChargeResponse = Type.Object({ message: Type.String(), data: Charge })

export const NewCharge = Type.Object({
  type: StringEnum(
    'rent',
    'deposit',
    'maintenance',
    'electricity',
    'water',
    'damage',
    'other',
    'opening_balance',
  ),
  amount: PositiveRupees,
  due_date: CalendarDate,
  description: OptionalNullable(Text(255)),
  period_start: OptionalNullable(CalendarDate),
  period_end: OptionalNullable(CalendarDate),
})
export type NewCharge = Static<typeof NewCharge>

export const CreditReason = StringEnum('proration', 'waiver', 'correction', 'write_off')
export type CreditReason = Static<typeof CreditReason>
export const NewCredit = Type.Object({ amount: PositiveRupees, reason: CreditReason })
export type NewCredit = Static<typeof NewCredit>

export const ChargeQuery = Type.Object({
  ...PageQuery(['id', 'due_date', 'amount', 'type']),
  agreement_id: Type.Optional(RecordKey),
  property_unit_id: Type.Optional(RecordKey),
  type: Type.Optional(ChargeType),
  status: Type.Optional(ChargeStatus),
  /** Due today or before, with something outstanding, of an ACTIVE or TERMINATED agreement. */
  pending: Type.Optional(Type.Boolean()),
  from: Type.Optional(CalendarDate),
  to: Type.Optional(CalendarDate),
})
export type ChargeQuery = Static<typeof ChargeQuery>
export const ChargePage = Type.Object({
  message: Type.String(),
  data: Type.Array(Charge),
  metadata: PageMetadata,
})

/** An instalment of the lease: posted as a charge, or projected. */
export const Instalment = Type.Object({
  type: ChargeType,
  description: Type.String(),
  period_start: Nullable(Type.String()),
  period_end: Nullable(Type.String()),
  due_date: Type.String(),
  amount: Type.Number(),
  /** The charge that was posted for it; null if it is projected. */
  charge_id: Nullable(Type.Integer()),
})
export type Instalment = Static<typeof Instalment>
export const Schedule = Type.Object({ instalments: Type.Array(Instalment), total_rent: Type.Number() })
export type Schedule = Static<typeof Schedule>
export const ScheduleResponse = Type.Object({ message: Type.String(), data: Schedule })
