import type { Catalogue } from './catalogue'
import type { booksInEnglish } from './en-books'

export const booksInHindi: Pick<Catalogue, keyof typeof booksInEnglish> = {
  allocation_above_charge: ({ limit }) => `में अधिकतम ${limit} दें, जितना इस बकाया में बचा है`,
  allocation_above_payment: ({ limit }) => `का जोड़ अधिकतम ${limit} हो, जितना इस भुगतान में है`,
  allocation_of_unknown_charge: 'में इसी समझौते के किसी बकाया की आईडी दें',
  allocation_repeated: 'में हर बकाया एक ही बार दें',
  annual_too_long: ({ max }) => `में json दें: PDF में अधिकतम ${max} पंक्तियाँ होती हैं`,
  cheque_number_missing: 'देना ज़रूरी है: यह चेक का नंबर है',
  cleared_before_cheque: ({ date }) => `में ${date} या उसके बाद की तारीख दें: उससे पहले चेक का भुगतान नहीं होता`,
  credit_above_charge: ({ limit }) => `में अधिकतम ${limit} दें, जितना इस बकाया में बचा है`,
  date_after_lease: ({ date }) => `में ${date} या उससे पहले की तारीख दें: समझौते के अंत के बारह महीने बाद तक`,
  date_before_books: ({ date }) => `में ${date} से पहले की तारीख नहीं हो सकती: खाते उसी दिन से शुरू होते हैं`,
  date_before_lease: ({ date }) => `में ${date} या उसके बाद की तारीख दें: समझौते की शुरुआत से एक साल पहले तक`,
  date_in_future: ({ today }) => `में आज (${today}) या उससे पहले की तारीख दें`,
  date_too_far: ({ date }) => `में ${date} या उससे पहले की तारीख दें`,
  escalation_incomplete: 'देना ज़रूरी है: बढ़ोतरी के लिए प्रतिशत और महीने दोनों चाहिए',
  escalation_too_high: ({ date }) =>
    `में कम दें: बढ़ोतरी से किराया ${date} को सबसे बड़ी रकम 9999999999.99 तक पहुँच जाता है`,
  late_fee_incomplete: 'देना ज़रूरी है: late_fee_kind के लिए यह चाहिए',
  not_a_cheque: ({ field }) =>
    field === 'method' ? 'चेक नहीं है, इसलिए यह भुगतान बाउंस नहीं हो सकता' : 'केवल चेक के लिए है',
  payer_not_self: ({ id }) => `में अपनी आईडी (${id}) दें`,
  payer_not_tenant: ({ ids }) => `में किरायेदार की आईडी दें: ${ids.join(' या ')}`,
  payment_empty: '0 से ज़्यादा दें, जब तक tds_amount न हो',
  allocation_leaves_advance: ({ left }) => `में पूरा भुगतान लगाएँ, ${left} और: समझौता पूरा (COMPLETED) हो चुका है`,
  payment_above_outstanding: ({ limit }) =>
    `में अधिकतम ${limit} दें, जितना बकाया है: समझौता पूरा (COMPLETED) हो चुका है`,
  payment_refunded: 'ऐसे भुगतान की हो जिसमें से कुछ लौटाया नहीं गया है',
  payment_wrong_status: ({ status }) => `${status} है, इसलिए यह नहीं हो सकता`,
  period_ends_before_start: ({ start }) => `में period_start (${start}) से पहले की तारीख नहीं हो सकती`,
  period_incomplete: 'देना ज़रूरी है: अवधि की शुरुआत और अंत दोनों चाहिए',
  reference_used: ({ payment_id, is_reported }) => {
    const holder = payment_id ? `भुगतान ${payment_id}` : 'किसी और भुगतान'
    const advice = is_reported ? 'किरायेदार के बताए उस भुगतान की पुष्टि करें, या ' : ''
    return `पहले से ${holder} में है; ${advice}फिर भी दर्ज करने के लिए allow_duplicate भेजें`
  },
  refund_above_advance: ({ limit }) => `में अधिकतम ${limit} दें, जितना अग्रिम जमा है`,
  refund_before_payment: ({ date }) => `में ${date} या उसके बाद की तारीख दें: उस दिन का भुगतान इस वापसी में है`,
  statement_too_long: ({ max }) => `में बाद की तारीख दें: PDF में अधिकतम ${max} पंक्तियाँ होती हैं; छोटी अवधि चुनें`,
  tds_not_withheld: 'न दें: इस भुगतान से कोई टैक्स नहीं काटा गया है',
  to_before_from: ({ from }) => `में from (${from}) से पहले की तारीख नहीं हो सकती`,
  year_and_dates: 'को from या to के साथ न दें',

  books_not_open: ({ status }) => `समझौता ${status} है: खाते ACTIVE होने पर खुलते हैं`,
  charge_not_found: 'बकाया नहीं मिला',
  deposit_held: ({ agreements }) => `पहले इन समझौतों की जमा राशि का हिसाब करें: ${agreements.join(', ')}`,
  payment_not_found: 'भुगतान नहीं मिला',
  too_many_reports: ({ limit }) => `आपके बताए ${limit} भुगतान मकान मालिक के पास रुके हैं: कुछ तय होने के बाद और बताएँ`,
  receipt_not_found: 'इस भुगतान की रसीद नहीं है: रसीद भुगतान दर्ज होने पर बनती है',
}
