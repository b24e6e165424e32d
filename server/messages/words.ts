import type { ErrorReason, Language, WarningCode } from '@kiraya/sdk/contract'

/** A text in both languages. Names of fields, headers, settings, states and codes are the same in Hindi. */
export type Words = readonly [english: string, hindi: string]

/** Reasons with a sentence of their own: the rules of a schema make those of `invalid_fields`. */
export type NamedReason = Exclude<ErrorReason, 'invalid_fields'>

/** Words, or a function of what they depend on. */
export type Sentence = Words | ((params: never) => Words)

/** Those of a `VALIDATION_ERROR` follow the name of a field. */
export type Errors = { [R in NamedReason]?: Sentence }
export type Results = Record<string, Words>
export type Warnings = { [C in WarningCode]?: Words }

export const getWords = ([english, hindi]: Words, language: Language) => (language === 'hi' ? hindi : english)

export const list = (items: readonly (number | string)[]) => items.join(', ')
