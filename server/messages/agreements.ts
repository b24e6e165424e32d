import { CUSTOMARY_LATE_FEE_PERCENT, MODEL_TENANCY } from '../domain/rent-law'
import { list, type Errors, type Results, type Warnings } from './words'

const { residential, other } = MODEL_TENANCY.deposit_months

/** What a status may forbid, and how Hindi says so. */
const actions = {
  changed: 'को बदला नहीं जा सकता',
  charged: 'में बकाया दर्ज नहीं किया जा सकता',
  completed: 'को पूरा नहीं किया जा सकता',
  declined: 'को अस्वीकार नहीं किया जा सकता',
  deleted: 'को हटाया नहीं जा सकता',
  recorded: 'को दर्ज नहीं किया जा सकता',
  reinstated: 'को फिर से चालू नहीं किया जा सकता',
  renewed: 'को नवीनीकृत नहीं किया जा सकता',
  revised: 'को संशोधित नहीं किया जा सकता',
  settled: 'की जमा राशि का हिसाब नहीं किया जा सकता',
  signed: 'पर हस्ताक्षर नहीं किए जा सकते',
  voided: 'को रद्द नहीं किया जा सकता',
  terminated: 'को समाप्त नहीं किया जा सकता',
}

export const errors = {
  agreement_not_found: ['Agreement not found', 'समझौता नहीं मिला'],
  already_renewed: ({ agreement }: { agreement: string }) => [
    `The next term is drawn up already: ${agreement}`,
    `अगली अवधि का समझौता पहले से बना हुआ है: ${agreement}`,
  ],
  escalation_incomplete: [
    'is required: an escalation has a percentage and a number of months',
    'देना ज़रूरी है: बढ़ोतरी के लिए प्रतिशत और महीने दोनों चाहिए',
  ],
  escalation_too_high: ({ date }: { date: string }) => [
    `must be lower: the escalations raise the rent to the highest amount, 9999999999.99, on ${date}`,
    `में कम दें: बढ़ोतरी से किराया ${date} को सबसे बड़ी रकम 9999999999.99 तक पहुँच जाता है`,
  ],
  landlord_as_tenant: ({ id }: { id: number }) => [
    `must not have the landlord's id, ${id}`,
    `में मकान मालिक की आईडी (${id}) नहीं हो सकती`,
  ],
  late_fee_incomplete: ['is required: late_fee_kind needs it', 'देना ज़रूरी है: late_fee_kind के लिए यह चाहिए'],
  manager_as_tenant: ({ id }: { id: number }) => [
    `must not have the manager's id, ${id}`,
    `में मैनेजर की आईडी (${id}) नहीं हो सकती`,
  ],
  money_held: ({ deposit, advance }: { deposit: number; advance: number }) => [
    `A deposit of ${deposit} and an advance of ${advance} are held: settle the deposit and refund the advance first`,
    `${deposit} की जमा राशि और ${advance} का अग्रिम रखा हुआ है: पहले हिसाब करें और अग्रिम लौटाएँ`,
  ],
  not_recorded: [
    'This is no lease that was recorded as signed on paper, or it is void',
    'यह समझौता काग़ज़ पर हस्ताक्षरित के रूप में दर्ज नहीं है, या रद्द हो चुका है',
  ],
  not_reinstatable: [
    'Only what a person terminated in the last 30 days can go on, and no lease that is void or never began',
    'केवल पिछले 30 दिनों में किसी के समाप्त किए समझौते जारी हो सकते हैं; रद्द या शुरू न हुए समझौते नहीं',
  ],
  money_posted: [
    'Money was posted under this lease, or moved to it: reverse the payments first, or terminate the lease',
    'इस समझौते में भुगतान दर्ज हैं, या राशि यहाँ आई है: पहले भुगतान वापस लें, या समझौता समाप्त करें',
  ],
  not_unit_side: [
    'Only the landlord or the manager of the unit can do this',
    'यह केवल यूनिट का मकान मालिक या मैनेजर कर सकता है',
  ],
  objection_not_found: ['You do not object to this lease', 'इस समझौते पर आपकी कोई आपत्ति नहीं है'],
  objection_open: [
    'You object to this lease already: withdraw that objection first',
    'इस समझौते पर आपकी आपत्ति पहले से दर्ज है: पहले उसे वापस लें',
  ],
  opening_before_start: ({ start }: { start: string }) => [
    `is for a lease that has begun, and this one begins on ${start}`,
    `केवल शुरू हो चुके समझौते में हो सकता है, और यह ${start} को शुरू होता है`,
  ],
  opening_of_renewal: [
    'must be left out: a renewal takes over what the lease before holds',
    'न दें: नवीनीकरण में पिछले समझौते की जमा राशि और अग्रिम अपने आप आते हैं',
  ],
  opening_owed_and_advance: [
    'must be left out: the tenants cannot owe money and have paid ahead',
    'न दें: बकाया (owed) और अग्रिम दोनों नहीं हो सकते',
  ],
  payments_undecided: ({ payments }: { payments: number[] }) => [
    `Payments are still reported or pending: confirm, clear or refuse them first (${list(payments)})`,
    `कुछ भुगतानों पर अभी फ़ैसला नहीं हुआ है: पहले उन्हें स्वीकार या अस्वीकार करें (${list(payments)})`,
  ],
  settled_before_start: ({ date }: { date: string }) => [
    `must be ${date} or later: the eve of the start of the lease`,
    `में ${date} या उसके बाद की तारीख दें: समझौते की शुरुआत से एक दिन पहले तक`,
  ],
  signing_order_of_others: ({ ids }: { ids: number[] }) => [
    `must only have ids of parties of the agreement; remove ${list(ids)}`,
    `में केवल समझौते के पक्षों की आईडी दें; ${list(ids)} हटाएँ`,
  ],
  tenants_not_nameable: ({ ids, parties }: { ids: number[]; parties: 'any' | 'named' }) =>
    parties === 'any'
      ? [
          `must only have ids of active users; remove ${list(ids)}`,
          `में केवल सक्रिय यूज़र की आईडी दें; ${list(ids)} हटाएँ`,
        ]
      : [
          `must only have ids of users whom you have named by phone number with POST /tenants; remove ${list(ids)}`,
          `में केवल उन यूज़र की आईडी दें जिन्हें आपने POST /tenants से फ़ोन नंबर देकर जोड़ा है; ${list(ids)} हटाएँ`,
        ],
  termination_before_start: ({ start }: { start: string }) => [
    `must not be before the start of the agreement (${start})`,
    `समझौते की शुरुआत (${start}) से पहले की तारीख नहीं हो सकती`,
  ],
  termination_in_future: ({ today }: { today: string }) => [
    `must be today (${today}) or earlier`,
    `में आज (${today}) या उससे पहले की तारीख दें`,
  ],
  unit_of_other_landlord: ['must be a unit of the same landlord', 'में उसी मकान मालिक की यूनिट दें'],
  void_reason_missing: [
    'is required: it says why the lease is void',
    'देना ज़रूरी है: इससे पता चलता है कि समझौता क्यों रद्द है',
  ],
  wrong_status: ({ status, to_be }: { status: string; to_be: keyof typeof actions }) => {
    // The terms are fixed, but a new draft may take their place.
    const isReplaceable = status === 'PENDING' && (to_be === 'changed' || to_be === 'deleted')
    return [
      `An agreement that is ${status} cannot be ${to_be}${isReplaceable ? '; revise or terminate it' : ''}`,
      `${status} स्थिति वाले समझौते ${actions[to_be]}${isReplaceable ? '; उसका नया ड्राफ़्ट बनाएँ (revise) या उसे समाप्त करें (terminate)' : ''}`,
    ]
  },
} satisfies Errors

export const results = {
  agreement: ['Agreement', 'समझौता'],
  agreement_accepted: [
    'You have accepted the lease as it was recorded',
    'आपने दर्ज किए गए समझौते को मान लिया है',
  ],
  agreement_changed: ['The agreement was changed', 'समझौता बदल दिया गया है'],
  agreement_completed: ['The agreement was completed', 'समझौता पूरा कर दिया गया है'],
  agreement_created: ['The agreement was created', 'समझौता बना दिया गया है'],
  agreement_declined: ['You have declined to sign the agreement', 'आपने समझौते पर हस्ताक्षर करने से मना कर दिया है'],
  agreement_deleted: ['The agreement was deleted', 'समझौता हटा दिया गया है'],
  agreement_objected: ['Your objection was recorded', 'आपकी आपत्ति दर्ज कर दी गई है'],
  agreement_recorded: [
    'The lease was recorded as signed on paper',
    'समझौता काग़ज़ पर हस्ताक्षरित के रूप में दर्ज कर दिया गया है',
  ],
  reinstated: ['The termination was undone: the lease goes on', 'समाप्ति वापस ली गई: समझौता जारी है'],
  agreement_renewed: ['The next term was drawn up', 'अगली अवधि का ड्राफ़्ट बना दिया गया है'],
  agreement_revised: ['A new version was created', 'नया संस्करण बना दिया गया है'],
  agreement_terminated: ['The agreement was terminated', 'समझौता समाप्त कर दिया गया है'],
  objection_withdrawn: ['Your objection was withdrawn', 'आपकी आपत्ति वापस ले ली गई है'],
  reinstatement_asked: ['The lease goes on once the other side agrees', 'दूसरे पक्ष के मानने पर समझौता जारी होगा'],
  agreement_voided: [
    'The lease is void: what was recorded is taken back',
    'समझौता रद्द है: जो दर्ज था, वह वापस ले लिया गया है',
  ],
  agreements: ['Agreements', 'समझौते'],
  timeline: ['Timeline', 'घटनाक्रम'],
} satisfies Results

export const warnings = {
  deposit_above_custom: [
    `The deposit is above ${residential} months' rent of a residence, or ${other} of another unit: more than the Model Tenancy Act allows, where a state has adopted it`,
    `जमा राशि घर के ${residential} महीने या दूसरी यूनिट के ${other} महीने के किराये से ज़्यादा है: जिन राज्यों में मॉडल किरायेदारी अधिनियम लागू है, वहाँ इतनी राशि नहीं ली जा सकती`,
  ],
  escalation_after_tenure: [
    'The rent never rises: the first escalation comes after the tenure, and a renewal counts its months again',
    'किराया कभी नहीं बढ़ेगा: पहली बढ़ोतरी अवधि के बाद आती है, और नवीनीकरण में महीने फिर से गिने जाते हैं',
  ],
  late_fee_above_custom: [
    `The late fee is above ${CUSTOMARY_LATE_FEE_PERCENT} % of the rent a year: a court may cut it down`,
    `देरी का शुल्क साल में किराये के ${CUSTOMARY_LATE_FEE_PERCENT} % से ज़्यादा है: अदालत इसे घटा सकती है`,
  ],
  tenant_objects: [
    'A tenant objects to this lease as it was recorded: read the objection, and record it again if they are right',
    'एक किरायेदार को दर्ज किए गए समझौते पर आपत्ति है: आपत्ति पढ़ें, और सही हो तो समझौता फिर से दर्ज करें',
  ],
} satisfies Warnings
