import { toHindiPhrase } from './hi-phrases'

/** What each kind of rule says after the name of a field; `expected` is a description of the contract. */
const en = {
  request: 'the request',
  max_length: ({ limit }: Limit) => `must be at most ${limit} characters long`,
  min_length: ({ limit }: Limit) => `must be at least ${limit} characters long`,
  max_items: ({ limit }: Limit) => `must have at most ${limit} items`,
  min_items: ({ limit }: Limit) => `must have at least ${limit} item`,
  unique_items: 'must not contain duplicates',
  missing: 'is required',
  missing_value: ({ expected }: Expected) => `is required and must be ${expected}`,
  value: ({ expected }: Expected) => `must be ${expected}`,
  other: ({ expected }: Expected) => expected,
}

type Limit = { limit: number }
type Expected = { expected: string }

const hi: typeof en = {
  request: 'अनुरोध',
  max_length: ({ limit }) => `में अधिकतम ${limit} अक्षर दें`,
  min_length: ({ limit }) => `में कम से कम ${limit} अक्षर दें`,
  max_items: ({ limit }) => `में अधिकतम ${limit} चीज़ें दें`,
  min_items: ({ limit }) => `में कम से कम ${limit} चीज़ दें`,
  unique_items: 'में एक ही चीज़ दो बार न दें',
  missing: 'देना ज़रूरी है',
  missing_value: ({ expected }) => `देना ज़रूरी है: ${toHindiPhrase(expected)}`,
  value: ({ expected }) => `में ${toHindiPhrase(expected)} दें`,
  other: ({ expected }) => toHindiPhrase(expected),
}

export const rules = { en, hi }

/** The kinds of rules, and what their sentences depend on. */
export type Rule = {
  [K in keyof typeof en]: (typeof en)[K] extends (given: infer Given) => string
    ? { kind: K } & Given
    : { kind: K }
}[keyof typeof en]
