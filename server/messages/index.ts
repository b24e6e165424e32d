import Negotiator from 'negotiator'
import { Language } from '@kiraya/sdk/contract'
import type { Catalogue, NamedReason, ParamsOf } from './catalogue'
import { en } from './en'
import { hi } from './hi'
import type { Text } from './words'

export { getWords } from './words'
export type { Catalogue, NamedReason, ParamsOf } from './catalogue'
export type { Text, Words } from './words'
export { toViolationText, wholeRequest, type ViolatedRule } from './violations'

// What a client is told, in each language. Names of fields, codes and states are the same in all of them.

const catalogues: Record<Language, Catalogue> = { en, hi }

/** Reads `Accept-Language`; a language that is not spoken here is answered in English. */
export function readLanguage({ headers }: Request): Language {
  const header = headers.get('accept-language') ?? ''
  // Most requests ask for English, or for nothing.
  if (!/\bhi\b/i.test(header)) return 'en'
  const preferred = new Negotiator({ headers: { 'accept-language': header } }).language([...Language.enum])
  return preferred === 'hi' ? 'hi' : 'en'
}

export function toText<R extends NamedReason>(reason: R, params: ParamsOf<R>): Text {
  return language => {
    const sentence = catalogues[language][reason] as string | ((given: ParamsOf<R>) => string)
    return typeof sentence === 'string' ? sentence : sentence(params)
  }
}
