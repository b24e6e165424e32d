import { expect, test } from 'bun:test'
import { createClient, ValidationError } from '../../sdk'
import { catchError, createStubServer, dataResponse, errorResponse } from './stub-server'

const BYTES = new Uint8Array([0xff, 0xd8, 0x00, 0x7b, 0x0a, 0xe2])
const AS_TEXT = '\u00ff\u00d8\u0000{\n\u00e2'

test.each([
  ['bytes', BYTES, null],
  ['a part of other bytes', new Uint8Array([1, ...BYTES, 2]).subarray(1, 7), null],
  ['a Blob', new Blob([BYTES], { type: 'image/jpeg' }), 'image/jpeg'],
  ['a File', new File([BYTES], 'tap.pdf', { type: 'application/pdf' }), 'application/pdf'],
])('%s are sent as they are, in each attempt, with one key', async (_, file, type) => {
  const unavailable = errorResponse(503, 'SERVICE_UNAVAILABLE', { 'retry-after': '0' })
  using server = createStubServer(unavailable, unavailable, dataResponse({ size: 6 }))

  const attachment = await createClient({ baseUrl: server.url }).maintenance.attach(7, file)

  expect<object>(attachment).toEqual({ size: 6 })
  expect(server.requests.map(({ body }) => body)).toEqual([AS_TEXT, AS_TEXT, AS_TEXT])
  expect(server.requests.map(({ headers }) => headers.get('content-type'))).toEqual([type, type, type])
  expect(new Set(server.requests.map(({ idempotencyKey }) => idempotencyKey)).size).toBe(1)
})

test('an empty file is for the server to judge', async () => {
  using server = createStubServer(dataResponse({}))
  await createClient({ baseUrl: server.url }).maintenance.attach(7, new Uint8Array())
  expect(server.requests).toMatchObject([{ path: '/maintenance-requests/7/attachments', body: undefined }])
})

const noFiles = [undefined, null, '', 'tap.jpg', 7, [1, 2], { size: 2 }]
test.each(noFiles.map(file => [file]))('%p is no file, and is refused before any request', async file => {
  using server = createStubServer(dataResponse({}))
  const { maintenance } = createClient({ baseUrl: server.url })

  const error = await catchError(maintenance.attach(7, file as never))

  expect(error).toBeInstanceOf(ValidationError)
  expect(error!.message).toBe('The file must be a Blob, a File, a Uint8Array or a ReadableStream')
  expect(server.requests).toEqual([])
})

test('a stream is sent whole, again in a retry, and a call tells how much has been sent', async () => {
  const unavailable = errorResponse(503, 'SERVICE_UNAVAILABLE', { 'retry-after': '0' })
  using server = createStubServer(unavailable, dataResponse({ id: 7 }))
  const file = new Blob(['x'.repeat(100_000)])
  const told: number[] = []
  const { agreements } = createClient({ baseUrl: server.url })
  await agreements.setDocument(7, file.stream(), {
    onProgress: ({ sent, total }) => void told.push(sent / total),
  })
  expect(server.requests.map(({ body }) => String(body).length)).toEqual([100_000, 100_000])
  const attempts = [told.slice(0, told.indexOf(1) + 1), told.slice(told.indexOf(1) + 1)]
  for (const shares of attempts) expect([shares, shares.at(-1)]).toEqual([shares.toSorted(), 1])
  expect(told.length).toBeGreaterThan(2)
})

test('a template is sent as JSON', async () => {
  using server = createStubServer(dataResponse({ id: 7 }))
  const { agreements } = createClient({ baseUrl: server.url })
  await agreements.setDocument(7, { template: 'pg', language: 'hi' })
  expect(server.requests).toMatchObject([
    { path: '/agreements/7/document', body: { template: 'pg', language: 'hi' } },
  ])
})

test('an attachment is downloaded as its bytes', async () => {
  using server = createStubServer(() => new Response(BYTES, { headers: { 'content-type': 'image/webp' } }))
  const { maintenance } = createClient({ baseUrl: server.url })
  const { data, headers } = await maintenance.download(7, 'a-uuid').withResponse()
  expect([data, headers.get('content-type')]).toEqual([BYTES, 'image/webp'])
})

test("a vendor's phone number is accepted as people write it, and null clears it", async () => {
  using server = createStubServer(dataResponse({}))
  const { maintenance } = createClient({ baseUrl: server.url })
  await maintenance.update(7, { vendor_phone: '+91 98765 43210' })
  await maintenance.update(7, { vendor_phone: null })
  await maintenance.update(7, { priority: 'high' })
  expect(server.requests.map(({ body }) => body)).toEqual([
    { vendor_phone: '9876543210' },
    { vendor_phone: null },
    { priority: 'high' },
  ])
})
