import { ToWords as ToEnglishWords } from 'to-words/en-IN'
import { ToWords as ToHindiWords } from 'to-words/hi-IN'
import type { Language } from '@kiraya/sdk/contract'

const CRORE = 1_00_00_000

const english = new ToEnglishWords()
const hindi = new ToHindiWords()

const languages = {
  en: {
    toWords: (number: number) => english.convert(number),
    rupees: 'Rupees',
    crore: 'Crore',
    minus: 'Minus',
    and: 'and',
    paisa: 'Paisa',
    paise: 'Paise',
    only: 'Only',
  },
  hi: {
    toWords: (number: number) => hindi.convert(number),
    rupees: 'रुपये',
    crore: 'करोड़',
    minus: 'ऋण',
    and: 'और',
    paisa: 'पैसा',
    paise: 'पैसे',
    only: 'मात्र',
  },
} satisfies Record<Language, object>

/** Writes paise in words, by lakh and crore: Rupees Thirteen Thousand Seven Hundred Nine and Sixty Eight Paise Only. */
export function toAmountInWords(amount: number, language: Language): string {
  const words = languages[language]
  if (amount < 0) return `${words.minus} ${toAmountInWords(-amount, language)}`
  const remainder = amount % 100
  const whole = `${words.rupees} ${toWholeWords(Math.floor(amount / 100), words)}`
  if (remainder === 0) return `${whole} ${words.only}`
  const unit = remainder === 1 ? words.paisa : words.paise
  return `${whole} ${words.and} ${words.toWords(remainder)} ${unit} ${words.only}`
}

/** Counts in crore what the libraries count in arab, a word that is not used of money. */
function toWholeWords(amount: number, words: (typeof languages)[Language]): string {
  if (amount < CRORE) return words.toWords(amount)
  const rest = amount % CRORE
  const head = `${toWholeWords(Math.floor(amount / CRORE), words)} ${words.crore}`
  return rest === 0 ? head : `${head} ${words.toWords(rest)}`
}
