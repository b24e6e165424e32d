import { expect, test } from 'bun:test'
import { toPaise } from '../../../server/domain/money'
import { toAmountInWords } from '../../../server/domain/amount-in-words'

test.each([
  [13_709.68, 'Rupees Thirteen Thousand Seven Hundred Nine and Sixty Eight Paise Only'],
  [25_000, 'Rupees Twenty Five Thousand Only'],
  [1, 'Rupees One Only'],
  [1.01, 'Rupees One and One Paisa Only'],
  [0.5, 'Rupees Zero and Fifty Paise Only'],
  [0, 'Rupees Zero Only'],
  [-1_00_000, 'Minus Rupees One Lakh Only'],
  [100.1, 'Rupees One Hundred and Ten Paise Only'],
  [1_00_000, 'Rupees One Lakh Only'],
  [2_75_376.35, 'Rupees Two Lakh Seventy Five Thousand Three Hundred Seventy Six and Thirty Five Paise Only'],
  [99_99_999, 'Rupees Ninety Nine Lakh Ninety Nine Thousand Nine Hundred Ninety Nine Only'],
  [1_00_00_000, 'Rupees One Crore Only'],
  [1_00_00_001.02, 'Rupees One Crore One and Two Paise Only'],
  [12_50_00_000, 'Rupees Twelve Crore Fifty Lakh Only'],
  [250_00_00_000, 'Rupees Two Hundred Fifty Crore Only'],
  [
    9_999_999_999.99,
    'Rupees Nine Hundred Ninety Nine Crore Ninety Nine Lakh Ninety Nine Thousand Nine Hundred Ninety Nine and Ninety Nine Paise Only',
  ],
  [
    9_99_99_00_00_000.99,
    'Rupees Ninety Nine Thousand Nine Hundred Ninety Nine Crore and Ninety Nine Paise Only',
  ],
])('%p in words', (rupees, words) => {
  expect(toAmountInWords(toPaise(rupees), 'en')).toBe(words)
})

test.each([
  [0, 'रुपये शून्य मात्र'],
  [-68_800, 'ऋण रुपये अड़सठ हज़ार आठ सौ मात्र'],
  [68_800, 'रुपये अड़सठ हज़ार आठ सौ मात्र'],
  [1.01, 'रुपये एक और एक पैसा मात्र'],
  [250_00_00_000.5, 'रुपये दो सौ पचास करोड़ और पचास पैसे मात्र'],
])('%p in Hindi words', (rupees, words) => {
  expect(toAmountInWords(toPaise(rupees), 'hi')).toBe(words)
})
