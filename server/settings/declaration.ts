import type { AdapterSetting, AdapterSettings } from '../providers/signing/port'
import { parsePattern, parseText, parseWebUrl, type Parser } from './parsers'

/** How a setting is read, its default, and its meaning; a test compares them with the README. */
export function setting<T, D extends string | undefined = undefined>(
  parse: Parser<T>,
  meaning: string,
  defaultText?: D,
) {
  return { parse, meaning, defaultText: defaultText as D }
}

/** How the text of an adapter's setting is read. */
const parserByFormat: Record<NonNullable<AdapterSetting['format']>, Parser<string>> = {
  url: parseWebUrl,
  'header-name': parsePattern(/^[a-z0-9-]+$/i, 'the name of a header'),
}

export function toAdapterSettings<S extends AdapterSettings>(adapterSettings: S) {
  const entries = Object.entries(adapterSettings).map(([name, { format, meaning, defaultText }]) => [
    name,
    setting(format ? parserByFormat[format] : parseText, meaning, defaultText),
  ])
  return Object.fromEntries(entries) as {
    [K in keyof S]: {
      parse: Parser<string>
      meaning: string
      defaultText: S[K] extends { defaultText: string } ? string : undefined
    }
  }
}
