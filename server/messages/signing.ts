import { list, type Errors, type Results, type Words } from './words'

export const errors = {
  already_signed: ({ who }: { who: 'signer' | 'you' }) =>
    who === 'you'
      ? ['You have already signed this agreement', 'आप इस समझौते पर पहले ही हस्ताक्षर कर चुके हैं']
      : ['The signer has already signed this agreement', 'यह व्यक्ति इस समझौते पर पहले ही हस्ताक्षर कर चुका है'],
  certificate_not_found: ['Certificate not found', 'प्रमाणपत्र नहीं मिला'],
  document_missing: [
    'The draft has no document: give an address or a template, or upload a PDF',
    'ड्राफ़्ट में कोई दस्तावेज़ नहीं है: पता या टेम्पलेट दें, या पीडीएफ़ अपलोड करें',
  ],
  document_not_https: ['must be an https address', 'में https पता दें'],
  document_not_public: ['must lie at a public host', 'में ऐसा पता दें जो इंटरनेट पर सबके लिए खुला हो'],
  document_refused: ({ rule: [english, hindi] }: { rule: Words }) => [
    `Correct document_url: ${english}`,
    `document_url ठीक करें: ${hindi}`,
  ],
  document_twice: [
    'must be absent if document_url is given: a draft has one document',
    'न दें अगर document_url दिया है: ड्राफ़्ट में एक ही दस्तावेज़ होता है',
  ],
  documents_in_progress: [
    'The signed documents are being downloaded',
    'हस्ताक्षर किए हुए दस्तावेज़ डाउनलोड हो रहे हैं',
  ],
  file_not_pdf: [
    'Send the bytes of a PDF, or a template and a language as application/json',
    'पीडीएफ़ भेजें, या application/json में टेम्पलेट और भाषा',
  ],
  no_stored_document: [
    'No document is stored: the draft has none, or one at an address alone',
    'कोई दस्तावेज़ सहेजा हुआ नहीं है: ड्राफ़्ट में दस्तावेज़ नहीं है, या केवल उसका पता है',
  ],
  not_a_party: ({ to }: { to: 'decline' | 'sign' }) =>
    to === 'sign'
      ? ['The signer is not a party of this agreement', 'यह व्यक्ति इस समझौते का पक्ष नहीं है']
      : ['Only a party of the agreement can decline it', 'केवल समझौते का कोई पक्ष इसे अस्वीकार कर सकता है'],
  not_own_signing: ['A party can only start their own signing', 'आप केवल अपने हस्ताक्षर शुरू कर सकते हैं'],
  not_your_turn: ({ awaited_id }: { awaited_id: number }) => [
    `It is not this signer's turn: by signing_order ${awaited_id} signs before`,
    `अभी इस व्यक्ति की बारी नहीं है: signing_order के अनुसार पहले ${awaited_id} को हस्ताक्षर करने हैं`,
  ],
  provider_not_configured: ({ name }: { name: string }) => [
    `The e-signing provider ${name} is not configured; set its settings again`,
    `ई-साइन सेवा ${name} की सेटिंग नहीं है; उसे फिर से सेट करें`,
  ],
  provider_request_unknown: [
    'The e-signing provider does not know the request',
    'ई-साइन सेवा को इस अनुरोध की जानकारी नहीं है',
  ],
  signature_not_found: ['Signature not found', 'हस्ताक्षर नहीं मिला'],
  signature_not_open: ({ status }: { status: string }) => [
    `A signature that is ${status} cannot be cancelled`,
    `${status} स्थिति वाला हस्ताक्षर रद्द नहीं किया जा सकता`,
  ],
  signed_document_not_found: ['Signed document not found', 'हस्ताक्षर किया हुआ दस्तावेज़ नहीं मिला'],
  signer_declined: [
    'The signer has declined; only a party can ask again',
    'इस व्यक्ति ने हस्ताक्षर करने से मना कर दिया है; केवल कोई पक्ष दोबारा अनुरोध कर सकता है',
  ],
  signer_not_found: ['Signer not found', 'हस्ताक्षर करने वाला व्यक्ति नहीं मिला'],
  signing_in_progress: ['The signing is still being prepared', 'हस्ताक्षर की तैयारी अभी चल रही है'],
  storage_full: ({ gib }: { gib: number }) => [
    `The landlord's files have ${gib} GiB already: delete drafts with uploaded documents`,
    `मकान मालिक की फ़ाइलें ${gib} GiB तक पहुँच चुकी हैं: अपलोड किए दस्तावेज़ों वाले ड्राफ़्ट हटाएँ`,
  ],
  tenants_declined: ({ ids }: { ids: number[] }) => [
    `Replace the tenants ${list(ids)}: they declined this draft`,
    `किरायेदार ${list(ids)} को बदलें: उन्होंने यह ड्राफ़्ट अस्वीकार कर दिया है`,
  ],
  tenants_erased: ({ ids }: { ids: number[] }) => [
    `Replace the tenants ${list(ids)}: they no longer have an account`,
    `किरायेदार ${list(ids)} को बदलें: उनका खाता अब नहीं है`,
  ],
  too_many_messages: [
    'This person, or all together, got enough requests and reminders today; wait until tomorrow',
    'इस व्यक्ति को, या सबको मिलाकर, आज काफ़ी अनुरोध और याद दिलाने वाले संदेश मिल चुके हैं; कल तक प्रतीक्षा करें',
  ],
  unit_overlap: [
    'The unit has another agreement for some of this time',
    'इस अवधि के कुछ हिस्से के लिए यूनिट का दूसरा समझौता मौजूद है',
  ],
  webhook_signature_invalid: ['The signature of the webhook is not valid', 'वेबहुक का हस्ताक्षर सही नहीं है'],
} satisfies Errors

export const results = {
  sign_agreement: ['Open the address to sign the agreement', 'समझौते पर हस्ताक्षर करने के लिए यह पता खोलें'],
  signature_cancelled: ['The signature was cancelled', 'हस्ताक्षर का अनुरोध रद्द कर दिया गया है'],
  signatures: ['Signatures', 'हस्ताक्षर'],
  webhook_processed: ['Already processed', 'पहले ही पूरा हो चुका है'],
  webhook_received: ['Received', 'मिल गया'],
} satisfies Results

/** Why a document cannot be used. */
export const documentRules = {
  not_https: ['A document must have an https address', 'दस्तावेज़ का पता https होना चाहिए'],
  not_public: ['A document must lie at a public host', 'दस्तावेज़ का पता इंटरनेट पर सबके लिए खुला होना चाहिए'],
  too_large: ['A document must have at most 10 MiB', 'दस्तावेज़ अधिकतम 10 MiB का होना चाहिए'],
  not_pdf: ['A document must be a PDF', 'दस्तावेज़ PDF होना चाहिए'],
  locked: ['A document must open without a password', 'दस्तावेज़ बिना पासवर्ड के खुलना चाहिए'],
  unreadable: [
    'A document must be a whole PDF: this one is broken or cut off',
    'दस्तावेज़ पूरी PDF होनी चाहिए: यह ख़राब या अधूरी है',
  ],
  not_stored: ['The document is no longer stored', 'दस्तावेज़ अब सहेजा हुआ नहीं है'],
  unreachable: ['The address of the document cannot be reached', 'दस्तावेज़ के पते से संपर्क नहीं हो पाया'],
  too_slow: [
    'The address of the document cannot be reached: no complete response in time',
    'दस्तावेज़ के पते से संपर्क नहीं हो पाया: समय पर पूरा जवाब नहीं मिला',
  ],
  too_many_redirects: [
    'The address of the document leads through more than 3 redirects',
    'दस्तावेज़ का पता 3 से ज़्यादा बार दूसरे पते पर भेजता है',
  ],
  invalid_redirect: [
    'The address of the document redirects to an invalid address',
    'दस्तावेज़ का पता एक गलत पते पर भेजता है',
  ],
} as const satisfies Record<string, Words>

/** The same for an HTTP status other than 200. */
export const toStatusRule = (status: number): Words => [
  `The address of the document answered ${status}`,
  `दस्तावेज़ के पते से जवाब मिला: ${status}`,
]
