import type { PaymentMethod } from '@kiraya/sdk/contract'
import type { Errors, Results, Warnings, Words } from './words'

type Limit = { limit: number }
type When = { date: string }

export const errors = {
  allocation_above_charge: ({ limit }: Limit) => [
    `must be at most ${limit}, what is outstanding of the charge`,
    `में अधिकतम ${limit} दें, जितना इस बकाया में बचा है`,
  ],
  allocation_above_payment: ({ limit }: Limit) => [
    `must add up to at most ${limit}, what is left of the payment`,
    `का जोड़ अधिकतम ${limit} हो, जितना इस भुगतान में है`,
  ],
  allocation_leaves_advance: ({ left }: { left: number }) => [
    `must settle the whole payment, ${left} more: the agreement is COMPLETED`,
    `में पूरा भुगतान लगाएँ, ${left} और: समझौता पूरा (COMPLETED) हो चुका है`,
  ],
  allocation_of_unknown_charge: [
    'must be the id of a charge of the same agreement',
    'में इसी समझौते के किसी बकाया की आईडी दें',
  ],
  allocation_repeated: ['must name each charge once', 'में हर बकाया एक ही बार दें'],
  cheque_number_missing: ['is required: it is the number of the cheque', 'देना ज़रूरी है: यह चेक का नंबर है'],
  cleared_before_cheque: ({ date }: When) => [
    `must be ${date} or later: the cheque is not paid before that day`,
    `में ${date} या उसके बाद की तारीख दें: उससे पहले चेक का भुगतान नहीं होता`,
  ],
  date_before_lease: ({ date }: When) => [
    `must be ${date} or later: a year before the start of the lease`,
    `में ${date} या उसके बाद की तारीख दें: समझौते की शुरुआत से एक साल पहले तक`,
  ],
  date_in_future: ({ today }: { today: string }) => [
    `must be today (${today}) or earlier`,
    `में आज (${today}) या उससे पहले की तारीख दें`,
  ],
  date_too_far: ({ date }: When) => [`must be ${date} or earlier`, `में ${date} या उससे पहले की तारीख दें`],
  not_a_cheque: ({ field }: { field: 'method' | 'cheque_date' }) =>
    field === 'method'
      ? ['does not allow this: only a cheque can bounce', 'चेक नहीं है, इसलिए यह भुगतान बाउंस नहीं हो सकता']
      : ['is for cheques only', 'केवल चेक के लिए है'],
  payer_not_self: ({ id }: { id: number }) => [`must be your own id, ${id}`, `में अपनी आईडी (${id}) दें`],
  payer_not_tenant: ({ ids }: { ids: number[] }) => [
    `must be the id of a tenant: ${ids.join(' or ')}`,
    `में किरायेदार की आईडी दें: ${ids.join(' या ')}`,
  ],
  payment_above_outstanding: ({ limit }: Limit) => [
    `must be at most ${limit}, what is outstanding: the agreement is COMPLETED`,
    `में अधिकतम ${limit} दें, जितना बकाया है: समझौता पूरा (COMPLETED) हो चुका है`,
  ],
  payment_empty: ['must be above 0, unless tds_amount is', '0 से ज़्यादा दें, जब तक tds_amount न हो'],
  payment_moved: ({ is_taken_over }: { is_taken_over: boolean }) =>
    is_taken_over
      ? [
          'does not allow this: the payment is an advance that was taken over, from the lease before or the time before the books',
          'ऐसे भुगतान की नहीं हो सकती: यह पिछले समझौते से या खाते शुरू होने से पहले का अग्रिम है',
        ]
      : [
          'does not allow this: part of the payment moved to the renewal of the lease',
          'ऐसे भुगतान की हो जिसका कोई हिस्सा नवीनीकृत समझौते में न गया हो',
        ],
  payment_not_found: ['Payment not found', 'भुगतान नहीं मिला'],
  payment_refunded: [
    'does not allow this: part of the payment was refunded; reverse the refund first',
    'ऐसे भुगतान की हो जिसमें से कुछ लौटाया नहीं गया है: पहले वापसी पलटें',
  ],
  payment_wrong_status: ({ status, to_be }: { status: string; to_be: string }) => [
    `does not allow this: a ${status} payment cannot be ${to_be}`,
    `${status} है, इसलिए यह नहीं हो सकता`,
  ],
  receipt_not_found: [
    'The payment has no receipt: it is not posted, or an advance that was taken over',
    'इस भुगतान की रसीद नहीं है: यह अभी दर्ज नहीं हुआ है, या पहले से आया अग्रिम है',
  ],
  reference_used: ({ payment_id, is_reported }: { payment_id: number | null; is_reported: boolean }) => {
    const holder = payment_id ? `payment ${payment_id}` : 'another payment'
    const advice = is_reported ? 'confirm it, or send' : 'send'
    const hindiHolder = payment_id ? `भुगतान ${payment_id}` : 'किसी और भुगतान'
    const hindiAdvice = is_reported ? 'किरायेदार के बताए उस भुगतान की पुष्टि करें, या ' : ''
    return [
      `must be new: ${holder}${is_reported ? ', which a tenant reported,' : ''} has it; ${advice} allow_duplicate to record it again`,
      `पहले से ${hindiHolder} में है; ${hindiAdvice}फिर भी दर्ज करने के लिए allow_duplicate भेजें`,
    ]
  },
  refund_above_advance: ({ limit }: Limit) => [
    `must be at most ${limit}, the advance of the lease`,
    `में अधिकतम ${limit} दें, जितना अग्रिम जमा है`,
  ],
  refund_before_payment: ({ date }: When) => [
    `must be ${date} or later: that day's payment is part of the refund`,
    `में ${date} या उसके बाद की तारीख दें: उस दिन का भुगतान इस वापसी में है`,
  ],
  refund_not_found: ['Refund not found', 'वापसी नहीं मिली'],
  refund_reversed: ['does not allow this: the refund is reversed already', 'पहले ही पलटी जा चुकी वापसी की है'],
  tds_not_withheld: [
    'must be left out: no tax was withheld from this payment',
    'न दें: इस भुगतान से कोई टैक्स नहीं काटा गया है',
  ],
  too_many_reports: ({ limit }: Limit) => [
    `${limit} payments that you reported wait for the landlord: report more once some are confirmed or rejected`,
    `आपके बताए ${limit} भुगतान मकान मालिक के पास रुके हैं: कुछ तय होने के बाद और बताएँ`,
  ],
} satisfies Errors

export const results = {
  payment: ['Payment', 'भुगतान'],
  payment_allocated: ['The payment was allocated', 'भुगतान बाँट दिया गया है'],
  payment_bounced: ['The cheque bounced', 'चेक बाउंस हो गया'],
  payment_changed: ['The payment was changed', 'भुगतान बदल दिया गया है'],
  payment_cleared: ['The cheque was cleared', 'चेक पास हो गया'],
  payment_confirmed: ['The payment was confirmed', 'भुगतान की पुष्टि हो गई है'],
  payment_recorded: ['The payment was recorded', 'भुगतान दर्ज कर दिया गया है'],
  payment_rejected: ['The payment was rejected', 'भुगतान अस्वीकार कर दिया गया है'],
  payment_reversed: ['The payment was reversed', 'भुगतान पलट दिया गया है'],
  payments: ['Payments', 'भुगतान सूची'],
  refund_recorded: ['The refund was recorded', 'वापसी दर्ज कर दी गई है'],
  refund_reversed: ['The refund was reversed', 'वापसी पलट दी गई है'],
  refunds: ['Refunds', 'वापसी सूची'],
  tds: ['Tax on the rent', 'किराये पर टीडीएस'],
} satisfies Results

export const warnings = {
  tds_per_payer: [
    'The threshold holds for each tenant: one whose part of the rent is not above it deducts nothing',
    'यह सीमा हर किरायेदार पर अलग से लागू है: जिसका हिस्सा इससे ज़्यादा नहीं है, वह कर नहीं काटता',
  ],
} satisfies Warnings

export const methodLabels: Record<PaymentMethod, Words> = {
  cash: ['cash', 'नकद'],
  upi: ['UPI', 'UPI'],
  bank_transfer: ['bank transfer', 'बैंक ट्रांसफ़र'],
  cheque: ['cheque', 'चेक'],
  payment_link: ['payment link', 'भुगतान लिंक'],
}
