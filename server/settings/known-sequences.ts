/** Six digits that people choose: keys in a row or column of a keypad, dates and famous numbers. */
const FAVOURITES = new Set(
  (
    '010203 102030 112358 123654 142536 142857 147258 147852 147896 159357 159753 161803 192837 246813 ' +
    '258456 271828 314159 321654 357159 369258 456123 456852 654123 741258 741852 753159 789123 789456 ' +
    '789654 852456 852963 963258 963852 987456'
  ).split(' '),
)

/** Fewer different digits than this are few to guess: those of repeated blocks, pairs and mirror images. */
const MIN_DIFFERENT_DIGITS = 4

/** Whether six digits are among the first that someone guesses. */
export function isKnownSequence(digits: string) {
  const hasFewDigits = new Set(digits).size < MIN_DIFFERENT_DIGITS
  return hasFewDigits || hasConstantStep(digits) || FAVOURITES.has(digits)
}

/** Whether each digit is as far from the previous one as the next, as in 123456, 864208 and 890123. */
function hasConstantStep(digits: string) {
  const steps = [...digits].slice(1).map((digit, index) => (10 + Number(digit) - Number(digits[index])) % 10)
  return new Set(steps).size === 1
}
