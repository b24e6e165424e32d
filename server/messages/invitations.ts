import type { Errors, Results } from './words'

export const errors = {
  account_exists: [
    'The phone number has an account already, so it cannot be invited',
    'इस फ़ोन नंबर का खाता पहले से है, इसलिए इसे निमंत्रण नहीं भेजा जा सकता',
  ],
  invitation_not_found: ['Invitation not found', 'निमंत्रण नहीं मिला'],
  too_many_invitations: [
    'Too many invitations were sent; wait before sending more',
    'बहुत सारे निमंत्रण भेजे जा चुके हैं; कृपया थोड़ी देर बाद भेजें',
  ],
} satisfies Errors

export const results = {
  invitation_cancelled: ['The invitation was cancelled', 'निमंत्रण रद्द कर दिया गया है'],
} satisfies Results
