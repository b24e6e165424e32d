import type { ChargeType, CreditReason, RecurringChargeType } from '@kiraya/sdk/contract'
import type { Errors, Results, Words } from './words'

export const errors = {
  charge_not_found: ['Charge not found', 'बकाया नहीं मिला'],
  credit_above_charge: ({ limit }: { limit: number }) => [
    `must be at most ${limit}, what can still be credited of the charge`,
    `में अधिकतम ${limit} दें, जितना इस बकाया में बचा है`,
  ],
  date_after_lease: ({ date }: { date: string }) => [
    `must be ${date} or earlier: twelve months after the end of the lease`,
    `में ${date} या उससे पहले की तारीख दें: समझौते के अंत के बारह महीने बाद तक`,
  ],
  date_before_books: ({ date }: { date: string }) => [
    `must not be before the books of the lease, which begin on ${date}`,
    `में ${date} से पहले की तारीख नहीं हो सकती: खाते उसी दिन से शुरू होते हैं`,
  ],
  deposit_after_lease: [
    'must not be deposit: the lease has ended',
    'में deposit नहीं हो सकता: समझौता समाप्त हो चुका है',
  ],
  period_ends_before_start: ({ start }: { start: string }) => [
    `must not be before period_start (${start})`,
    `में period_start (${start}) से पहले की तारीख नहीं हो सकती`,
  ],
  period_incomplete: [
    'is required: a period has a start and an end',
    'देना ज़रूरी है: अवधि की शुरुआत और अंत दोनों चाहिए',
  ],
} satisfies Errors

export const results = {
  charge: ['Charge', 'बकाया'],
  charge_created: ['The charge was posted', 'बकाया दर्ज कर दिया गया है'],
  charge_credited: ['The charge was credited', 'बकाया में छूट दर्ज कर दी गई है'],
  charges: ['Charges', 'बकाया सूची'],
  schedule: ['Schedule', 'किस्तों की सूची'],
} satisfies Results

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
