import { ToWords } from 'to-words/en-IN'

const CRORE = 1_00_00_000

const toWords = new ToWords()

/** Writes paise in words, by lakh and crore: Rupees Thirteen Thousand Seven Hundred Nine and Sixty Eight Paise Only. */
export function toAmountInWords(amount: number) {
  const remainder = amount % 100
  const whole = `Rupees ${toWholeWords(Math.floor(amount / 100))}`
  if (remainder === 0) return `${whole} Only`
  return `${whole} and ${toWords.convert(remainder)} ${remainder === 1 ? 'Paisa' : 'Paise'} Only`
}

/** Counts in crore what the library counts in arab, a word that is not used of money. */
function toWholeWords(amount: number): string {
  if (amount < CRORE) return toWords.convert(amount)
  const rest = amount % CRORE
  const head = `${toWholeWords(Math.floor(amount / CRORE))} Crore`
  return rest === 0 ? head : `${head} ${toWords.convert(rest)}`
}
