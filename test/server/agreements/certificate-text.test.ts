import { describe, expect, test } from 'bun:test'
import { renderCertificate, type CertificateData } from '../../../server/agreements/certificate-pdf'
import {
  createCertificateData,
  eventTypes,
  landlord,
  minute,
  openCertificate,
  removeSpaces,
  sha256,
  tenant,
  uuid,
} from './certificate-fixture'

const withLandlordName = (name: string): CertificateData => ({
  ...createCertificateData(),
  parties: [{ ...landlord, name }],
})

function withUnitName(unit_name: string): CertificateData {
  const data = createCertificateData()
  return { ...data, premises: { ...data.premises, unit_name } }
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

  test('a blank name is replaced by the masked phone number', async () => {
    const { text } = await openCertificate({
      ...withUnitName(' \n '),
      parties: [{ ...landlord, name: ' \u2003' }],
    })
    expect(text).toContain('******3210')
  })
})

const TENANTS = 40
const EVENTS = 200

function createManyData(): CertificateData {
  const tenants = Array.from({ length: TENANTS }, (_, index) => ({
    ...tenant,
    name: `Tenant${index} D’Souza`,
    signature: { ...tenant.signature, signature_id: uuid(1000 + index) },
  }))
  const events = Array.from({ length: EVENTS }, (_, index) => ({
    position: index + 1,
    type: eventTypes[index % eventTypes.length]!,
    occurred_at: minute(index),
    actor: `Tenant${index % TENANTS}`,
    hash: sha256(index),
  }))
  return { ...createCertificateData(), parties: [landlord, ...tenants], events }
}

test('all tenants and events are shown, over as many pages as they need', async () => {
  const { text, pdf } = await openCertificate(createManyData())
  const { numPages } = pdf
  const parts = [
    ...Array.from({ length: TENANTS }, (_, index) => `Tenant${index}D’Souza`),
    ...Array.from({ length: EVENTS }, (_, index) => sha256(index).slice(0, 12)),
    ...Array.from({ length: numPages }, (_, page) => `Page${page + 1}of${numPages}`),
    sha256(EVENTS - 1),
  ]
  expect(numPages).toBeGreaterThan(5)
  expect(parts.filter(part => !text.includes(part))).toEqual([])
  expect(text.split('No.TimeEventByHash').length - 1).toBeGreaterThan(2)
})

const LONG_WORD = 'W'.repeat(255)

test('the timeline shortens names, and names the first event that it has room for', async () => {
  const actor = `${'Anuradha '.repeat(7)}Kulkarni`
  const events = createManyData()
    .events.slice(0, 2)
    .map(event => ({ ...event, position: event.position + 1, actor }))

  const { text } = await openCertificate({ ...createManyData(), events })

  expect(text.includes("Theeventsbeforenumber2areintheagreement'stimeline.")).toBe(true)
  expect([/Anuradha.*Anura…3/.test(text), text.includes('Kulkarni')]).toEqual([true, false])
  const all = await openCertificate(createManyData())
  expect(all.text.includes('Theeventsbefore')).toBe(false)
})

test('words that are longer than a line are split, and nothing of them is lost', async () => {
  const conjuncts = 'क्'.repeat(127)
  const data = createCertificateData()
  const { text } = await openCertificate({
    ...data,
    premises: { ...data.premises, unit_name: LONG_WORD },
    parties: [{ ...landlord, name: conjuncts }],
  })
  expect(text).toContain(LONG_WORD)
  expect(text).toContain(conjuncts)
})
