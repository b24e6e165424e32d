/** How people write the words of a field, beside the words themselves. Blanks and marks do not count. */
const meanings: Record<string, Record<string, string>> = {
  room_type: {
    '1rk': 'studio',
    '1bhk': '1bedroom 1br',
    '2bhk': '2bedroom 2bedrooms 2br',
    '3bhk': '3bedroom 3bedrooms 3br',
  },
  furnishing_type: {
    fully_furnished: 'f ff full fully furnished',
    semi_furnished: 's sf semi',
    unfurnished: 'u uf un non nonfurnished bare none',
  },
  property_type: {
    apartment: 'flat flats apartments फ्लैट',
    gated_community_villa: 'villa villas',
    independent_house: 'house bungalow मकान',
    commercial: 'shop shops office godown दुकान',
    pg: 'hostel payingguest coliving पीजी',
  },
  method: {
    cash: 'नकद',
    upi: 'gpay googlepay phonepe paytm bhim यूपीआई',
    bank_transfer: 'bank transfer neft rtgs imps netbanking online',
    cheque: 'chq check dd चेक',
  },
  floor_number: {
    '-1': 'b basement',
    0: 'g gf ground groundfloor भूतल',
    1: 'f ff first firstfloor पहली पहलीमंजिल',
    2: 's sf second secondfloor दूसरी दूसरीमंजिल',
    3: 't tf third thirdfloor तीसरी तीसरीमंजिल',
    4: 'fourth fourthfloor',
    5: 'fifth fifthfloor',
  },
  boolean: { true: 'y yes allowed हाँ हां ✓ ✔', false: 'n no notallowed नहीं ✗ ✘' },
}

const toWord = (text: string) => text.toLowerCase().replaceAll(/[\p{Z}\p{P}]/gu, '')

/** Returns which of the words of a field is meant. `-1` is a word with a mark of its own. */
export function findWord(name: string, text: string, choices?: readonly string[]): string | undefined {
  const others = meanings[name] ?? {}
  const word = toWord(text)
  return (choices ?? Object.keys(others)).find(choice =>
    [...(choices ? [toWord(choice)] : []), ...(others[choice]?.split(' ') ?? [])].includes(word),
  )
}
