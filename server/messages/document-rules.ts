/** How the rules of documents begin, and the same in Hindi; a status or a cause may follow. */
const DOCUMENT_RULES: [english: string, hindi: string][] = [
  ['A document must have an https address', 'दस्तावेज़ का पता https होना चाहिए'],
  ['A document must lie at a public host', 'दस्तावेज़ का पता इंटरनेट पर सबके लिए खुला होना चाहिए'],
  ['A document must have at most 10 MiB', 'दस्तावेज़ अधिकतम 10 MiB का होना चाहिए'],
  ['A document must be a PDF', 'दस्तावेज़ PDF होना चाहिए'],
  ['The address of the document cannot be reached', 'दस्तावेज़ के पते से संपर्क नहीं हो पाया'],
  [
    'The address of the document leads through more than 5 redirects',
    'दस्तावेज़ का पता 5 से ज़्यादा बार दूसरे पते पर भेजता है',
  ],
  ['The address of the document answered', 'दस्तावेज़ के पते से जवाब मिला:'],
  ['The address of the document redirects to an invalid address', 'दस्तावेज़ का पता एक गलत पते पर भेजता है'],
]

export function toHindiDocumentRule(rule: string) {
  const [english = '', hindi = ''] = DOCUMENT_RULES.find(([start]) => rule.startsWith(start)) ?? []
  return hindi + rule.slice(english.length)
}
