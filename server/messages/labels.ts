import type { ChargeType, CreditReason, PaymentMethod, RecurringChargeType } from '@kiraya/sdk/contract'
import type { Words } from './words'

export const methodLabels: Record<PaymentMethod, Words> = {
  cash: ['cash', 'नकद'],
  upi: ['UPI', 'UPI'],
  bank_transfer: ['bank transfer', 'बैंक ट्रांसफ़र'],
  cheque: ['cheque', 'चेक'],
  payment_link: ['payment link', 'भुगतान लिंक'],
}

/** What a charge is for, unless a person says so. */
export const chargeLabels: Record<ChargeType | RecurringChargeType, Words> = {
  rent: ['Rent', 'किराया'],
  deposit: ['Deposit', 'जमा राशि'],
  maintenance: ['Maintenance', 'रखरखाव'],
  parking: ['Parking', 'पार्किंग'],
  electricity: ['Electricity', 'बिजली'],
  water: ['Water', 'पानी'],
  late_fee: ['Late fee', 'देरी का शुल्क'],
  damage: ['Damage', 'टूट-फूट'],
  other: ['Other', 'अन्य'],
  opening_balance: ['Opening balance', 'पिछला बकाया'],
}

export const creditLabels: Record<CreditReason | 'paid_in_time', Words> = {
  proration: ['unused days', 'बचे हुए दिन'],
  waiver: ['waived', 'माफ़ किया गया'],
  correction: ['correction', 'सुधार'],
  write_off: ['written off', 'बट्टे खाते में'],
  paid_in_time: ['paid in time', 'समय पर भुगतान'],
}

/** What a revision adds to a charge, after the words of that charge. */
export const revised: Words = [', revised', ', संशोधित']

/** Followed by the number of the cheque. */
export const bouncedCheque: Words = ['Bounced cheque', 'बाउंस चेक']
