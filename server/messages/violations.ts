import { Kind } from '@sinclair/typebox'
import { Month, Otp, Pan, PhoneNumber, PinCode, PositiveId, Texts, type Format } from '@kiraya/sdk/contract'
import type { Words } from './words'

// What a 400 says of a field, by the rule that it breaks, in English and in Hindi.

/** A schema of the contract: its keywords are what a sentence depends on. */
type Schema = Record<string | symbol, any>
type Describe = (schema: Schema) => Words

/** What takes the place of the field's name if the request as a whole breaks a rule. */
export const wholeRequest: Words = ['the request', 'अनुरोध']

/** What follows the name of a field, by the rule that it breaks. */
export const violations = {
  max_length: ({ maxLength }) => [
    `must be at most ${maxLength} characters long`,
    `में अधिकतम ${maxLength} अक्षर दें`,
  ],
  min_length: ({ minLength }) => [
    `must be at least ${minLength} characters long`,
    `में कम से कम ${minLength} अक्षर दें`,
  ],
  max_items: ({ maxItems }) => [`must have at most ${maxItems} items`, `में अधिकतम ${maxItems} चीज़ें दें`],
  min_items: ({ minItems }) => [`must have at least ${minItems} item`, `में कम से कम ${minItems} चीज़ दें`],
  unique_items: () => ['must not contain duplicates', 'में एक ही चीज़ दो बार न दें'],
  minimum: ({ minimum }) => [`must be at least ${minimum}`, `में कम से कम ${minimum} दें`],
  maximum: ({ maximum }) => [`must be at most ${maximum}`, `में अधिकतम ${maximum} दें`],
  is_required: schema => {
    const [english, hindi] = describeValue(schema)
    return [`is required and must be ${english}`, `देना ज़रूरी है: ${hindi}`]
  },
  wrong_value: schema => {
    const [english, hindi] = describeValue(schema)
    return [`must be ${english}`, `में ${hindi} दें`]
  },
} satisfies Record<string, Describe>

export type ViolatedRule = keyof typeof violations

/** The same beside a label: in Hindi a sentence may begin with what joins it to the name. */
export const withoutName = ([english, hindi]: Words): Words => [english, hindi.replace(/^(में|को) /, '')]

/** The contract describes a value in English, unless its type says enough. */
const described =
  (toHindi: (schema: Schema) => string, type?: string): Describe =>
  schema => [schema.description ?? type, toHindi(schema)]

const line = described(({ maxLength }) => `1 से ${maxLength} अक्षरों का टेक्स्ट`)

const formats: Record<Format, Describe> = {
  text: line,
  paragraphs: line,
  printable: described(({ maxLength }) => `अधिकतम ${maxLength} अक्षरों का टेक्स्ट`),
  secret: described(({ minLength = 1, maxLength }) => `${minLength} से ${maxLength} अक्षरों का पासवर्ड`),
  mailbox: described(({ maxLength }) => `सही ईमेल पता (अधिकतम ${maxLength} अक्षर)`),
  'web-address': described(({ maxLength }) => `http या https पता (अधिकतम ${maxLength} अक्षर)`),
  'agreement-number': described(
    ({ maxLength }) =>
      `अधिकतम ${maxLength} अक्षर, अंक, खाली जगह, डैश, स्लैश या बिंदु, जो वेब पते या फ़ोन नंबर जैसे न लगें (बिंदु के बाद अक्षर न हो)`,
  ),
  'calendar-date': described(() => 'कैलेंडर की सही तारीख (YYYY-MM-DD)'),
  'fiscal-year': described(() => 'अप्रैल से मार्च का साल, जैसे 2026-27'),
  instant: described(() => 'टाइम ज़ोन के साथ समय (जैसे 2027-01-01T00:00:00Z)'),
  'record-uuid': described(() => 'UUID'),
}

/** Schemas of which words say more than their kind. */
const schemas: Record<string, Describe> = {
  [Month.description!]: described(() => 'एक महीना, YYYY-MM'),
  [Otp.description!]: described(() => 'ठीक 6 अंक'),
  [Pan.description!]: described(() => 'सही पैन (जैसे ABCPE1234F): पाँच अक्षर, फिर चार अंक और एक अक्षर'),
  [PhoneNumber.description!]: described(() => 'सही भारतीय मोबाइल नंबर (10 अंक, पहला अंक 6 से 9)'),
  [PinCode.description!]: described(() => 'सही पिन कोड (छह अंकों की संख्या, जो 0 से शुरू न हो)'),
  [PositiveId.description!]: described(() => 'रिकॉर्ड की आईडी (संख्या)'),
  [Texts.description!]: described(({ maxItems }) => `अधिकतम ${maxItems} टेक्स्ट की सूची`),
}

/** What the kind of a schema and its limits say. */
const kinds: Record<string, Describe> = {
  String: described(() => 'टेक्स्ट', 'a string'),
  Boolean: described(() => 'true या false', 'true or false'),
  Number: described(() => 'संख्या', 'a number'),
  Integer: described(({ minimum, maximum }) => `${minimum} से ${maximum} तक की पूर्ण संख्या`, 'a whole number'),
  Decimal: described(({ minimum, exclusiveMinimum, maximum }) =>
    minimum === undefined
      ? `${exclusiveMinimum} से ज़्यादा और ${maximum} तक की संख्या (दशमलव के बाद अधिकतम दो अंक)`
      : `${minimum} से ${maximum} तक की संख्या (दशमलव के बाद अधिकतम दो अंक)`,
  ),
  Literal: described(schema => String(schema.const)),
  Union: described(({ anyOf }) => `इनमें से एक मान (${anyOf.map((each: Schema) => each.const).join(', ')})`),
  Array: described(({ minItems, maxItems }) =>
    minItems === undefined
      ? `अधिकतम ${maxItems} चीज़ों की सूची`
      : `${minItems} से ${maxItems} अलग-अलग आईडी की सूची`,
  ),
  Record: described(
    ({ maxProperties }) =>
      `अधिकतम ${maxProperties} टेक्स्ट, हर एक ऐसे नाम के साथ जिसमें केवल अक्षर, अंक, खाली जगह, बिंदु और डैश हों`,
  ),
  Object: described(() => 'ऑब्जेक्ट', 'an object'),
}

/** What a field of the schema accepts. */
export function describeValue(schema: Schema) {
  const describe =
    formats[schema.format as Format] ?? schemas[schema.description] ?? kinds[schema[Kind] as string]
  return describe!(schema)
}
