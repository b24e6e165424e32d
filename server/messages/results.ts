import type { Language } from '@kiraya/sdk/contract'

/** The messages of successful results, in English and in Hindi. */
const sentences = {
  account_erased: ['Your account and your data were erased', 'आपका खाता और आपका डेटा मिटा दिया गया है'],
  agreement: ['Agreement', 'समझौता'],
  agreement_changed: ['The agreement was changed', 'समझौता बदल दिया गया है'],
  agreement_completed: ['The agreement was completed', 'समझौता पूरा कर दिया गया है'],
  agreement_created: ['The agreement was created', 'समझौता बना दिया गया है'],
  agreement_declined: ['You have declined to sign the agreement', 'आपने समझौते पर हस्ताक्षर करने से मना कर दिया है'],
  agreement_deleted: ['The agreement was deleted', 'समझौता हटा दिया गया है'],
  agreement_renewed: ['The next term was drawn up', 'अगली अवधि का ड्राफ़्ट बना दिया गया है'],
  agreement_revised: ['A new version was created', 'नया संस्करण बना दिया गया है'],
  agreement_terminated: ['The agreement was terminated', 'समझौता समाप्त कर दिया गया है'],
  agreements: ['Agreements', 'समझौते'],
  annual_books: ['Books of the year', 'साल का हिसाब'],
  arrears: ['Arrears', 'पुराना बकाया'],
  attachment_deleted: ['The attachment was deleted', 'फ़ाइल हटा दी गई है'],
  book_summary: ['Books', 'हिसाब'],
  charge: ['Charge', 'बकाया'],
  charge_created: ['The charge was posted', 'बकाया दर्ज कर दिया गया है'],
  charge_credited: ['The charge was credited', 'बकाया में छूट दर्ज कर दी गई है'],
  charges: ['Charges', 'बकाया सूची'],
  deposit: ['Deposit', 'जमा राशि'],
  fault_rule_removed: ['The fault rule was removed', 'नियम हटा दिया गया है'],
  fault_rules_cleared: ['All fault rules were cleared', 'सभी नियम हटा दिए गए हैं'],
  identity_verified: ['Your identity is verified', 'आपकी पहचान सत्यापित हो गई है'],
  invitation_cancelled: ['The invitation was cancelled', 'निमंत्रण रद्द कर दिया गया है'],
  maintenance_changed: ['The maintenance request was changed', 'मरम्मत का अनुरोध बदल दिया गया है'],
  otp_sent: ['A one-time password is on its way', 'ओटीपी भेजा जा रहा है'],
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
  profile_completed: ['Your profile is complete', 'आपकी प्रोफ़ाइल पूरी हो गई है'],
  property_deleted: ['The property was deleted', 'प्रॉपर्टी हटा दी गई है'],
  prove_identity: ['Open the address to prove your identity', 'अपनी पहचान सत्यापित करने के लिए यह पता खोलें'],
  refund_recorded: ['The refund was recorded', 'वापसी दर्ज कर दी गई है'],
  rent_roll: ['Rent roll', 'किराया सूची'],
  revision_accepted: ['The new rent was accepted', 'नया किराया मान लिया गया है'],
  revision_declined: ['The new rent was declined', 'नया किराया नहीं माना गया है'],
  revision_proposed: ['The new rent was proposed', 'नए किराये का प्रस्ताव रख दिया गया है'],
  revision_withdrawn: ['The proposed rent was withdrawn', 'नए किराये का प्रस्ताव वापस ले लिया गया है'],
  revisions: ['Revisions of the rent', 'किराये के बदलाव'],
  schedule: ['Schedule', 'किस्तों की सूची'],
  settlement_accepted: ['The settlement was accepted', 'हिसाब मान लिया गया है'],
  settlement_disputed: ['The settlement was disputed', 'हिसाब पर आपत्ति दर्ज कर दी गई है'],
  settlement_posted: ['The deposit was settled', 'जमा राशि का हिसाब हो गया है'],
  settlement_proposed: ['The settlement was proposed', 'हिसाब का प्रस्ताव रख दिया गया है'],
  sign_agreement: ['Open the address to sign the agreement', 'समझौते पर हस्ताक्षर करने के लिए यह पता खोलें'],
  signature_cancelled: ['The signature was cancelled', 'हस्ताक्षर का अनुरोध रद्द कर दिया गया है'],
  signatures: ['Signatures', 'हस्ताक्षर'],
  signed_out: ['Signed out', 'आप साइन आउट हो गए हैं'],
  signed_out_everywhere: ['Signed out everywhere', 'आप हर जगह से साइन आउट हो गए हैं'],
  statement: ['Statement', 'खाता विवरण'],
  tds: ['Tax on the rent', 'किराये पर टीडीएस'],
  timeline: ['Timeline', 'घटनाक्रम'],
  unit_deleted: ['The unit was deleted', 'यूनिट हटा दी गई है'],
  unit_resigned: ['You no longer manage the unit', 'अब आप इस यूनिट के मैनेजर नहीं हैं'],
  webhook_processed: ['Already processed', 'पहले ही पूरा हो चुका है'],
  webhook_received: ['Received', 'मिल गया'],
} as const satisfies Record<string, [english: string, hindi: string]>

/** The English ones. Services return these. */
export const results = Object.fromEntries(
  Object.entries(sentences).map(([name, [english]]) => [name, english]),
) as Record<keyof typeof sentences, string>

const hindiByEnglish = new Map<string, string>(Object.values(sentences))

/**
 * Puts the message of a result into a language. A result that is stored for its Idempotency-Key is English, so a
 * repeated request gets it in its own language.
 */
export function translateResult<T extends { message: string }>(result: T, language: Language): T {
  return language === 'en' ? result : { ...result, message: translateText(result.message, language) }
}

/** The same of its message alone; a text of anybody else stays as it is. */
export function translateText(text: string, language: Language) {
  return (language === 'hi' && hindiByEnglish.get(text)) || text
}

export function hasMessage(result: unknown): result is { message: string } {
  return (
    typeof result === 'object' && result !== null && 'message' in result && typeof result.message === 'string'
  )
}
