import type { Catalogue } from './index'
import type { enBooks } from './en-books'

export const hiBooks: Pick<Catalogue, keyof typeof enBooks> = {
  accept_rent: ({ name }) => `क्या आप नया किराया ${name} मानना चाहते हैं; यह बदला नहीं जा सकता`,
  advice_money_held:
    'पहले इसे लौटाएँ: {command} deposit settle <agreement>, {command} payment refund <agreement>',
  advice_receipt: 'उसकी स्थिति देखें: {command} payment get <payment>',
  advice_revisions: 'उसकी आईडी यहाँ देखें: {command} rent-revision list <agreement>',
  advice_settlement: 'पहले प्रस्ताव रखें: {command} deposit settle <agreement>',
  bounce_payment: ({ name }) =>
    `क्या आप दर्ज करना चाहते हैं कि भुगतान ${name} का चेक बाउंस हो गया; यह बदला नहीं जा सकता`,
  must_be_allocation: 'में चार्ज की आईडी, कोलन और रुपये दें, जैसे 31:5000',
  must_be_item: 'में प्रकार, रुपये और विवरण दें, जैसे "maintenance:2500:Society maintenance"',
  post_settlement: ({ name }) => `क्या आप ${name} की जमा राशि का हिसाब करना चाहते हैं; यह बदला नहीं जा सकता`,
  received_total: ({ amount, count }) =>
    `मिला: ${amount}, ${count} दर्ज ${count === 1 ? 'भुगतान' : 'भुगतानों'} में`,
  reverse_payment: ({ name }) => `क्या आप भुगतान ${name} हमेशा के लिए वापस लेना और उसकी रसीद रद्द करना चाहते हैं`,
  total: 'कुल',
  vacant: 'ख़ाली',
  warning: ({ message }) => `ध्यान दें: ${message}`,
  year_invalid: ({ year }) => `--year में अप्रैल से मार्च का साल दें, जैसे 2026-27; अभी यह ${year} है`,
  year_with_days: '--year का मतलब --from और --to है: दोनों में से एक दें',
}
