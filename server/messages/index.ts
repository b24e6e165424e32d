import Negotiator from 'negotiator'
import { en } from './en'
import { hi } from './hi'
import { rules, type Rule } from './rules'

export type { Rule } from './rules'

// What a client is told, in each language. Names of fields, codes and states are the same in all of them.

type English = typeof en
/** Reasons with a sentence of their own: the rules of a schema make those of `invalid_fields`. */
export type NamedReason = keyof English

/** A sentence for each reason, with the parameters of the English one; a missing sentence does not compile. */
export type Catalogue = {
  [R in NamedReason]: English[R] extends (params: infer Params) => string
    ? (params: Params) => string
    : string
}
/** What the sentence of a reason depends on. */
export type ParamsOf<R extends NamedReason> = English[R] extends (params: infer Params) => string
  ? Params
  : undefined

const catalogues: Record<Language, Catalogue> = { en, hi }
const LANGUAGES = ['en', 'hi'] as const

export type Language = (typeof LANGUAGES)[number]
/** A text that is known in every language. */
export type Text = (language: Language) => string

/** Reads `Accept-Language`; a language that is not spoken here is answered in English. */
export function readLanguage({ headers }: Request): Language {
  const header = headers.get('accept-language') ?? ''
  // Most requests ask for English, or for nothing.
  if (!/\bhi\b/i.test(header)) return 'en'
  const preferred = new Negotiator({ headers: { 'accept-language': header } }).language([...LANGUAGES])
  return preferred === 'hi' ? 'hi' : 'en'
}

export function toText<R extends NamedReason>(reason: R, params: ParamsOf<R>): Text {
  return language => {
    const sentence = catalogues[language][reason] as string | ((given: ParamsOf<R>) => string)
    return typeof sentence === 'string' ? sentence : sentence(params)
  }
}

/** The rule that a field breaks, without the field's name. */
export function toRuleText(rule: Rule): Text {
  return language => {
    const sentence = rules[language][rule.kind] as string | ((given: Rule) => string)
    return typeof sentence === 'string' ? sentence : sentence(rule)
  }
}
