import type { Warning, WarningCode, Language } from '@kiraya/sdk/contract'
import { warnings } from './catalogue'
import { getWords } from './words'

/** A warning is stored in English, as a result is. */
export const toWarning = (code: WarningCode, language: Language = 'en'): Warning => ({
  code,
  message: getWords(warnings[code], language),
})

/** Puts the warnings of a result into a language; a result without them stays as it is. */
export function translateWarnings<T extends object>(result: T, language: Language): T {
  if (!hasWarnings(result)) return result
  return { ...result, warnings: result.warnings.map(({ code }) => toWarning(code, language)) }
}

function hasWarnings(result: object): result is { warnings: Warning[] } {
  return 'warnings' in result && Array.isArray(result.warnings)
}
