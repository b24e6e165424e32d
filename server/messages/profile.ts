import type { Errors, Results, Warnings, Words } from './words'

export const errors = {
  already_verified: ['Your identity is already verified', 'आपकी पहचान पहले ही सत्यापित हो चुकी है'],
  kyc_given_up: ['The identity check was given up during the request', 'इस बीच पहचान की जाँच छोड़ दी गई'],
  kyc_in_progress: ['The identity check is still being prepared', 'पहचान की जाँच अभी तैयार हो रही है'],
  name_is_verified: [
    'The name cannot be changed once the identity is verified',
    'पहचान सत्यापित होने के बाद नाम नहीं बदला जा सकता',
  ],
  onboarding_unfinished: ({ status }: { status: string }) => [
    `Finish your onboarding first: ${status}`,
    `पहले अपनी शुरुआती प्रक्रिया पूरी करें: ${status}`,
  ],
  password_changed_meanwhile: [
    'The password was changed during the request; send the new one as current_password',
    'इस बीच पासवर्ड बदल गया है; current_password में नया पासवर्ड भेजें',
  ],
  password_proof_missing: [
    'Send current_password, or an otp that was just sent, to change the password',
    'पासवर्ड बदलने के लिए current_password या अभी भेजा गया otp भी भेजें',
  ],
  profile_incomplete: ['Complete your profile first', 'पहले अपनी प्रोफ़ाइल पूरी करें'],
  too_many_wrong_passwords: [
    'Too many wrong passwords; wait before trying again',
    'कई बार गलत पासवर्ड दिया गया है; कृपया थोड़ी देर बाद कोशिश करें',
  ],
  user_not_found: ['User not found', 'यूज़र नहीं मिला'],
  verification_failed: [
    'The verification failed; start a new one',
    'सत्यापन नहीं हो सका; कृपया नया सत्यापन शुरू करें',
  ],
  verification_incomplete: ['The verification is not completed yet', 'सत्यापन अभी पूरा नहीं हुआ है'],
  verification_unknown: ['The verification id is not valid', 'सत्यापन आईडी सही नहीं है'],
  webhook_id_missing: ['data.id is required', 'data.id देना ज़रूरी है'],
  wrong_password: ['The current password is wrong', 'मौजूदा पासवर्ड गलत है'],
} satisfies Errors

export const results = {
  identity_verified: ['Your identity is verified', 'आपकी पहचान सत्यापित हो गई है'],
  profile_completed: ['Your profile is complete', 'आपकी प्रोफ़ाइल पूरी हो गई है'],
  prove_identity: ['Open the address to prove your identity', 'अपनी पहचान सत्यापित करने के लिए यह पता खोलें'],
} satisfies Results

/** What documents print beside the phone number of someone whose name no font shows. */
export const NAME_NOT_SHOWN: Words = ['name cannot be shown', 'नाम दिखाया नहीं जा सकता']

export const warnings = {
  name_not_shown: [
    'Documents cannot show a letter of this name: they print the phone number instead',
    'दस्तावेज़ इस नाम का कोई अक्षर नहीं दिखा सकते: नाम की जगह फ़ोन नंबर छपेगा',
  ],
} satisfies Warnings
