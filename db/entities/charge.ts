import { defineEntity, p, type InferEntity } from '@mikro-orm/core'
import { ChargeSource, ChargeType } from '@kiraya/sdk/contract'
import { Agreement } from './agreement'
import { amount, numericId, uuid } from './columns'
import { PropertyUnit } from './property-unit'

/**
 * What is owed. Its journals are the evidence; `amount_paid` and `amount_credited` are their sums.
 * - `item` tells recurring charges apart: 0 is the rent, others count from 1 in `recurring_charges`. What a revised
 *   rent adds to a posted one counts down from -1.
 * - `base_charge_id` is the charge that a late fee is for, or to which a revised rent adds.
 * - `description` is what a person wrote, or the number of a bounced cheque; null if the type says what it is for.
 * - `late_fee_on` is the next day on which a late fee is looked at; null when there is none to come.
 */
export const Charge = defineEntity({
  name: 'Charge',
  tableName: 'charges',
  indexes: [
    { name: 'charges_agreement', properties: ['agreement_id', 'due_date'] },
    {
      name: 'charges_scheduled_once',
      expression: `create unique index "charges_scheduled_once" on "charges" ("agreement_id", "type", "item", "period_start") nulls not distinct where source = 'schedule'`,
    },
    {
      name: 'charges_late_fee_once',
      expression: `create unique index "charges_late_fee_once" on "charges" ("base_charge_id", date_trunc('month', due_date::timestamp)) where source = 'late_fee' and amount_credited < amount`,
    },
    { name: 'charges_base', properties: ['base_charge_id'], where: 'base_charge_id is not null' },
    {
      name: 'charges_open',
      properties: ['agreement_id', 'due_date'],
      where: 'amount > amount_paid + amount_credited',
    },
  ],
  checks: [
    { name: 'charges_amounts', expression: 'amount > 0 and amount_paid >= 0 and amount_credited >= 0' },
    { name: 'charges_not_overpaid', expression: 'amount_paid + amount_credited <= amount' },
  ],
  properties: {
    id: numericId(),
    charge_id: uuid(),
    agreement_id: () => p.manyToOne(Agreement).mapToPk().fieldName('agreement_id'),
    property_unit_id: () => p.manyToOne(PropertyUnit).mapToPk().fieldName('property_unit_id'),
    type: p.enum(ChargeType.enum),
    description: p.string().length(255).nullable(),
    period_start: p.date().nullable(),
    period_end: p.date().nullable(),
    due_date: p.date(),
    amount: amount(),
    amount_paid: amount().default(0),
    amount_credited: amount().default(0),
    source: p.enum(ChargeSource.enum),
    item: p.smallint().default(0),
    base_charge_id: () => p.manyToOne(Charge).mapToPk().nullable().fieldName('base_charge_id'),
    late_fee_on: p.date().nullable(),
    posted_at: p.datetime(3),
  },
})
export type Charge = InferEntity<typeof Charge>
