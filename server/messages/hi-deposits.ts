import type { Catalogue } from './catalogue'
import type { depositsInEnglish } from './en-deposits'

const statuses: Record<string, string> = {
  proposed: 'प्रस्तावित',
  accepted: 'स्वीकृत',
  disputed: 'विवादित',
  posted: 'दर्ज',
}

export const depositsInHindi: Pick<Catalogue, keyof typeof depositsInEnglish> = {
  deposit_after_lease: 'में deposit नहीं हो सकता: समझौता समाप्त हो चुका है',
  revision_exists: ({ date }) => `में ${date} नहीं हो सकता: उस दिन से एक किराया तय है`,
  revision_outside_lease: ({ from, to }) => `में ${from} से ${to} तक की तारीख दें`,
  refund_method_missing: 'देना ज़रूरी है: जमा राशि का एक हिस्सा लौटाया जाएगा',

  deposit_not_held: 'हिसाब के लिए कुछ नहीं है: कोई जमा राशि नहीं रखी गई है',
  deposit_settled: 'इस जमा राशि का हिसाब हो चुका है, या यह अगले समझौते में जा चुकी है: इसकी जगह बकाया दर्ज करें',
  already_renewed: ({ agreement }) => `अगली अवधि का समझौता पहले से बना हुआ है: ${agreement}`,
  revision_decided: ({ status }) => `इस किराये पर फ़ैसला हो चुका है: ${status}`,
  money_held: ({ deposit, advance }) =>
    `${deposit} की जमा राशि और ${advance} का अग्रिम रखा हुआ है: पहले हिसाब करें और अग्रिम लौटाएँ`,
  payments_undecided: ({ payments }) =>
    `कुछ भुगतानों पर अभी फ़ैसला नहीं हुआ है: पहले उन्हें स्वीकार या अस्वीकार करें (${payments.join(', ')})`,
  settlement_outdated: ({ held_amount, open_rent, refund_amount }) =>
    `हिसाब का प्रस्ताव फिर से रखें: अब ${held_amount} जमा है और ${open_rent} बकाया है, इसलिए ${refund_amount} लौटाना है`,
  settlement_replaced: ({ refund_amount }) =>
    `प्रस्ताव बदल गया है; अब ${refund_amount} लौटाना है। उसे पढ़ें और settlement_id से बताएँ कि कौन-सा है`,
  settlement_wrong_status: ({ status, to_be }) =>
    `${statuses[status] ?? status} हिसाब ${statuses[to_be] ?? to_be} नहीं हो सकता`,

  revision_not_found: 'किराये का बदलाव नहीं मिला',
  not_tenant: 'यह केवल समझौते का किरायेदार कर सकता है',
  settlement_not_found: 'जमा राशि के हिसाब का कोई प्रस्ताव नहीं है',
}
