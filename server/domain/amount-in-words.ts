import { ToWords as EnglishWords } from 'to-words/en-IN'
import { ToWords as HindiWords } from 'to-words/hi-IN'

const CRORE = 1_00_00_000

type Language = 'en' | 'hi'

const TEXTS = {
  en: {
    words: new EnglishWords(),
    rupees: 'Rupees',
    crore: 'Crore',
    and: 'and',
    paisa: 'Paisa',
    paise: 'Paise',
    only: 'Only',
  },
  hi: {
    words: new HindiWords(),
    rupees: 'रुपये',
    crore: 'करोड़',
    and: 'और',
    paisa: 'पैसा',
    paise: 'पैसे',
    only: 'मात्र',
  },
}

/** Writes paise in words, by lakh and crore: Rupees Thirteen Thousand Seven Hundred Nine and Sixty Eight Paise Only. */
export function toAmountInWords(amount: number, language: Language = 'en') {
  const { words, rupees, and, paisa, paise, only } = TEXTS[language]
  const remainder = amount % 100
  const whole = [rupees, toWholeWords(Math.floor(amount / 100), language)]
  if (remainder === 0) return [...whole, only].join(' ')
  return [...whole, and, words.convert(remainder), remainder === 1 ? paisa : paise, only].join(' ')
}

/** Counts in crore what the library counts in arab, a word that is not used of money. */
function toWholeWords(amount: number, language: Language): string {
  const { words, crore } = TEXTS[language]
  if (amount < CRORE) return words.convert(amount)
  const rest = amount % CRORE
  const head = `${toWholeWords(Math.floor(amount / CRORE), language)} ${crore}`
  return rest === 0 ? head : `${head} ${words.convert(rest)}`
}
