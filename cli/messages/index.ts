import { en } from './en'
import { hi } from './hi'

type English = typeof en
export type MessageKey = keyof English
/** A sentence that depends on nothing. */
export type PlainKey = { [K in MessageKey]: English[K] extends string ? K : never }[MessageKey]

/** A sentence for each key, with the parameters of the English one; a missing sentence does not compile. */
export type Catalogue = {
  [K in MessageKey]: English[K] extends (params: infer Params) => string ? (params: Params) => string : string
}
/** A parameter may be a sentence itself. */
type Given<Params> = { [Name in keyof Params]: Params[Name] extends string ? Text : Params[Name] }
type ParamsOf<K extends MessageKey> = English[K] extends (params: infer Params) => string
  ? [params: Given<Params>]
  : []

export type Language = 'en' | 'hi'
/** A text that is known in every language; a plain one is the same in all of them. */
export type Text = string | ((language: Language) => string)

const catalogues: Record<Language, Catalogue> = { en, hi }

/** Reads the language of the messages, such as `hi_IN.UTF-8`, in the order of POSIX. */
export function readLanguage({ LC_ALL, LC_MESSAGES, LANG }: Record<string, string | undefined>): Language {
  // An empty variable counts as not set.
  const locale = LC_ALL || LC_MESSAGES || LANG || ''
  return /^hi([_.@-]|$)/i.test(locale) ? 'hi' : 'en'
}

/** Whether there is a sentence for a key, such as one that is made of a word of a response. */
export function isMessageKey(key: string): key is MessageKey {
  return Object.hasOwn(en, key)
}

export function say<K extends MessageKey>(key: K, ...[params]: ParamsOf<K>): (language: Language) => string {
  return language => {
    const sentence = catalogues[language][key] as string | ((plain: Record<string, unknown>) => string)
    return typeof sentence === 'string' ? sentence : sentence(toPlainParams(params ?? {}, language))
  }
}

function toPlainParams(params: Record<string, unknown>, language: Language) {
  const entries = Object.entries(params).map(([name, value]) => {
    const isSentence = typeof value === 'function'
    return [name, isSentence ? toSentence(value as Text, language) : value]
  })
  return Object.fromEntries(entries)
}

export const toSentence = (text: Text, language: Language) =>
  typeof text === 'string' ? text : text(language)
