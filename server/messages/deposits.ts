import type { Errors, Results, Warnings } from './words'

const statusesInHindi: Record<string, string> = {
  proposed: 'प्रस्तावित',
  accepted: 'स्वीकृत',
  disputed: 'विवादित',
  posted: 'दर्ज',
  withdrawn: 'वापस',
}

export const errors = {
  deposit_not_held: [
    'There is nothing to settle: no deposit is held',
    'हिसाब के लिए कुछ नहीं है: कोई जमा राशि नहीं रखी गई है',
  ],
  deposit_settled: [
    'This deposit was settled, or moved to the next lease: post a charge instead',
    'इस जमा राशि का हिसाब हो चुका है, या यह अगले समझौते में जा चुकी है: इसकी जगह बकाया दर्ज करें',
  ],
  refund_method_missing: [
    'is required: part of the deposit is refunded',
    'देना ज़रूरी है: जमा राशि का एक हिस्सा लौटाया जाएगा',
  ],
  settlement_awaits_answer: ({ date }: { date: string }) => [
    `The tenants have time to answer: it can be posted unanswered from ${date} on, and earlier with accepted_on_paper`,
    `किरायेदारों के पास जवाब देने का समय है: बिना जवाब ${date} से, और उससे पहले accepted_on_paper के साथ दर्ज हो सकता है`,
  ],
  settlement_not_told: [
    'No message told every tenant of this proposal: it can be posted once one accepts it, or with accepted_on_paper',
    'इस प्रस्ताव का संदेश हर किरायेदार तक नहीं पहुँचा: किसी के मानने पर, या accepted_on_paper के साथ ही दर्ज हो सकता है',
  ],
  settlement_not_found: ['No settlement of the deposit was proposed', 'जमा राशि के हिसाब का कोई प्रस्ताव नहीं है'],
  settlement_outdated: (now: { held_amount: number; open_rent: number; refund_amount: number }) => [
    `Propose the settlement again: ${now.held_amount} is held and ${now.open_rent} is open now, so the refund is ${now.refund_amount}`,
    `हिसाब का प्रस्ताव फिर से रखें: अब ${now.held_amount} जमा है और ${now.open_rent} बकाया है, इसलिए ${now.refund_amount} लौटाना है`,
  ],
  settlement_replaced: ({ refund_amount }: { refund_amount: number }) => [
    `The proposal was replaced; its refund is ${refund_amount} now. Read it, and name it by settlement_id`,
    `प्रस्ताव बदल गया है; अब ${refund_amount} लौटाना है। उसे पढ़ें और settlement_id से बताएँ कि कौन-सा है`,
  ],
  settlement_wrong_status: ({ status, to_be }: { status: string; to_be: string }) => [
    `A settlement that is ${status} cannot be ${to_be}`,
    `${statusesInHindi[status] ?? status} हिसाब ${statusesInHindi[to_be] ?? to_be} नहीं हो सकता`,
  ],
} satisfies Errors

export const warnings = {
  deposit_stays: [
    'No tenant of the lease before stays, so its deposit and advance do not move to this one: settle and refund them there',
    'पिछले समझौते का कोई किरायेदार नहीं रहता, इसलिए उसकी जमा राशि और अग्रिम यहाँ नहीं आएँगे: उनका हिसाब वहीं करें और लौटाएँ',
  ],
} satisfies Warnings

export const results = {
  deposit: ['Deposit', 'जमा राशि'],
  settlement_accepted: ['The settlement was accepted', 'हिसाब मान लिया गया है'],
  settlement_disputed: ['The settlement was disputed', 'हिसाब पर आपत्ति दर्ज कर दी गई है'],
  settlement_posted: ['The deposit was settled', 'जमा राशि का हिसाब हो गया है'],
  settlement_proposed: ['The settlement was proposed', 'हिसाब का प्रस्ताव रख दिया गया है'],
} satisfies Results
