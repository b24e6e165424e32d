import type { Catalogue } from './catalogue'
import { booksInHindi } from './hi-books'
import { depositsInHindi } from './hi-deposits'
import { maintenanceInHindi } from './hi-maintenance'
import { isReplaceable, type AgreementAction } from './en'

const list = (items: readonly (number | string)[]) => items.join(', ')

const actions: Record<AgreementAction, string> = {
  changed: 'को बदला नहीं जा सकता',
  charged: 'में बकाया दर्ज नहीं किया जा सकता',
  completed: 'को पूरा नहीं किया जा सकता',
  declined: 'को अस्वीकार नहीं किया जा सकता',
  deleted: 'को हटाया नहीं जा सकता',
  renewed: 'को नवीनीकृत नहीं किया जा सकता',
  revised: 'को संशोधित नहीं किया जा सकता',
  settled: 'की जमा राशि का हिसाब नहीं किया जा सकता',
  signed: 'पर हस्ताक्षर नहीं किए जा सकते',
  terminated: 'को समाप्त नहीं किया जा सकता',
}

const providers: Record<string, string> = {
  'e-signing': 'ई-साइन सेवा',
  eKYC: 'ई-केवाईसी सेवा',
  messaging: 'मैसेज भेजने वाली सेवा',
}

/** Names of fields, headers, settings, states and codes stay as they are. */
export const hi: Catalogue = {
  ...booksInHindi,
  ...depositsInHindi,
  ...maintenanceInHindi,
  document_not_https: 'में https पता दें',
  document_not_public: 'में ऐसा पता दें जो इंटरनेट पर सबके लिए खुला हो',
  landlord_as_tenant: ({ id }) => `में मकान मालिक की आईडी (${id}) नहीं हो सकती`,
  manager_as_tenant: ({ id }) => `में मैनेजर की आईडी (${id}) नहीं हो सकती`,
  manager_not_nameable: ({ id, parties }) =>
    parties === 'any'
      ? `में किसी सक्रिय यूज़र की आईडी दें; ${id} ऐसी नहीं है`
      : `में उस यूज़र की आईडी दें जिसे आपने POST /tenants से फ़ोन नंबर देकर जोड़ा है; ${id} ऐसी नहीं है`,
  pin_code_unknown: ({ pin_code }) => `देना ज़रूरी है: पिन कोड ${pin_code} हमारी सूची में नहीं है`,
  signing_order_of_others: ({ ids }) => `में केवल समझौते के पक्षों की आईडी दें; ${list(ids)} हटाएँ`,
  tenant_as_manager: ({ id, agreement }) =>
    `में किरायेदार की आईडी नहीं हो सकती: समझौता ${agreement} में ${id} किरायेदार हैं`,
  tenants_not_nameable: ({ ids, parties }) =>
    parties === 'any'
      ? `में केवल सक्रिय यूज़र की आईडी दें; ${list(ids)} हटाएँ`
      : `में केवल उन यूज़र की आईडी दें जिन्हें आपने POST /tenants से फ़ोन नंबर देकर जोड़ा है; ${list(ids)} हटाएँ`,
  termination_before_start: ({ start }) => `समझौते की शुरुआत (${start}) से पहले की तारीख नहीं हो सकती`,
  termination_in_future: ({ today }) => `में आज (${today}) या उससे पहले की तारीख दें`,
  unit_of_other_landlord: 'में उसी मकान मालिक की यूनिट दें',
  sandbox_behaviour_unsupported: ({ provider, behaviours }) =>
    `में ${provider} के लिए इनमें से एक दें: ${list(behaviours)}`,
  sandbox_call_unsupported: ({ provider, behaviour, calls }) =>
    `में ${provider} के ${behaviour} के लिए इनमें से एक दें: any, ${list(calls)}`,
  sandbox_provider_not_simulated: 'में वह सेवा दें जिसे सैंडबॉक्स चलाता है',

  body_not_json: 'अनुरोध का JSON सही नहीं है',
  body_not_readable: 'अनुरोध पढ़ा नहीं जा सका',
  body_too_deep: 'अनुरोध में बहुत ज़्यादा परतें हैं, या toString नाम का फ़ील्ड है',
  content_type_not_json: 'अनुरोध JSON में भेजें (Content-Type: application/json)',
  idempotency_key_invalid: 'Idempotency-Key में 1 से 255 दिखने वाले ASCII अक्षर होने चाहिए',
  idempotency_key_reused: 'यह Idempotency-Key किसी और अनुरोध के लिए इस्तेमाल हो चुकी है',
  value_not_storable: 'एक मान सहेजा नहीं जा सका',
  webhook_id_missing: 'data.id देना ज़रूरी है',

  account_exists: 'इस फ़ोन नंबर का खाता पहले से है, इसलिए इसे निमंत्रण नहीं भेजा जा सकता',
  agreements_open: ({ agreements }) => `पहले ये समझौते समाप्त करें: ${list(agreements)}`,
  certificate_not_stored: ({ agreements }) =>
    `इन समझौतों के प्रमाणपत्र सहेजे जा रहे हैं; कुछ मिनट बाद फिर कोशिश करें: ${list(agreements)}`,
  already_signed: ({ who }) =>
    who === 'you' ? 'आप इस समझौते पर पहले ही हस्ताक्षर कर चुके हैं' : 'यह व्यक्ति इस समझौते पर पहले ही हस्ताक्षर कर चुका है',
  already_verified: 'आपकी पहचान पहले ही सत्यापित हो चुकी है',
  document_refused: ({ rule: [, hindi] }) => `document_url ठीक करें: ${hindi}`,
  name_is_verified: 'पहचान सत्यापित होने के बाद नाम नहीं बदला जा सकता',
  not_your_turn: ({ awaited_id }) =>
    `अभी इस व्यक्ति की बारी नहीं है: signing_order के अनुसार पहले ${awaited_id} को हस्ताक्षर करने हैं`,
  password_changed_meanwhile: 'इस बीच पासवर्ड बदल गया है; current_password में नया पासवर्ड भेजें',
  password_proof_missing: 'पासवर्ड बदलने के लिए current_password या अभी भेजा गया otp भी भेजें',
  phone_number_unreachable: 'इस फ़ोन नंबर पर हमारे मैसेज नहीं पहुँच रहे: नंबर जाँचें या दूसरा नंबर दें',
  profile_incomplete: 'पहले अपनी प्रोफ़ाइल पूरी करें',
  signature_not_open: ({ status }) => `${status} स्थिति वाला हस्ताक्षर रद्द नहीं किया जा सकता`,
  signer_declined: 'इस व्यक्ति ने हस्ताक्षर करने से मना कर दिया है; केवल कोई पक्ष दोबारा अनुरोध कर सकता है',
  tenants_declined: ({ ids }) => `किरायेदार ${list(ids)} को बदलें: उन्होंने यह ड्राफ़्ट अस्वीकार कर दिया है`,
  tenants_erased: ({ ids }) => `किरायेदार ${list(ids)} को बदलें: उनका खाता अब नहीं है`,
  unit_overlap: 'इस अवधि के कुछ हिस्से के लिए यूनिट का दूसरा समझौता मौजूद है',
  address_in_use: 'इस इमारत में दूसरे मकान मालिकों की यूनिट हैं: इसका पता नहीं बदला जा सकता',
  units_in_use: ({ of }) =>
    `${of === 'unit' ? 'इस यूनिट' : 'इस प्रॉपर्टी'} के समझौते लंबित या चालू हैं; पहले उन्हें समाप्त करें`,
  verification_failed: 'सत्यापन नहीं हो सका; कृपया नया सत्यापन शुरू करें',
  verification_incomplete: 'सत्यापन अभी पूरा नहीं हुआ है',
  verification_unknown: 'सत्यापन आईडी सही नहीं है',
  sandbox_check_finished: 'यह पहचान जाँच पूरी हो चुकी है',
  sandbox_clock_change_ambiguous: 'advance_ms, at और reset में से ठीक एक देना ज़रूरी है',
  sandbox_clock_out_of_range: 'सैंडबॉक्स की घड़ी सर्वर की घड़ी से दस साल के भीतर होनी चाहिए',
  sandbox_request_closed: ({ by }) => `हस्ताक्षर का यह अनुरोध बंद हो चुका है: ${by}`,

  ops_token_required: 'इसके लिए bearer token में OPS_TOKEN भेजें',
  sandbox_token_required: 'सैंडबॉक्स के लिए bearer token में SANDBOX_TOKEN भेजें',
  sign_in_required: 'पहले साइन इन करें: टोकन नहीं मिला या सही नहीं है',
  webhook_signature_invalid: 'वेबहुक का हस्ताक्षर सही नहीं है',
  wrong_login: 'फ़ोन नंबर या पासवर्ड गलत है',
  wrong_otp: 'ओटीपी गलत है या उसका समय बीत चुका है',
  wrong_password: 'मौजूदा पासवर्ड गलत है',

  not_a_party: ({ to }) =>
    to === 'sign' ? 'यह व्यक्ति इस समझौते का पक्ष नहीं है' : 'केवल समझौते का कोई पक्ष इसे अस्वीकार कर सकता है',
  not_own_signing: 'आप केवल अपने हस्ताक्षर शुरू कर सकते हैं',
  not_property_creator: 'प्रॉपर्टी को केवल उसे जोड़ने वाला बदल या हटा सकता है',
  not_unit_landlord: ({ to }) =>
    to === 'delete' ? 'यूनिट को केवल मकान मालिक हटा सकता है' : 'यूनिट का मैनेजर केवल मकान मालिक तय कर सकता है',
  not_unit_manager: 'यूनिट की ज़िम्मेदारी केवल उसका मैनेजर छोड़ सकता है',
  not_unit_side: 'यह केवल यूनिट का मकान मालिक या मैनेजर कर सकता है',
  onboarding_unfinished: ({ status }) => `पहले अपनी शुरुआती प्रक्रिया पूरी करें: ${status}`,
  property_uuid_required: 'नंबर से यूनिट केवल इस प्रॉपर्टी के मकान मालिक जोड़ सकते हैं; आप प्रॉपर्टी का UUID इस्तेमाल करें',
  wrong_status: ({ status, to_be }) =>
    `${status} स्थिति वाले समझौते ${actions[to_be]}${isReplaceable(status, to_be) ? '; उसका नया ड्राफ़्ट बनाएँ (revise) या उसे समाप्त करें (terminate)' : ''}`,

  agreement_not_found: 'समझौता नहीं मिला',
  certificate_not_found: 'प्रमाणपत्र नहीं मिला',
  invitation_not_found: 'निमंत्रण नहीं मिला',
  page_not_found: 'पेज नहीं मिला',
  path_not_found: 'यह पता मौजूद नहीं है',
  property_not_found: 'प्रॉपर्टी नहीं मिली',
  signature_not_found: 'हस्ताक्षर नहीं मिला',
  signed_document_not_found: 'हस्ताक्षर किया हुआ दस्तावेज़ नहीं मिला',
  signer_not_found: 'हस्ताक्षर करने वाला व्यक्ति नहीं मिला',
  unit_not_found: 'यूनिट नहीं मिली',
  user_not_found: 'यूज़र नहीं मिला',
  webhook_not_found: 'वेबहुक नहीं मिला',
  sandbox_check_not_found: 'पहचान जाँच नहीं मिली',
  sandbox_request_not_found: 'हस्ताक्षर का अनुरोध नहीं मिला',
  sandbox_rule_not_found: 'नियम नहीं मिला',

  body_too_large: ({ max_bytes }) => `अनुरोध बहुत बड़ा है: ज़्यादा से ज़्यादा ${max_bytes} बाइट भेजें`,

  too_many_changes: 'एक दिन में बहुत सारे बदलाव किए जा चुके हैं; कृपया कल फिर कोशिश करें',
  too_many_messages:
    'इस व्यक्ति को, या सबको मिलाकर, आज काफ़ी अनुरोध और याद दिलाने वाले संदेश मिल चुके हैं; कल तक प्रतीक्षा करें',
  too_many_postings: 'इस समझौते के खाते में एक दिन में बहुत कुछ दर्ज किया जा चुका है; और दर्ज करने से पहले प्रतीक्षा करें',
  too_many_failed_logins: 'कई बार लॉगिन नहीं हो सका; कृपया थोड़ी देर बाद कोशिश करें',
  too_many_invitations: 'बहुत सारे निमंत्रण भेजे जा चुके हैं; कृपया थोड़ी देर बाद भेजें',
  too_many_requests: 'एक साथ बहुत सारे अनुरोध भेजे गए हैं: कृपया उन्हें एक के बाद एक भेजें',
  too_many_otps: 'बहुत सारे ओटीपी माँगे जा चुके हैं; कृपया थोड़ी देर बाद नया ओटीपी माँगें',
  too_many_wrong_otps: 'कई बार गलत ओटीपी दिया गया है; कृपया थोड़ी देर बाद कोशिश करें',
  too_many_wrong_passwords: 'कई बार गलत पासवर्ड दिया गया है; कृपया थोड़ी देर बाद कोशिश करें',

  internal_error: 'हमारी ओर से कुछ गड़बड़ हो गई',

  database_unreachable: 'डेटाबेस से संपर्क नहीं हो पा रहा है',
  documents_busy: 'अभी बहुत सारी पीडीएफ़ बनाई जा रही हैं',
  documents_in_progress: 'हस्ताक्षर किए हुए दस्तावेज़ डाउनलोड हो रहे हैं',
  export_in_progress: 'आपका एक निर्यात अभी पूरा नहीं हुआ है: उसके बाद फिर कोशिश करें',
  erasure_contended: 'एक साथ बहुत से बदलाव हो रहे हैं',
  kyc_given_up: 'इस बीच पहचान की जाँच छोड़ दी गई',
  kyc_in_progress: 'पहचान की जाँच अभी तैयार हो रही है',
  metrics_incomplete: 'सर्वर का एक प्रोसेस अपने आँकड़े नहीं दे रहा है',
  migrations_missing: ({ names }) => `डेटाबेस में यह माइग्रेशन नहीं है: ${list(names)}`,
  passwords_busy: 'अभी बहुत सारे पासवर्ड जाँचे जा रहे हैं',
  phone_number_busy: 'इस फ़ोन नंबर पर एक और अनुरोध चल रहा है',
  provider_not_configured: ({ name }) => `ई-साइन सेवा ${name} की सेटिंग नहीं है; उसे फिर से सेट करें`,
  provider_request_unknown: 'ई-साइन सेवा को इस अनुरोध की जानकारी नहीं है',
  provider_unreachable: ({ provider }) => `${providers[provider] ?? provider} से संपर्क नहीं हो पा रहा है`,
  server_stopping: 'सर्वर बंद हो रहा है',
  signing_in_progress: 'हस्ताक्षर की तैयारी अभी चल रही है',
}
