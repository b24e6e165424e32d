import { inflateSync } from 'node:zlib'
import { describe, expect, test } from 'bun:test'
import { renderCertificate, type CertificateData } from '../../../server/agreements/certificate-pdf'
import { createCertificateData, landlord, openCertificate, removeSpaces, tenant } from './certificate-fixture'

const withLandlordName = (name: string): CertificateData => ({
  ...createCertificateData(),
  parties: [{ ...landlord, name }],
})

function withUnitName(unit_name: string): CertificateData {
  const data = createCertificateData()
  return { ...data, premises: { ...data.premises, unit_name } }
}

function listStreams(pdf: Buffer) {
  const starts = [...pdf.toString('latin1').matchAll(/FlateDecode[^]*?stream\r?\n/g)]
  return starts.flatMap(({ 0: { length }, index }) => {
    try {
      return [inflateSync(pdf.subarray(index + length)).toString('latin1')]
    } catch {
      return [] // a font
    }
  })
}

describe('scripts', () => {
  test.each([
    'क्षत्रिय श्री हिन्दी र्मि प्रद्युम्न',
    'শ্রী রবীন্দ্রনাথ চট্টোপাধ্যায়',
    'ਸ੍ਰੀ ਗੁਰਪ੍ਰੀਤ ਸਿੰਘ',
    'શ્રી નરેન્દ્ર ત્રિવેદી',
    'ଶ୍ରୀ ଜଗନ୍ନାଥ ପଟ୍ଟନାୟକ',
    'தமிழ் ஸ்ரீ கிருஷ்ணன்',
    'శ్రీ వెంకటేశ్వర',
    'ಲಕ್ಷ್ಮೀ ಜ್ಞಾನೇಶ್ವರ',
    'ശ്രീ രാധാകൃഷ്ണൻ',
    'ᱥᱟᱱᱛᱟᱲᱤ',
    'ꯃꯤꯇꯩ',
    'محمد',
    'Łódź Đặng Ñuñez ğış',
    'Dr. शर्मा & ಲಕ್ಷ್ಮೀ (শ্রী) 2/3',
  ])('%s has all its glyphs and can be copied as it was written', async name => {
    const { text } = await openCertificate(withLandlordName(name))
    expect(text).toContain(removeSpaces(name))
    expect(text).not.toContain('\uFFFD')
  })

  test('the words of a right-to-left name run from right to left, around their numbers', async () => {
    const { pages } = await openCertificate(withLandlordName('محمد 73 احمد'))
    const items = pages.flat()
    const getX = (part: string) => items.find(({ str }) => str.includes(part))?.transform[4] as number
    expect(getX('محمد')).toBeGreaterThan(getX('73'))
    expect(getX('73')).toBeGreaterThan(getX('احمد'))
  })

  test('a right-to-left name states no text, which readers would turn round', async () => {
    const countStated = async (name: string) =>
      listStreams(Buffer.from(await renderCertificate(withLandlordName(name))))
        .join('')
        .split('ActualText').length
    const inLatin = await countStated('Ravi')
    expect(await countStated('مُحَمَّد')).toBe(inLatin)
    expect(await countStated('क्षत्रिय')).toBeGreaterThan(inLatin)
  })

  test('a certificate embeds only the fonts and the glyphs that it uses', async () => {
    const latin = Buffer.from(await renderCertificate(createCertificateData()))
    expect(latin.includes('NotoSans-Regular')).toBeTrue()
    expect(latin.includes('NotoSansBengali')).toBeFalse()
    expect(latin.length).toBeLessThan(100_000)

    const bengali = Buffer.from(await renderCertificate(withUnitName('শ্রী')))
    expect(bengali.includes('NotoSansBengali')).toBeTrue()
  })
})

describe('text that cannot be shown', () => {
  const awkwardTexts: [kind: string, awkward: string, shown: string][] = [
    ['controls', 'ab\u0000c\u0007d\u009Fe', 'ab�c�d�e'],
    ['line ends and tabs', 'ab\r\n\tcd', 'abcd'],
    ['marks that turn the direction', 'ab\u202Edc\u2066', 'ab�dc�'],
    ['half characters', 'ab\uD800c\uDC00', 'ab�c�'],
    ['emoji', 'ab 👨‍👩‍👧 cd ☺️', 'ab�cd�'],
    ['a script without a font', 'ab 山田 cd', 'ab�cd'],
    ['invisible tags', 'ab\u{E0041}cd', 'ab�cd'],
    ['private characters', 'ab\uE000cd\u{10FFFF}', 'ab�cd�'],
    ['an old rupee sign and markup', '₨ <b>&amp;</b> %PDF (\\) ]]>', '₨<b>&amp;</b>%PDF(\\)]]>'],
    ['a vowel sign alone', 'ab ि', 'ab'],
  ]
  test.each(awkwardTexts)('%s: a mark replaces it, and the rest stays', async (_kind, awkward, shown) => {
    const data = createCertificateData()
    const { text } = await openCertificate({
      ...data,
      premises: { ...data.premises, unit_name: awkward },
      agreement: { ...data.agreement, agreement_number: awkward },
      parties: [{ ...landlord, name: awkward }, tenant],
      events: data.events.map(event => ({ ...event, actor: awkward })),
    })
    expect(text).toContain(`Unit${removeSpaces(shown)}`)
    expect(text).toContain('Zoë')
  })

  test('stacked marks are limited, so that they stay below the line above', async () => {
    const { text } = await openCertificate(withUnitName(`x${'\u0301'.repeat(254)}`))
    expect(text.match(/\u0301/g)!.length).toBeLessThan(10)
    expect(text).toContain('\uFFFD')
  })

  test('a blank name is replaced by the masked phone number', async () => {
    const { text } = await openCertificate({
      ...withUnitName(' \n '),
      parties: [{ ...landlord, name: ' \u2003' }],
    })
    expect(text).toContain('******3210')
  })
})
