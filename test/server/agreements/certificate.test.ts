import { join } from 'node:path'
import { describe, expect, test } from 'bun:test'
import type { AgreementStatus, TimelineEventType } from '@kiraya/sdk/contract'
import { renderCertificate, type CertificateData } from '../../../server/leases/evidence/certificate-pdf'
import { expectDrawn } from '../../support/pdf-transcript'
import {
  createCertificateData,
  landlord,
  minute,
  openCertificate,
  removeSpaces,
  sha256,
  tenant,
} from './certificate-fixture'

test('a certificate has its texts in their places', async () => {
  const bytes = await renderCertificate(createCertificateData())
  await expectDrawn(bytes, join(import.meta.dir, 'certificate.txt'))
})

const labels: [type: TimelineEventType, label: string][] = [
  ['created', 'Agreement drawn up'],
  ['changed', 'Draft changed'],
  ['sent', 'Sent for signature'],
  ['viewed', 'Opened for signing'],
  ['signed', 'Signed'],
  ['declined', 'Signature declined'],
  ['expired', 'Request for signature expired'],
  ['cancelled', 'Request for signature cancelled'],
  ['reissued', 'Request for signature issued again'],
  ['reminded', 'Signer reminded'],
  ['activated', 'Agreement became active'],
  ['renewed', 'Lease renewed'],
  ['ended', 'Lease came to its end'],
  ['terminated', 'Lease terminated'],
  ['completed', 'Agreement closed'],
  ['revised', 'Agreement revised'],
  ['document_stored', 'Signed document stored'],
  ['deleted', 'Agreement deleted'],
  ['deposit_proposed', 'Settlement of the deposit proposed'],
  ['deposit_accepted', 'Settlement of the deposit accepted'],
  ['deposit_disputed', 'Settlement of the deposit disputed'],
  ['deposit_settled', 'Deposit settled'],
  ['rent_proposed', 'New rent proposed'],
  ['rent_accepted', 'New rent accepted'],
  ['rent_declined', 'New rent declined'],
  ['renewal_drafted', 'Next term drawn up'],
]

test('each event of the timeline has its row', async () => {
  const events = labels.map(([type], index) => ({
    position: index + 1,
    type,
    occurred_at: minute(0),
    actor: 'Asha',
    hash: sha256(index),
  }))
  const { text } = await openCertificate({ ...createCertificateData(), events })
  const missing = labels.filter(([, label], index) => {
    const [start, end] = [`${index + 1} 21 Nov 2026, 15:04:05 IST`, `Asha ${sha256(index).slice(0, 12)}…`]
    const head = label.slice(0, label.lastIndexOf(' '))
    // A long label has its last word in a second line, which comes after the cells of the first.
    const rows = [`${start} ${label} ${end}`, `${start} ${head} ${end} ${label.slice(head.length)}`]
    return !rows.some(row => text.includes(removeSpaces(row)))
  })
  expect(missing).toEqual([])
})

test.each<[status: AgreementStatus, text: string]>([
  ['ACTIVE', 'Active since 21 Nov 2026'],
  ['TERMINATED', 'Terminated on 21 Nov 2026'],
  ['COMPLETED', 'Completed on 21 Nov 2026'],
])('the status %s reads “%s”', async (status, shown) => {
  const data = createCertificateData()
  const { text } = await openCertificate({ ...data, agreement: { ...data.agreement, status } })
  expect(text).toContain(removeSpaces(`Status${shown}`))
})

test('a certificate shows what is missing, and omits what has not happened', async () => {
  const data = createCertificateData()
  const { text } = await openCertificate({
    ...data,
    agreement: { ...data.agreement, deposit_amount: null, tenure_in_months: 1 },
    parties: [{ ...landlord, name: null, role: 'MANAGER', viewed_at: null }],
    documents: [{ signature_id: landlord.signature_id }],
    events: [],
  })
  const missing = 'Missing: the signing provider did not return the document'
  const shown = ['(1 month)', 'DepositNone', missing, '******3210', 'Manager']
  expect(shown.filter(content => !text.includes(removeSpaces(content)))).toEqual([])
  expect(text).not.toMatch(/Viewed|null|undefined|NaN|543210/)
})

test('the same data gives the same bytes, at any time and after any other; other data gives others', async () => {
  const digest = async (data: CertificateData) =>
    new Bun.CryptoHasher('sha256').update(await renderCertificate(data)).digest('hex')
  const first = await digest(createCertificateData())
  const { premises } = createCertificateData()
  const [other, again] = await Promise.all([
    digest({ ...createCertificateData(), premises: { ...premises, unit_name: 'শ্রী' } }),
    digest(createCertificateData()),
  ])
  expect(again).toBe(first)
  expect(other).not.toBe(first)
  expect(await digest({ ...createCertificateData(), generated_at: minute(61) })).not.toBe(first)
  expect(await digest(createCertificateData())).toBe(first)
})

test('each heading of a table is that of its column', async () => {
  const source = Buffer.from(await renderCertificate(createCertificateData())).toString('latin1')
  const headings = source.split('endobj').filter(object => object.includes('/S /TH'))
  expect(headings.length).toBeGreaterThan(1)
  expect(headings.filter(object => !object.includes('/Scope /Column'))).toEqual([])
})

test('the timeline shortens long names', async () => {
  const data = createCertificateData()
  const actor = `${'Anuradha '.repeat(7)}Kulkarni`
  const { text } = await openCertificate({ ...data, events: data.events.map(event => ({ ...event, actor })) })
  expect([/Anuradha.*Anura…/.test(text), text.includes('Kulkarni')]).toEqual([true, false])
})

test('a certificate embeds only the fonts and the glyphs that it uses', async () => {
  const latin = Buffer.from(await renderCertificate(createCertificateData()))
  expect(latin.includes('NotoSans-Regular')).toBeTrue()
  expect(latin.includes('NotoSansBengali')).toBeFalse()
  expect(latin.length).toBeLessThan(100_000)

  const bengali = Buffer.from(
    await renderCertificate({ ...createCertificateData(), parties: [{ ...landlord, name: 'শ্রী' }] }),
  )
  expect(bengali.includes('NotoSansBengali')).toBeTrue()
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
    const parties = [{ ...landlord, name: ' \u2003' }]
    const { text } = await openCertificate({ ...createCertificateData(), parties })
    expect(text).toContain('******3210')
  })
})
