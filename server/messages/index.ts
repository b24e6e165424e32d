import Negotiator from 'negotiator'
import { Language } from '@kiraya/sdk/contract'

export { toWords, type ParamsOf } from './catalogue'
export { getWords, type NamedReason, type Words } from './words'
export { toLabel } from './labels'
export { violations, wholeRequest, withoutName, type ViolatedRule } from './violations'

/** Reads `Accept-Language`; a language that is not spoken here is answered in English. */
export function readLanguage({ headers }: Request): Language {
  const header = headers.get('accept-language') ?? ''
  // Most requests ask for English, or for nothing.
  if (!/\bhi\b/i.test(header)) return 'en'
  const preferred = new Negotiator({ headers: { 'accept-language': header } }).language([...Language.enum])
  return preferred === 'hi' ? 'hi' : 'en'
}
