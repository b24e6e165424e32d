/**
 * What the contract's descriptions and the rules of documents say, in Hindi; `*` stands for numbers and names. A
 * text that is not here stays English.
 */
const PHRASES: [english: string, hindi: string][] = [
  ['one of *', 'इनमें से एक मान (*)'],
  ['text of 1 to * characters to look for', 'खोजने के लिए 1 से * अक्षरों का टेक्स्ट'],
  ['text of * to * characters', '* से * अक्षरों का टेक्स्ट'],
  ['text of at most * characters', 'अधिकतम * अक्षरों का टेक्स्ट'],
  [
    'at most * letters, digits, spaces, dashes, slashes and dots, and not read as an address or a phone number: no letter follows a dot',
    'अधिकतम * अक्षर, अंक, खाली जगह, डैश, स्लैश या बिंदु, जो वेब पते या फ़ोन नंबर जैसे न लगें (बिंदु के बाद अक्षर न हो)',
  ],
  ['the name of a society or building, *', 'सोसाइटी या इमारत का नाम (*)'],
  ['an array of at most * texts', 'अधिकतम * टेक्स्ट की सूची'],
  ['an array of at most * units', 'अधिकतम * यूनिट की सूची'],
  ['an array of at most * charges', 'अधिकतम * शुल्कों की सूची'],
  ['a year from April to March, such as *', 'अप्रैल से मार्च का साल, जैसे *'],
  ['a month, *', 'एक महीना, *'],
  ['an array of at most * deductions', 'अधिकतम * कटौतियों की सूची'],
  ['an array of at most * allocations', 'अधिकतम * बँटवारों की सूची'],
  ['an array of * to * different user ids of parties', '* से * अलग-अलग पक्षों की यूज़र आईडी की सूची'],
  ['an array of * to * different user ids', '* से * अलग-अलग यूज़र आईडी की सूची'],
  [
    'at most * texts, each under a name of letters, digits, blanks, dots and dashes',
    'अधिकतम * टेक्स्ट, हर एक ऐसे नाम के साथ जिसमें केवल अक्षर, अंक, खाली जगह, बिंदु और डैश हों',
  ],
  [
    'a number of * or more, at most *, with no more than two decimals',
    '* से * तक की संख्या (दशमलव के बाद अधिकतम दो अंक)',
  ],
  [
    'a number above *, at most *, with no more than two decimals',
    '* से ज़्यादा और * तक की संख्या (दशमलव के बाद अधिकतम दो अंक)',
  ],
  ['the numeric id of a record', 'रिकॉर्ड की आईडी (संख्या)'],
  ['the number or UUID of a record', 'रिकॉर्ड की संख्या या UUID'],
  ['a UUID', 'UUID'],
  ['an ISO 8601 timestamp', 'ISO 8601 के रूप में समय'],
  ['a date of the calendar, YYYY-MM-DD', 'कैलेंडर की सही तारीख (YYYY-MM-DD)'],
  [
    'a valid Indian mobile number: 10 digits, the first of them 6 to 9',
    'सही भारतीय मोबाइल नंबर (10 अंक, पहला अंक 6 से 9)',
  ],
  [
    'a PAN such as *: five letters, then four digits and a letter',
    'सही पैन (जैसे *): पाँच अक्षर, फिर चार अंक और एक अक्षर',
  ],
  [
    'a PIN code: a number of six digits that does not start with 0',
    'सही पिन कोड (छह अंकों की संख्या, जो 0 से शुरू न हो)',
  ],
  ['exactly * digits', 'ठीक * अंक'],
  ['a password of * to * characters', '* से * अक्षरों का पासवर्ड'],
  ['a valid e-mail address of at most * characters', 'सही ईमेल पता (अधिकतम * अक्षर)'],
  ['an http or https address of at most * characters', 'http या https पता (अधिकतम * अक्षर)'],
  ['a whole number from * to *', '* से * तक की पूर्ण संख्या'],
  ['an HTTP status from * to *', '* से * तक का HTTP स्टेटस'],
  ['milliseconds, at most ten years', 'मिलीसेकंड (अधिकतम दस साल)'],
  ['milliseconds, at most * days', 'मिलीसेकंड (अधिकतम * दिन)'],
  ['seconds, at most *', 'सेकंड (अधिकतम *)'],
  ['a timestamp with its zone, such as *', 'टाइम ज़ोन के साथ समय (जैसे *)'],
  ['at least *', 'कम से कम *'],
  ['at most *', 'अधिकतम *'],
  ['a string', 'टेक्स्ट'],
  ['a number', 'संख्या'],
  ['a whole number', 'पूर्ण संख्या'],
  ['true or false', 'true या false'],
  ['an array', 'सूची'],
  ['an object', 'ऑब्जेक्ट'],
  ['a date and a time of day', 'तारीख और समय'],
  ['A document must have an https address', 'दस्तावेज़ का पता https होना चाहिए'],
  ['A document must lie at a public host', 'दस्तावेज़ का पता इंटरनेट पर सबके लिए खुला होना चाहिए'],
  ['A document must have at most 10 MiB', 'दस्तावेज़ अधिकतम 10 MiB का होना चाहिए'],
  ['A document must be a PDF', 'दस्तावेज़ PDF होना चाहिए'],
  ['The address of the document cannot be reached', 'दस्तावेज़ के पते से संपर्क नहीं हो पाया'],
  ['The address of the document cannot be reached: *', 'दस्तावेज़ के पते से संपर्क नहीं हो पाया: *'],
  [
    'The address of the document leads through more than * redirects',
    'दस्तावेज़ का पता * से ज़्यादा बार दूसरे पते पर भेजता है',
  ],
  ['The address of the document answered *', 'दस्तावेज़ के पते से जवाब मिला: *'],
  ['The address of the document redirects to an invalid address', 'दस्तावेज़ का पता एक गलत पते पर भेजता है'],
  // After all that have an "or" of their own.
  ['* or *', '* या *'],
]

const patterns = PHRASES.map(([english, hindi]) => ({
  pattern: new RegExp(`^${RegExp.escape(english).replaceAll(String.raw`\*`, '(.+?)')}$`),
  hindi,
}))

/** Maps a phrase to Hindi; one that the table does not have stays as it is. */
export function toHindiPhrase(english: string): string {
  for (const { pattern, hindi } of patterns) {
    const [whole, ...values] = english.match(pattern) ?? []
    if (whole !== undefined) return fill(hindi, values)
  }
  return english
}

/** Puts the values where the stars are; one that is a phrase itself is translated too. */
function fill(hindi: string, values: string[]) {
  const rest = values.values()
  return hindi.replaceAll('*', () => toHindiPhrase(rest.next().value ?? ''))
}
