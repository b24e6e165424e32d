import type { Language } from './index'

/** The messages of successful results. Services return these. */
export const results = {
  account_erased: 'Your account and your data were erased',
  agreement: 'Agreement',
  agreement_changed: 'The agreement was changed',
  agreement_completed: 'The agreement was completed',
  agreement_created: 'The agreement was created',
  agreement_declined: 'You have declined to sign the agreement',
  agreement_deleted: 'The agreement was deleted',
  agreement_revised: 'A new version was created',
  agreement_terminated: 'The agreement was terminated',
  agreements: 'Agreements',
  fault_rule_removed: 'The fault rule was removed',
  fault_rules_cleared: 'All fault rules were cleared',
  identity_verified: 'Your identity is verified',
  invitation_cancelled: 'The invitation was cancelled',
  otp_sent: 'A one-time password is on its way',
  profile_completed: 'Your profile is complete',
  property_deleted: 'The property was deleted',
  prove_identity: 'Open the address to prove your identity',
  sign_agreement: 'Open the address to sign the agreement',
  signature_cancelled: 'The signature was cancelled',
  signatures: 'Signatures',
  signed_out: 'Signed out',
  signed_out_everywhere: 'Signed out everywhere',
  timeline: 'Timeline',
  unit_deleted: 'The unit was deleted',
  unit_resigned: 'You no longer manage the unit',
  webhook_processed: 'Already processed',
  webhook_received: 'Received',
} as const

const hindi: Record<keyof typeof results, string> = {
  account_erased: 'आपका खाता और आपका डेटा मिटा दिया गया है',
  agreement: 'समझौता',
  agreement_changed: 'समझौता बदल दिया गया है',
  agreement_completed: 'समझौता पूरा कर दिया गया है',
  agreement_created: 'समझौता बना दिया गया है',
  agreement_declined: 'आपने समझौते पर हस्ताक्षर करने से मना कर दिया है',
  agreement_deleted: 'समझौता हटा दिया गया है',
  agreement_revised: 'नया संस्करण बना दिया गया है',
  agreement_terminated: 'समझौता समाप्त कर दिया गया है',
  agreements: 'समझौते',
  fault_rule_removed: 'नियम हटा दिया गया है',
  fault_rules_cleared: 'सभी नियम हटा दिए गए हैं',
  identity_verified: 'आपकी पहचान सत्यापित हो गई है',
  invitation_cancelled: 'निमंत्रण रद्द कर दिया गया है',
  otp_sent: 'ओटीपी भेजा जा रहा है',
  profile_completed: 'आपकी प्रोफ़ाइल पूरी हो गई है',
  property_deleted: 'प्रॉपर्टी हटा दी गई है',
  prove_identity: 'अपनी पहचान सत्यापित करने के लिए यह पता खोलें',
  sign_agreement: 'समझौते पर हस्ताक्षर करने के लिए यह पता खोलें',
  signature_cancelled: 'हस्ताक्षर का अनुरोध रद्द कर दिया गया है',
  signatures: 'हस्ताक्षर',
  signed_out: 'आप साइन आउट हो गए हैं',
  signed_out_everywhere: 'आप हर जगह से साइन आउट हो गए हैं',
  timeline: 'घटनाक्रम',
  unit_deleted: 'यूनिट हटा दी गई है',
  unit_resigned: 'अब आप इस यूनिट के मैनेजर नहीं हैं',
  webhook_processed: 'पहले ही पूरा हो चुका है',
  webhook_received: 'मिल गया',
}

const names = Object.keys(results) as (keyof typeof results)[]
const hindiByEnglish = new Map<string, string>(names.map(name => [results[name], hindi[name]]))

/**
 * Puts the message of a result into a language. A result that is stored for its Idempotency-Key is English, so a
 * repeated request gets it in its own language.
 */
export function translateResult<T extends { message: string }>(result: T, language: Language): T {
  if (language === 'en') return result
  return { ...result, message: hindiByEnglish.get(result.message) ?? result.message }
}

export function hasMessage(result: unknown): result is { message: string } {
  return (
    typeof result === 'object' && result !== null && 'message' in result && typeof result.message === 'string'
  )
}
