import { Type, type Static } from '@sinclair/typebox'
import {
  CalendarDate,
  computed,
  described,
  field,
  identity,
  maybe,
  nullable,
  optional,
  pageQuery,
  pageResponse,
  PositiveRupees,
  reference,
  response,
  stringEnum,
  text,
  Timestamp,
} from './common.ts'

export const ChargeType = field(
  stringEnum(
    'rent',
    'deposit',
    'maintenance',
    'electricity',
    'water',
    'late_fee',
    'damage',
    'other',
    'opening_balance',
  ),
  'What is owed.',
)
export type ChargeType = Static<typeof ChargeType>
export const ChargeStatus = field(
  stringEnum('upcoming', 'due', 'overdue', 'paid', 'credited'),
  'An `upcoming` charge falls due later, a `due` one today, an `overdue` one fell due before. One ' +
    'with nothing outstanding is `paid`, or `credited` if nothing was paid.',
)
export type ChargeStatus = Static<typeof ChargeStatus>
export const ChargeSource = field(
  stringEnum('schedule', 'manual', 'late_fee', 'bounced_cheque', 'opening'),
  "The lease's schedule, a person, a late fee, a bounced cheque, or a balance from before the books.",
)
export type ChargeSource = Static<typeof ChargeSource>

const PostedType = stringEnum(...ChargeType.enum.filter(type => type !== 'late_fee'))
export const NewCharge = described('A charge that the schedule does not have.', {
  type: field(PostedType, 'What it is for. Late fees are posted by the server alone'),
  amount: field(PositiveRupees, 'Indian rupees'),
  due_date: field(
    CalendarDate,
    'YYYY-MM-DD, from the first day of the books to twelve months after the lease',
  ),
  description: optional(text(255), 'By default the type in words'),
  period_start: optional(CalendarDate, 'The first day that it is for, YYYY-MM-DD; goes with `period_end`'),
  period_end: optional(CalendarDate, 'The last day that it is for, YYYY-MM-DD; goes with `period_start`'),
})
export type NewCharge = Static<typeof NewCharge>

/** What a charge and an instalment are. */
const charged = {
  type: field(ChargeType, 'What it is for'),
  description: field(
    Type.String(),
    'What a person wrote, else such as `Rent`, in the language of `Accept-Language`',
  ),
  period_start: field(
    nullable(Type.String()),
    'The first day that it is for, YYYY-MM-DD; null without a period',
  ),
  period_end: field(
    nullable(Type.String()),
    'The last day that it is for, YYYY-MM-DD; null without a period',
  ),
  due_date: field(Type.String(), 'YYYY-MM-DD'),
  amount: field(Type.Number(), 'Indian rupees'),
}
export const Charge = described(
  'What is owed, in rupees. `amount` is the sum of what was paid, credited and is outstanding. `status` ' +
    'follows from the amounts and the day.',
  {
    ...identity('charge_id'),
    agreement_id: field(Type.Integer(), "The agreement's number"),
    property_unit_id: field(Type.Integer(), "The unit's number"),
    ...charged,
    amount_paid: field(Type.Number(), 'Indian rupees that payments have settled'),
    amount_credited: field(Type.Number(), 'Indian rupees that need not be paid'),
    amount_outstanding: computed(Type.Number(), 'Indian rupees that are still owed'),
    status: computed(ChargeStatus, 'Follows from the amounts and from today (Asia/Kolkata)'),
    source: field(ChargeSource, 'Where it comes from'),
    base_charge_id: field(
      nullable(Type.Integer()),
      'The number of the charge that a late fee is for, or to which a revised rent adds; else null',
    ),
    posted_at: field(Timestamp, 'When it was posted'),
  },
)
export type Charge = Static<typeof Charge>
export const ChargeResponse = response(Charge)

export const CreditReason = field(
  stringEnum('proration', 'waiver', 'correction', 'write_off'),
  'Why part of a charge need not be paid.',
)
export type CreditReason = Static<typeof CreditReason>
export const NewCredit = described('Part of a charge that need not be paid.', {
  amount: field(PositiveRupees, 'Indian rupees, at most what is not credited yet'),
  reason: field(CreditReason, 'Why it need not be paid'),
})
export type NewCredit = Static<typeof NewCredit>

export const ChargeQuery = described('Which charges to list.', {
  ...pageQuery(['id', 'due_date', 'amount', 'type'], '-id'),
  agreement_id: maybe(reference('agreement'), 'Only charges of the agreement with this number'),
  property_unit_id: maybe(reference('unit'), 'Only charges for the unit with this number'),
  type: maybe(ChargeType, 'Only charges of this type'),
  status: maybe(ChargeStatus, 'Only charges in this state'),
  pending: maybe(
    Type.Boolean(),
    'Only charges due today or before, with something outstanding, of an ACTIVE or TERMINATED agreement, or only ' +
      'the others',
  ),
  from: maybe(CalendarDate, 'Only charges that fall due on this day or later, YYYY-MM-DD'),
  to: maybe(CalendarDate, 'Only charges that fall due on this day or before, YYYY-MM-DD'),
})
export type ChargeQuery = Static<typeof ChargeQuery>
export const ChargePage = pageResponse(Charge)

export const Instalment = described('An instalment of the lease: posted as a charge, or projected.', {
  ...charged,
  charge_id: field(
    nullable(Type.Integer()),
    'The number of the charge that was posted for it; null if it is projected',
  ),
})
export type Instalment = Static<typeof Instalment>
export const Schedule = described('What a lease costs over its whole tenure.', {
  instalments: field(Type.Array(Instalment), 'In the order in which they fall due'),
  total_rent: field(Type.Number(), 'Indian rupees of all rents'),
})
export type Schedule = Static<typeof Schedule>
export const ScheduleResponse = response(Schedule)
