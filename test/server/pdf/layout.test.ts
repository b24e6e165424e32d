import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { PdfLayout } from '../../../server/pdf/layout'
import { createQrCode } from '../../../server/pdf/qr-code'
import {
  addDescriptionList,
  addHeading,
  addNote,
  addSubheading,
  addTable,
  addTitle,
  createCell,
  finishDocument,
} from '../../../server/pdf/sections'
import { renderSampleLease } from '../../../server/sandbox/pdf/sample-lease'
import { renderSignatures, type SignatureFacts } from '../../../server/sandbox/pdf/signatures'
import type { Signer } from '../../../server/sandbox/signing-model'
import { expectDrawn } from '../../support/pdf-transcript'
import { expectTagged, readTaggedText } from './tagged-text'

/** Does the work, and counts how often the event loop could serve requests meanwhile. */
async function countServed<T>(work: () => Promise<T>) {
  let served = 0
  let isDone = false
  const serve = () => {
    served++
    if (!isDone) setImmediate(serve)
  }
  setImmediate(serve)
  const result = await work()
  isDone = true
  return { result, served }
}

// Two transcripts have what a PDF draws, a line for each text: its tag, place in points, colour, font, size, width.
// The others have what it says, by its tags. RECORD=pdf writes what the PDFs are now, for you to read what changed.

const CREATED_AT = new Date('2026-11-21T10:00:00.000Z')

const toFile = (name: string) => join(import.meta.dir, `${name}.txt`)

const startDocument = () => new PdfLayout({ title: 'A document', createdAt: CREATED_AT })

const columns = [
  { title: 'Day', x: 0, width: 60 },
  { title: 'What', x: 70, width: 300 },
  { title: 'Amount', x: 400, width: 90, align: 'right' as const },
]

test('a document has titles, headings, lists with and without columns, figures, a table and a stamp', async () => {
  const page = startDocument()
  addTitle(page, 'A title', 'and a subtitle')
  const qrCode = createQrCode('https://example.com', { x: 400, size: 80, alt: 'A code' })
  page.addFigures([qrCode], () => addNote(page, 'beside the figure'))
  addHeading(page, 'A heading')
  addSubheading(page, 'A subheading', 'a badge')
  addDescriptionList(page, [
    ['Given', 'a value'],
    ['Missing', null],
    ['Empty', ''],
    ['Long', `${'word '.repeat(40)}end`],
    ['Unbroken', 'x'.repeat(120)],
    ['Signs', `${'part-of/a,word'.repeat(9)}`],
  ])
  const pairs = ['A', 'B', 'C'].map((term): [string, string] => [term, `the value of ${term}`])
  addDescriptionList(page, pairs, 2)
  addTable(page, columns, [['1', 'what', '100.00']], [['', 'Total', '4,500.00']])
  page.setStamp('CANCELLED')
  await expectDrawn(await finishDocument(page, 'A footer'), toFile('document'))
})

test('a table goes on on the next page, below its titles', async () => {
  const page = startDocument()
  page.addSpace(620)
  const rows = ['1', '2', '3', '4', '5', '6', '7', '8', '9'].map(day => [day, `what ${day}`, `${day}00.00`])
  addTable(page, columns, rows, [['', 'Total', '4,500.00']])
  page.ensureSpace(1000)
  addNote(page, 'on a page without titles')
  await expectTagged(await finishDocument(page, 'A footer'), toFile('table'))
})

test('a row stays on one page, unless it is nearly as high as one', async () => {
  const page = startDocument()
  page.addSpace(680)
  page.addRow([createCell('kept together '.repeat(20), { width: 200 })])
  page.addRow([createCell('broken over pages '.repeat(120), { width: 100 })])
  await expectTagged(await finishDocument(page, 'A footer'), toFile('rows'))
})

test('texts in several scripts and directions stand where they belong', async () => {
  const page = startDocument()
  for (const text of [
    'ज्ञानेश्वर क्षत्रिय, Flat 4-B, ₹1,25,000.00',
    'தமிழ்ச்செல்வி ಕನ್ನಡ മലയാളം తెలుగు বাংলা',
    'the word سلام and بيت 42 within a line',
    `hidden \u202E, joined क\u094D\u200Dष, marks a${'\u0301'.repeat(9)}, none 😀😀 \u0378`,
    'ଓଡ଼ିଆ ਪੰਜਾਬੀ ગુજરાતી ᱥᱟᱱᱛᱟᱲᱤ ꯃꯤꯇꯩ',
  ])
    page.addRow([createCell(text)])
  await expectDrawn(await finishDocument(page, 'A footer'), toFile('scripts'))
})

test('the sample lease', async () => {
  await expectTagged(await renderSampleLease(), toFile('sample-lease'))
})

const signer: Signer = {
  id: 'signature-1',
  identifier: '9876543210',
  displayName: 'Asha Rao',
  status: 'signed',
  errCode: null,
  signedAt: '2026-11-20T10:00:00.000Z',
}
const others: Signer[] = [
  { ...signer, id: 'signature-2', displayName: 'Tara Iyer', signedAt: '2026-11-19T10:00:00.000Z' },
  { ...signer, id: 'signature-3', displayName: 'Ravi', status: 'pending', signedAt: null },
  {
    ...signer,
    id: 'signature-4',
    displayName: 'Vik',
    status: 'in_progress',
    errCode: 'signer_declined',
    signedAt: null,
  },
]
const facts: SignatureFacts = {
  request: {
    id: 'request-1',
    documentId: 'document-1',
    documentUrl: 'https://example.com/lease.pdf',
    document: null,
    signers: [signer],
    validUpto: '2026-11-24T10:00:00.000Z',
    cancelled: false,
  },
  roles: new Map([['signature-1', 'LANDLORD' as const]]),
  file: { size: 123_456, sha256: 'a'.repeat(64) },
}

test('the page of signatures of one signer', async () => {
  await expectTagged(await renderSignatures(facts), toFile('signature'))
})

test('the page of signatures of several signers, after a page that says why the document is missing', async () => {
  const document = { name: 'lease.pdf', size: 7, sha256: 'b'.repeat(64) }
  const request = { ...facts.request, document, documentUrl: null, signers: [signer, ...others] }
  await expectTagged(
    await renderSignatures({ request, roles: facts.roles }, 'It is broken.'),
    toFile('signatures'),
  )
})

test('a request that is not signed was last changed when it ends', async () => {
  const request = { ...facts.request, signers: [others[1]!] }
  const told = await readTaggedText(await renderSignatures({ ...facts, request }))
  expect(told).toContain('D:20261124100000Z')
})

test('requests are served while a long text is drawn', async () => {
  const page = startDocument()
  const words = Array.from({ length: 600 }, (_, n) => `ज्ञानेश्वर${n} தமிழ்ச்செல்வி${n} سلام${n}`)
  page.addRow([createCell(words.join(' '))])

  const { served } = await countServed(() => finishDocument(page, 'A footer'))

  expect(served).toBeGreaterThan(5)
})
