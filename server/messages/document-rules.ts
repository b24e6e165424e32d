import type { Words } from './words'

/** Why a document cannot be used. */
export const documentRules = {
  not_https: ['A document must have an https address', 'दस्तावेज़ का पता https होना चाहिए'],
  not_public: ['A document must lie at a public host', 'दस्तावेज़ का पता इंटरनेट पर सबके लिए खुला होना चाहिए'],
  too_large: ['A document must have at most 10 MiB', 'दस्तावेज़ अधिकतम 10 MiB का होना चाहिए'],
  not_pdf: ['A document must be a PDF', 'दस्तावेज़ PDF होना चाहिए'],
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
