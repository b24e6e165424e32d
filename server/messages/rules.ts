import { describe, type Described } from './schema-words'

/** What each kind of rule says after the name of a field. */
const en = {
  request: 'the request',
  max_length: ({ limit }: Limit) => `must be at most ${limit} characters long`,
  min_length: ({ limit }: Limit) => `must be at least ${limit} characters long`,
  max_items: ({ limit }: Limit) => `must have at most ${limit} items`,
  min_items: ({ limit }: Limit) => `must have at least ${limit} item`,
  unique_items: 'must not contain duplicates',
  minimum: ({ limit }: Limit) => `must be at least ${limit}`,
  maximum: ({ limit }: Limit) => `must be at most ${limit}`,
  missing: 'is required',
  missing_value: ({ schema }: Expected) => `is required and must be ${describe(schema, 'en')}`,
  value: ({ schema }: Expected) => `must be ${describe(schema, 'en')}`,
  invalid: 'is not valid',
}

type Limit = { limit: number }
type Expected = { schema: Described }

const hi: typeof en = {
  request: 'अनुरोध',
  max_length: ({ limit }) => `में अधिकतम ${limit} अक्षर दें`,
  min_length: ({ limit }) => `में कम से कम ${limit} अक्षर दें`,
  max_items: ({ limit }) => `में अधिकतम ${limit} चीज़ें दें`,
  min_items: ({ limit }) => `में कम से कम ${limit} चीज़ दें`,
  unique_items: 'में एक ही चीज़ दो बार न दें',
  minimum: ({ limit }) => `में कम से कम ${limit} दें`,
  maximum: ({ limit }) => `में अधिकतम ${limit} दें`,
  missing: 'देना ज़रूरी है',
  missing_value: ({ schema }) => `देना ज़रूरी है: ${describe(schema, 'hi')}`,
  value: ({ schema }) => `में ${describe(schema, 'hi')} दें`,
  invalid: 'सही नहीं है',
}

export const rules = { en, hi }

/** The kinds of rules, and what their sentences depend on. */
export type Rule = {
  [K in keyof typeof en]: (typeof en)[K] extends (given: infer Given) => string
    ? { kind: K } & Given
    : { kind: K }
}[keyof typeof en]
