import type { Language } from '@kiraya/sdk/contract'
import { readLanguage } from '../../messages'
import { hasMessage, translateResult } from '../../messages/results'
import { translateWarnings } from '../../messages/warnings'

type Headers = Record<string, string | number | undefined>

/** Tells clients and caches which language a response has, and that it depends on the request. */
export function nameLanguage(headers: Headers, language: Language) {
  headers['content-language'] = language
  // The origin's plugin may have named another header.
  const { vary } = headers
  headers.vary = vary ? `${vary}, Accept-Language` : 'Accept-Language'
}

/** Puts the message of a result into the language of the request. Results without one have no language. */
export function translateMessage(request: Request, headers: Headers, result: unknown) {
  if (!hasMessage(result)) return result
  const language = readLanguage(request)
  nameLanguage(headers, language)
  return translateWarnings(translateResult(result, language), language)
}
