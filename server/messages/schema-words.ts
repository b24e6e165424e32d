import { Month, Otp, Pan, PhoneNumber, PinCode, PositiveId } from '@kiraya/sdk/contract'
import type { Language } from './catalogue'

/** A schema of the contract, which words of its own describe in English. */
export type Described = Record<string, any>

const TYPES: Record<Language, Record<string, string>> = {
  en: {
    string: 'a string',
    number: 'a number',
    integer: 'a whole number',
    boolean: 'true or false',
    array: 'an array',
    object: 'an object',
    null: 'null',
  },
  hi: {
    string: 'टेक्स्ट',
    number: 'संख्या',
    integer: 'पूर्ण संख्या',
    boolean: 'true या false',
    array: 'सूची',
    object: 'ऑब्जेक्ट',
    null: 'null',
  },
}
const OR: Record<Language, string> = { en: ' or ', hi: ' या ' }

/** Says what a schema accepts; undefined if it says nothing of its values. */
export function describe(schema: Described, language: Language): string | undefined {
  const words = language === 'en' ? schema.description : toHindi(schema)
  if (words || !schema.anyOf) return words ?? TYPES[language][schema.type]
  return schema.anyOf.map((part: Described) => describe(part, language)).join(OR[language])
}

const line = ({ maxLength }: Described) => `1 से ${maxLength} अक्षरों का टेक्स्ट`

const HINDI_BY_FORMAT: Record<string, (schema: Described) => string> = {
  text: line,
  paragraphs: line,
  printable: ({ maxLength }) => `अधिकतम ${maxLength} अक्षरों का टेक्स्ट`,
  secret: ({ minLength = 1, maxLength }) => `${minLength} से ${maxLength} अक्षरों का पासवर्ड`,
  mailbox: ({ maxLength }) => `सही ईमेल पता (अधिकतम ${maxLength} अक्षर)`,
  'web-address': ({ maxLength }) => `http या https पता (अधिकतम ${maxLength} अक्षर)`,
  'agreement-number': ({ maxLength }) =>
    `अधिकतम ${maxLength} अक्षर, अंक, खाली जगह, डैश, स्लैश या बिंदु, जो वेब पते या फ़ोन नंबर जैसे न लगें (बिंदु के बाद अक्षर न हो)`,
  'calendar-date': () => 'कैलेंडर की सही तारीख (YYYY-MM-DD)',
  'fiscal-year': () => 'अप्रैल से मार्च का साल, जैसे 2026-27',
  instant: () => 'टाइम ज़ोन के साथ समय (जैसे 2027-01-01T00:00:00Z)',
  'record-uuid': () => 'UUID',
}

/** Schemas whose limits say less than words do. */
const HINDI_BY_DESCRIPTION = new Map([
  [Month.description, 'एक महीना, YYYY-MM'],
  [Otp.description, 'ठीक 6 अंक'],
  [Pan.description, 'सही पैन (जैसे ABCPE1234F): पाँच अक्षर, फिर चार अंक और एक अक्षर'],
  [PhoneNumber.description, 'सही भारतीय मोबाइल नंबर (10 अंक, पहला अंक 6 से 9)'],
  [PinCode.description, 'सही पिन कोड (छह अंकों की संख्या, जो 0 से शुरू न हो)'],
  [PositiveId.description, 'रिकॉर्ड की आईडी (संख्या)'],
])

const HINDI_ITEMS: Record<string, string> = { string: 'टेक्स्ट', integer: 'आईडी', object: 'चीज़ों' }

function toHindi(schema: Described): string | undefined {
  const { description, format, type, minimum, maximum, maxItems, maxProperties } = schema
  const choices: unknown[] | undefined = schema.enum ?? schema.anyOf?.map((part: Described) => part.const)
  if (choices?.every(choice => choice !== undefined)) return `इनमें से एक मान (${choices.join(', ')})`
  if (schema.const !== undefined) return String(schema.const)
  if (format in HINDI_BY_FORMAT) return HINDI_BY_FORMAT[format]!(schema)
  if (description && HINDI_BY_DESCRIPTION.has(description)) return HINDI_BY_DESCRIPTION.get(description)
  if (maxItems !== undefined) return toHindiList(schema)
  if (maxProperties !== undefined)
    return `अधिकतम ${maxProperties} टेक्स्ट, हर एक ऐसे नाम के साथ जिसमें केवल अक्षर, अंक, खाली जगह, बिंदु और डैश हों`
  if (maximum === undefined) return undefined
  if (type === 'integer') return `${minimum} से ${maximum} तक की पूर्ण संख्या`
  const lowest = minimum === undefined ? `${schema.exclusiveMinimum} से ज़्यादा और` : `${minimum} से`
  return `${lowest} ${maximum} तक की संख्या (दशमलव के बाद अधिकतम दो अंक)`
}

function toHindiList({ minItems, maxItems, uniqueItems, items }: Described) {
  const count = minItems ? `${minItems} से ${maxItems}` : `अधिकतम ${maxItems}`
  return `${count}${uniqueItems ? ' अलग-अलग' : ''} ${HINDI_ITEMS[items.type] ?? 'मानों'} की सूची`
}
