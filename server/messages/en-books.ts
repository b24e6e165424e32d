type When = { date: string }

/** What may be wrong with a charge or a payment; the sentences of the first group follow the name of a field. */
export const booksInEnglish = {
  allocation_above_charge: ({ limit }: { limit: number }) =>
    `must be at most ${limit}, what is outstanding of the charge`,
  allocation_above_payment: ({ limit }: { limit: number }) =>
    `must add up to at most ${limit}, what is left of the payment`,
  allocation_of_unknown_charge: 'must be the id of a charge of the same agreement',
  allocation_repeated: 'must name each charge once',
  annual_too_long: ({ max }: { max: number }) => `must be json: a PDF has at most ${max} lines`,
  cheque_number_missing: 'is required: it is the number of the cheque',
  cleared_before_cheque: ({ date }: When) =>
    `must be ${date} or later: the cheque is not paid before that day`,
  credit_above_charge: ({ limit }: { limit: number }) =>
    `must be at most ${limit}, what can still be credited of the charge`,
  date_after_lease: ({ date }: When) =>
    `must be ${date} or earlier: twelve months after the end of the lease`,
  date_before_books: ({ date }: When) => `must not be before the books of the lease, which begin on ${date}`,
  date_before_lease: ({ date }: When) => `must be ${date} or later: a year before the start of the lease`,
  date_in_future: ({ today }: { today: string }) => `must be today (${today}) or earlier`,
  date_too_far: ({ date }: When) => `must be ${date} or earlier`,
  escalation_incomplete: 'is required: an escalation has a percentage and a number of months',
  escalation_too_high: ({ date }: When) =>
    `must be lower: the escalations raise the rent to the highest amount, 9999999999.99, on ${date}`,
  late_fee_incomplete: 'is required: late_fee_kind needs it',
  not_a_cheque: ({ field }: { field: 'method' | 'cheque_date' }) =>
    field === 'method' ? 'does not allow this: only a cheque can bounce' : 'is for cheques only',
  payer_not_self: ({ id }: { id: number }) => `must be your own id, ${id}`,
  payer_not_tenant: ({ ids }: { ids: number[] }) => `must be the id of a tenant: ${ids.join(' or ')}`,
  payment_empty: 'must be above 0, unless tds_amount is',
  allocation_leaves_advance: ({ left }: { left: number }) =>
    `must settle the whole payment, ${left} more: the agreement is COMPLETED`,
  payment_above_outstanding: ({ limit }: { limit: number }) =>
    `must be at most ${limit}, what is outstanding: the agreement is COMPLETED`,
  payment_refunded: 'does not allow this: a part of the payment was refunded',
  payment_wrong_status: ({ status, to_be }: { status: string; to_be: string }) =>
    `does not allow this: a ${status} payment cannot be ${to_be}`,
  period_ends_before_start: ({ start }: { start: string }) => `must not be before period_start (${start})`,
  period_incomplete: 'is required: a period has a start and an end',
  reference_used: ({ payment_id, is_reported }: { payment_id: number | null; is_reported: boolean }) => {
    const holder = payment_id ? `payment ${payment_id}` : 'another payment'
    const advice = is_reported ? 'confirm it, or send' : 'send'
    return `must be new: ${holder}${is_reported ? ', which a tenant reported,' : ''} has it; ${advice} allow_duplicate to record it again`
  },
  refund_above_advance: ({ limit }: { limit: number }) =>
    `must be at most ${limit}, the advance of the lease`,
  refund_before_payment: ({ date }: When) =>
    `must be ${date} or later: that day's payment is a part of the refund`,
  statement_too_long: ({ max }: { max: number }) =>
    `must be later: a PDF has at most ${max} lines; choose a shorter period`,
  tds_not_withheld: 'must be left out: no tax was withheld from this payment',
  to_before_from: ({ from }: { from: string }) => `must not be before from (${from})`,
  year_and_dates: 'must be left out where from or to is given',

  books_not_open: ({ status }: { status: string }) =>
    `The agreement is ${status}: it has books once it is ACTIVE`,
  charge_not_found: 'Charge not found',
  deposit_held: ({ agreements }: { agreements: string[] }) =>
    `Settle the deposits of these agreements first: ${agreements.join(', ')}`,
  payment_not_found: 'Payment not found',
  too_many_reports: ({ limit }: { limit: number }) =>
    `${limit} payments that you reported wait for the landlord: report more once some are confirmed or rejected`,
  receipt_not_found: 'The payment has no receipt: it gets one when it is posted',
}
