import type { Catalogue } from './index'
import type { enBooks } from './en-books'

export const hiBooks: Pick<Catalogue, keyof typeof enBooks> = {
  bounce_payment: ({ name }) =>
    `क्या आप दर्ज करना चाहते हैं कि भुगतान ${name} का चेक बाउंस हो गया; यह बदला नहीं जा सकता`,
  must_be_allocation: 'में चार्ज की आईडी, कोलन और रुपये दें, जैसे 31:5000',
  must_be_recurring: 'में प्रकार, रुपये और विवरण दें, जैसे "maintenance:2500:Society maintenance"',
  reverse_payment: ({ name }) => `क्या आप भुगतान ${name} हमेशा के लिए वापस लेना और उसकी रसीद रद्द करना चाहते हैं`,
}
