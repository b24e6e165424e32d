import type { Language } from '@kiraya/sdk/contract'
import { results as words } from './catalogue'

/** The English messages of successful results. Services return these. */
export const results = Object.fromEntries(
  Object.entries(words).map(([name, [english]]) => [name, english]),
) as Record<keyof typeof words, string>

const hindiByEnglish = new Map<string, string>(Object.values(words))

/**
 * Puts the message of a result into a language. A result that is stored for its Idempotency-Key is English, so a
 * repeated request gets it in its own language.
 */
export function translateResult<T extends { message: string }>(result: T, language: Language): T {
  return language === 'en' ? result : { ...result, message: translateText(result.message, language) }
}

/** The same of its message alone; another text stays as it is. */
export function translateText(text: string, language: Language) {
  return (language === 'hi' && hindiByEnglish.get(text)) || text
}

/** The result of a read: its message beside its data. */
export const toResult = async <T>(message: string, data: Promise<T>) => ({ message, data: await data })

/** The same of a page, whose data has metadata beside it. */
export const toPageResult = async <T extends object>(message: string, page: Promise<T>) => ({
  message,
  ...(await page),
})

export function hasMessage(result: unknown): result is { message: string } {
  return (
    typeof result === 'object' && result !== null && 'message' in result && typeof result.message === 'string'
  )
}
