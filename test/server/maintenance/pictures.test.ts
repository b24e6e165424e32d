import { expect, test } from 'bun:test'
import { readFile } from '../../../server/maintenance/files'
import { PDF } from '../../support/maintenance-fixture'
import { addExif, CAMERA, claimPng, drawBlackPng, drawPng, GIF } from '../../support/pictures'
import { createPdf } from '../../support/pdf'
import { testServer } from '../../support/server'
import { sendRequest } from '../../support/users'
import { createHouse, download, raise } from './fixtures'

const server = testServer()

/** Attaches a file to a request of its own; `load` resolves to what is stored. */
async function store(file: Uint8Array, headers = {}) {
  const house = await createHouse(server)
  const { path } = await raise(house, house.tenant)
  const { token } = house.tenant
  const sent = sendRequest(server, 'POST', `${path}/attachments`, { token, body: file, headers })
  const { status, data, error } = await sent
  const load = () => download(server, house.landlord, path, data.attachment_id)
  const count = async () => (await house.tenant.get(path)).data.attachments.length
  return { status, data, error, load, count }
}

const picture = new Bun.Image(drawPng(64, 32))
const files: [kind: string, draw: () => Promise<Uint8Array>, stored: string][] = [
  ['JPEG', () => picture.jpeg().bytes(), 'image/webp'],
  ['PNG', () => picture.png().bytes(), 'image/webp'],
  ['WebP', () => picture.webp().bytes(), 'image/webp'],
  ['PDF', async () => PDF, 'application/pdf'],
]
test.each(files)(
  '201: a %s is identified by its bytes, whatever its Content-Type',
  async (_, draw, stored) => {
    const file = await draw()
    for (const sent of [
      undefined,
      'text/html',
      'application/json',
      'image/gif',
      'multipart/form-data',
      'x',
    ]) {
      const { status, data, load } = await store(file, sent ? { 'content-type': sent } : {})
      expect([sent, status, data.content_type]).toEqual([sent, 201, stored])
      const { bytes, headers } = await load()
      expect([headers.get('content-type'), bytes.length]).toEqual([stored, data.size])
      if (stored === 'image/webp')
        expect(await new Bun.Image(bytes).metadata()).toEqual({ width: 64, height: 32, format: 'webp' })
    }
  },
)

test('201: a picture of a phone is turned upright, and is stored without its place and camera', async () => {
  const jpeg = await picture.jpeg().bytes()
  const photo = addExif(jpeg)
  for (const text of ['Exif', CAMERA]) expect(photo.includes(text)).toBe(true)

  const { bytes } = await (await store(photo)).load()

  const upright = await new Bun.Image(jpeg).rotate(90).webp().bytes()
  expect(bytes.equals(upright)).toBe(true)
  expect(await new Bun.Image(bytes).metadata()).toEqual({ width: 32, height: 64, format: 'webp' })
  for (const text of ['Exif', 'EXIF', 'GPS', CAMERA, CAMERA.split(' ')[0]!])
    expect(bytes.includes(text)).toBe(false)
})

test.each([
  [3000, 1500, 2048, 1024],
  [100, 4096, 50, 2048],
  [2049, 2049, 2048, 2048],
  [2048, 10, 2048, 10],
  [1, 1, 1, 1],
])(
  '201: a picture of %d × %d pixels is stored with %d × %d',
  async (width, height, storedWidth, storedHeight) => {
    const { bytes } = await (await store(drawPng(width, height))).load()
    const size = { width: storedWidth, height: storedHeight }
    expect(await new Bun.Image(bytes).metadata()).toEqual({ ...size, format: 'webp' })
  },
)

const png = drawPng(64, 32)
test.each([
  ['a GIF', GIF],
  ['an SVG', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>')],
  ['HTML', Buffer.from('<!doctype html><title>%PDF-1.7</title>')],
  ['an empty body', Buffer.alloc(0)],
  ['text', Buffer.from('{}')],
  ['a truncated PNG', png.subarray(0, png.length / 2)],
  ['the signature of a PNG', png.subarray(0, 8)],
  ['a PNG that claims 60,000 × 60,000 pixels', claimPng(60_000, 60_000)],
  ['a PNG of 8,000 × 8,000 pixels', drawBlackPng(8000, 8000)],
  ['a PNG that claims no pixels', claimPng(0, 0)],
])('400: %s is not supported', async (_, file) => {
  const { status, error, count } = await store(file, { 'content-type': 'image/png' })
  expect([status, error.reason]).toEqual([400, 'file_not_supported'])
  expect(await count()).toBe(0)
})

/** A JPEG whose last scan is repeated. */
async function repeatScan(times: number) {
  const jpeg = Buffer.from(await picture.jpeg({ progressive: true }).bytes())
  const [start, end] = [jpeg.lastIndexOf('ffda', 'hex'), jpeg.length - 2]
  return Buffer.concat([
    jpeg.subarray(0, end),
    ...Array(times).fill(jpeg.subarray(start, end)),
    jpeg.subarray(end),
  ])
}

test('400: a JPEG of too many scans, and one that is cut off; bytes behind its end do no harm', async () => {
  const jpeg = await repeatScan(20)
  const cut = jpeg.subarray(0, jpeg.length / 2)
  for (const [file, outcome] of [
    [jpeg, 201],
    [Buffer.concat([jpeg, cut]), 201],
    [await repeatScan(100), 'picture_too_complex'],
    [cut, 'file_not_whole'],
  ] as const) {
    const { status, error } = await store(file)
    expect(error?.reason ?? status).toBe(outcome)
  }
})

test('201: a colour profile, which may be any bytes, is not stored', async () => {
  const jpeg = Buffer.from(await picture.jpeg().bytes())
  const profile = Buffer.from(`ICC_PROFILE\0\x01\x01${CAMERA}`)
  const start = Buffer.from([0xff, 0xe2, 0, profile.length + 2])
  const { bytes } = await (
    await store(Buffer.concat([jpeg.subarray(0, 2), start, profile, jpeg.subarray(2)]))
  ).load()
  for (const text of ['ICCP', CAMERA]) expect(bytes.includes(text)).toBe(false)
  expect(await new Bun.Image(bytes).metadata()).toEqual({ width: 64, height: 32, format: 'webp' })
})

const PLAIN = { useObjectStreams: false }
const cut = (pdf: Buffer, at: string) => pdf.subarray(0, pdf.lastIndexOf(at))

test.each([
  ['is restricted by its owner', 201, () => createPdf(['text'], { ownerPassword: 'secret' })],
  ['has bytes before it', 201, async () => Buffer.concat([Buffer.from('\ufeff\r\n'), PDF])],
  ['asks for a password', 'file_locked', () => createPdf(['text'], { userPassword: 'secret' })],
  ['has a header only', 'file_not_whole', async () => Buffer.from('%PDF-1.7 text')],
  ['is cut off', 'file_not_whole', async () => (await createPdf(Array(20).fill('text'))).subarray(0, 900)],
  [
    'ends within a page',
    'file_not_whole',
    async () => cut(await createPdf(['a', 'b'], {}, PLAIN), 'stream\n'),
  ],
  [
    'has no table of objects',
    'file_not_whole',
    async () => cut(await createPdf(['a'], {}, PLAIN), 'trailer'),
  ],
])('of a PDF that %s: %p', async (_, outcome, create) => {
  const { status, error } = await store(await create())
  expect(error?.reason ?? status).toBe(outcome)
})

test('503: a picture that comes while one is drawn and forty wait', async () => {
  const picture = drawPng(8, 8)
  const results = await Promise.allSettled(Array.from({ length: 42 }, () => readFile(picture)))
  const refused = results.filter(({ status }) => status === 'rejected')
  expect(refused).toMatchObject([{ reason: { status: 503, reason: 'pictures_busy' } }])
})
