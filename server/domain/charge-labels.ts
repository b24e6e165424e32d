import type { NewCharge, RecurringChargeType } from '@kiraya/sdk/contract'

/** What a charge is for, where the landlord's side does not say. */
export const chargeLabels: Record<NewCharge['type'] | RecurringChargeType, string> = {
  rent: 'Rent',
  deposit: 'Deposit',
  maintenance: 'Maintenance',
  parking: 'Parking',
  electricity: 'Electricity',
  water: 'Water',
  damage: 'Damage',
  other: 'Other',
  opening_balance: 'Opening balance',
}
