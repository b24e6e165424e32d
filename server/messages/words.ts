import type { Language } from '@kiraya/sdk/contract'

/** Texts of a word or a line, which need no sentence of their own. */
export type Words = readonly [english: string, hindi: string]

export const getWords = ([english, hindi]: Words, language: Language) => (language === 'hi' ? hindi : english)

/** A text that is known in every language. */
export type Text = (language: Language) => string
