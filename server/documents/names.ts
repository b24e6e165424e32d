import type { Language } from '@kiraya/sdk/contract'
import { maskPhone } from '../domain/formats'
import { getWords } from '../messages'
import { NAME_NOT_SHOWN } from '../messages/profile'
import { REPLACEMENT_CHARACTER, toPlainText } from './plain-text'

/** Pictures, flags and keys are no letters of a name. */
const PICTURES =
  /(?!\p{ASCII})[\p{Extended_Pictographic}\p{Regional_Indicator}\u{1F3FB}-\u{1F3FF}]\uFE0F?|.\uFE0F?\u20E3/gu

const toLetters = (name: string) => name.replaceAll(PICTURES, '').replaceAll(/\s+/g, ' ').trim()

/** Whether documents show all letters of a name. */
export function isNameShown(name: string) {
  const letters = toLetters(name)
  return letters !== '' && !toPlainText(letters).includes(REPLACEMENT_CHARACTER)
}

/** Returns a name as documents show it; if they cannot, the phone number says who is meant. */
export function toShownName(name: string, phone: string | null | undefined, language: Language = 'en') {
  if (isNameShown(name)) return toLetters(name)
  const note = getWords(NAME_NOT_SHOWN, language)
  return phone ? `${maskPhone(phone)} (${note})` : note
}
