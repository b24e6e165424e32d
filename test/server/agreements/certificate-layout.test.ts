import { describe, expect, test } from 'bun:test'
import type { CertificateData } from '../../../server/agreements/certificate-pdf'
import {
  createCertificateData,
  eventTypes,
  landlord,
  minute,
  openCertificate,
  sha256,
  tenant,
  uuid,
} from './certificate-fixture'

const TENANTS = 100
const EVENTS = 500

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

const LONG_WORD = 'W'.repeat(255)

function createLongData(): CertificateData {
  const data = createManyData()
  const parties = data.parties.slice(0, 5).map(party => ({
    ...party,
    name: `${'W'.repeat(5000)} ${LONG_WORD}`,
    signature: {
      ...party.signature!,
      provider: 'W'.repeat(50),
      provider_request_id: LONG_WORD,
      provider_signature_id: LONG_WORD,
    },
  }))
  const events = data.events
    .slice(0, 60)
    .map(event => ({ ...event, position: 1_234_567 + event.position, actor: LONG_WORD }))
  return {
    ...data,
    agreement: { ...data.agreement, agreement_number: 'W'.repeat(100), rent_amount: 9_999_999_999.99 },
    premises: {
      ...data.premises,
      unit_name: LONG_WORD,
      society_building: LONG_WORD,
      survey_number: LONG_WORD,
      road_name: LONG_WORD,
      locality: 'word '.repeat(50),
      landmark: LONG_WORD,
      city: LONG_WORD,
      district: 'i'.repeat(255),
      state: LONG_WORD,
    },
    parties,
    events,
  }
}

test('100 tenants and 500 events are all shown, over as many pages as they need', async () => {
  const { text, pdf } = await openCertificate(createManyData())
  const { numPages } = pdf
  const names = Array.from({ length: TENANTS }, (_, index) => `Tenant${index}D’Souza`)
  const hashes = Array.from({ length: EVENTS }, (_, index) => sha256(index).slice(0, 12))
  const footers = Array.from({ length: numPages }, (_, page) => `Page${page + 1}of${numPages}`)

  expect(numPages).toBeGreaterThan(10)
  expect(names.filter(name => !text.includes(name))).toEqual([])
  expect(hashes.filter(hash => !text.includes(hash))).toEqual([])
  expect(footers.filter(footer => !text.includes(footer))).toEqual([])
  expect(text).toContain(sha256(EVENTS - 1))
  expect(text.split('No.TimeEventByHash').length - 1).toBeGreaterThan(5)
})

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

type Page = Awaited<ReturnType<typeof openCertificate>>['pages'][number]
type Box = { str: string; left: number; right: number; base: number; height: number }

const toBoxes = (page: Page): Box[] =>
  page
    .filter(({ str }) => str.trim())
    .map(({ str, transform, width, height }) => ({
      str,
      left: transform[4] as number,
      right: (transform[4] + width) as number,
      base: transform[5] as number,
      height,
    }))

const isOutsideMargins = ({ left, right, base, height }: Box) =>
  left < 49 || right > 546.3 || base < 30 || base + height > 800

function overlap(one: Box, other: Box) {
  const isSideBySide = one.left >= other.right - 1 || other.left >= one.right - 1
  if (isSideBySide) return false
  const [upper, lower] = one.base > other.base ? [one, other] : [other, one]
  return upper.base - lower.base < 0.25 * upper.height + 0.75 * lower.height
}

const findOverlaps = (boxes: Box[]) =>
  boxes.flatMap((one, index) =>
    boxes
      .slice(index + 1)
      .filter(other => overlap(one, other))
      .map(other => [one, other]),
  )

describe('every text is within the margins and overlaps no other', () => {
  test.each([
    ['many parties and events', createManyData],
    ['long texts', createLongData],
  ])('%s', async (_title, createData) => {
    const { pages } = await openCertificate(createData())
    for (const page of pages) {
      const boxes = toBoxes(page)
      expect(boxes.length).toBeGreaterThan(2)
      expect(boxes.filter(isOutsideMargins)).toEqual([])
      expect(findOverlaps(boxes)).toEqual([])
    }
  })
})
