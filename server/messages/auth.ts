import type { Errors, Results } from './words'

export const errors = {
  passwords_busy: ['Too many passwords are being checked', 'अभी बहुत सारे पासवर्ड जाँचे जा रहे हैं'],
  phone_number_busy: ['Another request is using this phone number', 'इस फ़ोन नंबर पर एक और अनुरोध चल रहा है'],
  phone_number_unreachable: [
    'Our messages cannot reach this phone number: check it, or use another one',
    'इस फ़ोन नंबर पर हमारे मैसेज नहीं पहुँच रहे: नंबर जाँचें या दूसरा नंबर दें',
  ],
  session_ended: ['This session has ended: sign in again', 'यह सत्र समाप्त हो चुका है: फिर से साइन इन करें'],
  sign_in_required: [
    'Sign in first: the token is missing or not valid',
    'पहले साइन इन करें: टोकन नहीं मिला या सही नहीं है',
  ],
  token_expired: ['The token has expired: sign in again', 'टोकन का समय बीत चुका है: फिर से साइन इन करें'],
  too_many_failed_logins: [
    'Too many failed logins; wait before trying again',
    'कई बार लॉगिन नहीं हो सका; कृपया थोड़ी देर बाद कोशिश करें',
  ],
  too_many_otps: [
    'Too many one-time passwords were requested; wait before requesting another',
    'बहुत सारे ओटीपी माँगे जा चुके हैं; कृपया थोड़ी देर बाद नया ओटीपी माँगें',
  ],
  too_many_wrong_otps: [
    'Too many one-time passwords were wrong; wait before trying again',
    'कई बार गलत ओटीपी दिया गया है; कृपया थोड़ी देर बाद कोशिश करें',
  ],
  wrong_login: ['The phone number or the password is wrong', 'फ़ोन नंबर या पासवर्ड गलत है'],
  wrong_otp: ['The one-time password is wrong or has expired', 'ओटीपी गलत है या उसका समय बीत चुका है'],
} satisfies Errors

export const results = {
  otp_sent: ['A one-time password is on its way', 'ओटीपी भेजा जा रहा है'],
  signed_out: ['Signed out', 'आप साइन आउट हो गए हैं'],
  signed_out_everywhere: ['Signed out everywhere', 'आप हर जगह से साइन आउट हो गए हैं'],
} satisfies Results
