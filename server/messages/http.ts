import type { Errors } from './words'

const providersInHindi: Record<string, string> = {
  'e-signing': 'ई-साइन सेवा',
  eKYC: 'ई-केवाईसी सेवा',
  messaging: 'मैसेज भेजने वाली सेवा',
}

export const errors = {
  body_compressed: ['Send the body without Content-Encoding', 'अनुरोध Content-Encoding के बिना भेजें'],
  body_not_json: ['The body is not valid JSON', 'अनुरोध का JSON सही नहीं है'],
  body_not_readable: ['The body cannot be read', 'अनुरोध पढ़ा नहीं जा सका'],
  body_too_deep: [
    'The body is nested too deeply, or has a field named toString',
    'अनुरोध में बहुत ज़्यादा परतें हैं, या toString नाम का फ़ील्ड है',
  ],
  body_too_large: ({ max_bytes }: { max_bytes: number }) => [
    `The body is too large: send at most ${max_bytes} bytes`,
    `अनुरोध बहुत बड़ा है: ज़्यादा से ज़्यादा ${max_bytes} बाइट भेजें`,
  ],
  content_type_not_json: [
    'Send the body as JSON (Content-Type: application/json)',
    'अनुरोध JSON में भेजें (Content-Type: application/json)',
  ],
  database_unreachable: ['The database cannot be reached', 'डेटाबेस से संपर्क नहीं हो पा रहा है'],
  document_not_made: ['The PDF could not be made in time', 'पीडीएफ़ समय पर नहीं बन पाई'],
  documents_busy: ['Too many PDFs are being made', 'अभी बहुत सारी पीडीएफ़ बनाई जा रही हैं'],
  idempotency_key_invalid: [
    'Idempotency-Key must be 1 to 255 visible characters of ASCII',
    'Idempotency-Key में 1 से 255 दिखने वाले ASCII अक्षर होने चाहिए',
  ],
  idempotency_key_reused: [
    'The Idempotency-Key was used for another request',
    'यह Idempotency-Key किसी और अनुरोध के लिए इस्तेमाल हो चुकी है',
  ],
  internal_error: ['Something went wrong on our side', 'हमारी ओर से कुछ गड़बड़ हो गई'],
  page_not_found: ['Page not found', 'पेज नहीं मिला'],
  path_not_found: ['Path not found', 'यह पता मौजूद नहीं है'],
  provider_unreachable: ({ provider }: { provider: string }) => [
    `The ${provider} provider cannot be reached`,
    `${providersInHindi[provider] ?? provider} से संपर्क नहीं हो पा रहा है`,
  ],
  too_many_changes: [
    'Too many changes in a day; wait until tomorrow',
    'एक दिन में बहुत सारे बदलाव किए जा चुके हैं; कृपया कल फिर कोशिश करें',
  ],
  too_many_requests: [
    'Too many requests at once: send one after another',
    'एक साथ बहुत सारे अनुरोध भेजे गए हैं: कृपया उन्हें एक के बाद एक भेजें',
  ],
  too_many_starts: [
    'You started this often enough today; wait until tomorrow',
    'आज आप इसे काफ़ी बार शुरू कर चुके हैं; कल तक प्रतीक्षा करें',
  ],
  value_not_storable: ['A value cannot be stored', 'एक मान सहेजा नहीं जा सका'],
} satisfies Errors
