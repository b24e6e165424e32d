import { expect, test } from 'bun:test'
import { getDocumentProxy } from 'unpdf'
import { toPlainText } from '../../../server/documents/plain-text'
import { renderDocument } from '../../../server/documents/render'
import { readPdfText } from '../../support/pdf'
import { receipt } from './data'

const RIGHT_MARGIN = 595.28 - 56

/** A receipt with a text everywhere that a person writes one. */
const renderWith = (text: string) =>
  renderDocument('receipt', {
    ...receipt,
    payer: text,
    reference: text,
    parties: { ...receipt.parties, landlord: text, unit_name: text, address: text },
    settled: [{ ...receipt.settled[0]!, description: text }],
  })

/** The places of texts that go beyond the right margin, in points. */
async function findBeyondMargin(bytes: Uint8Array) {
  const page = await (await getDocumentProxy(Uint8Array.from(bytes))).getPage(1)
  const { items } = await page.getTextContent()
  const ends = items.map(item => ('width' in item ? item.transform[4] + item.width : 0))
  return ends.filter(end => end > RIGHT_MARGIN + 0.5)
}

const scripts: [script: string, text: string][] = [
  ['Latin', 'Zoë D’Souza, Łódź'],
  ['Devanagari', 'ज्ञानेश्वर क्षत्रिय'],
  ['Bengali', 'শ্রী চট্টোপাধ্যায়'],
  ['Gurmukhi', 'ਗੁਰਪ੍ਰੀਤ ਸਿੰਘ'],
  ['Gujarati', 'જ્ઞાનેશ પટેલ'],
  ['Odia', 'ଜଗନ୍ନାଥ ପଣ୍ଡା'],
  ['Tamil', 'தமிழ்ச்செல்வி'],
  ['Telugu', 'శ్రీనివాస్ రెడ్డి'],
  ['Kannada', 'ಕೃಷ್ಣಮೂರ್ತಿ'],
  ['Malayalam', 'ശ്രീകൃഷ്ണൻ'],
  ['Ol Chiki', 'ᱥᱟᱱᱛᱟᱲᱤ'],
  ['Meetei Mayek', 'ꯃꯤꯇꯩ'],
  ['Chakma', '𑄌𑄇𑄟 𑄛𑄢'],
  ['Tibetan', 'དོན་གྲུབ'],
]

test.each(scripts)(
  '%s: a text has its signs, and long words of it stay within the margins',
  async (_, text) => {
    const bytes = await renderWith(text)
    expect((await readPdfText(bytes)).replaceAll(' ', '')).toContain(text.replaceAll(' ', ''))
    expect(await findBeyondMargin(await renderWith(text.replaceAll(' ', '').repeat(40)))).toEqual([])
  },
)

test('Urdu: a text is drawn from right to left, and long words of it stay within the margins', async () => {
  const drawn = [...'محمدعلی'].toReversed().join('')
  expect((await readPdfText(await renderWith('محمد علی'))).replaceAll(' ', '')).toContain(drawn)
  expect(await findBeyondMargin(await renderWith('محمدعلی'.repeat(40)))).toEqual([])
})

test('marks that are stacked do not reach the line above', () => {
  expect(toPlainText(`a${'\u0301'.repeat(9)}b`)).toBe(`a${'\u0301'.repeat(6)}\uFFFDb`)
})

test('a phrase in one letter is written in words', () => {
  expect(toPlainText('abﷺ')).toBe('abصلى الله عليه وسلم')
})

test('long words break after their signs, or anywhere', async () => {
  for (const text of ['W'.repeat(400), 'part-of/a,word'.repeat(30), 'i'.repeat(400)])
    expect(await findBeyondMargin(await renderWith(text))).toEqual([])
})

test.each([
  ['controls', 'ab\u0000c\u0007d\u009Fe', 'ab\uFFFDc\uFFFDd\uFFFDe'],
  ['line ends and tabs', 'ab\r\n\tcd', 'ab cd'],
  ['marks that change the direction', 'ab\u202Edc\u2066', 'ab\uFFFDdc\uFFFD'],
  ['half characters', 'ab\uD800c\uDC00', 'ab\uFFFDc\uFFFD'],
  ['joiners', 'क्\u200Dष', 'क्\u200Dष'],
  ['invisible tags', 'ab\u{E0041}cd', 'ab\uFFFDcd'],
  ['private characters', 'ab\uE000cd\u{10FFFF}', 'ab\uFFFDcd\uFFFD'],
  ['full-width and other forms of letters', 'Ａｓｈａ 𝐑𝐚𝐨 ①', 'Asha Rao 1'],
  ['a phrase in one letter', 'ab﷽cd', 'ab\uFFFDcd'],
  ['letters without a font', 'ab 山田 cd 👩 ☺️', 'ab \uFFFD\uFFFD cd \uFFFD \uFFFD'],
  ['markup', '<b>&amp;</b> #eval("1") *x* $y$ \\', '<b>&amp;</b> #eval("1") *x* $y$ \\'],
])('%s: a mark replaces what cannot be shown, and the rest stays', async (_, text, shown) => {
  expect(toPlainText(text)).toBe(shown)
  expect(await readPdfText(await renderWith(text))).toContain(`Received from ${shown}`)
})

test('the same data gives the same bytes, at any time and after any other; other data gives others', async () => {
  const first = await renderWith('Asha')
  const [other, again] = await Promise.all([renderWith('শ্রী'), renderWith('Asha')])
  expect(Buffer.compare(again, first)).toBe(0)
  expect(Buffer.compare(other, first)).not.toBe(0)
})

test('a document embeds only the fonts that it uses, and each heading of a table is that of its column', async () => {
  const latin = Buffer.from(await renderDocument('sampleLease', {}))
  expect(latin.includes('NotoSans-Regular')).toBeTrue()
  expect(latin.includes('NotoSansBengali')).toBeFalse()
  expect(Buffer.from(await renderWith('শ্রী')).includes('NotoSansBengali')).toBeTrue()
})
