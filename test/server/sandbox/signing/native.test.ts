import { describe, expect, test } from 'bun:test'
import { clock, testServer } from '../../../support/server'
import { TIMESTAMP, UUID } from '../../http/forms'
import {
  addFailure,
  applyOutcome,
  asha,
  callProvider,
  createNativeRequest,
  getCredentials,
  moveClock,
  postNativeRequest,
  recordWebhooks,
  tara,
  uploadDocument,
  type Headers,
} from '../provider'

const HOUR_MS = 3_600_000
const MAX_DOCUMENT_BYTES = 10 * 1024 * 1024
const PDF = '%PDF-1.4\nthe lease'

const time = clock()
const server = testServer({ overrides: { now: time.now } })

const toError = (code: string) => ({ error: { code, detail: expect.any(String), traceId: UUID } })

const defaultSigners = [
  asha,
  {
    ...tara,
    birthYear: '1990',
    signature: { onPages: ['all'], position: 'bottom-left', height: 60, width: 180 },
  },
]

async function postDocument(body: BodyInit, headers: Headers = getCredentials(server)) {
  const response = await fetch(`${server.url}/sandbox/esign/api/documents`, { method: 'POST', headers, body })
  return { status: response.status, body: (await response.json()) as any }
}

function toForm(fields: { name?: string; document?: BlobPart }) {
  const form = new FormData()
  if (fields.name !== undefined) form.set('name', fields.name)
  if (fields.document !== undefined) form.set('document', new Blob([fields.document]), 'x.pdf')
  return form
}

const upload = (document: BlobPart = PDF) => postDocument(toForm({ name: 'lease.pdf', document }))

const uploadId = () => uploadDocument(server, PDF)
const postRequest = (documentId: string, signers: unknown = defaultSigners) =>
  postNativeRequest(server, documentId, signers)

const get = (id: string) => callProvider(server, 'GET', `/esign/api/signature/${id}`)

async function getBody(id: string) {
  const { body } = await get(id)
  return body
}

const getPage = async (address: string) => (await fetch(address)).text()
const pressSign = (address: string) => fetch(`${address}/sign`, { method: 'POST' })

describe('POST /api/documents', () => {
  test('200: returns an id for a PDF and its name', async () => {
    expect(await upload()).toEqual({ status: 200, body: { id: UUID, name: 'lease.pdf' } })
  })

  test('200: accepts 10 MiB; 400: not a byte more', async () => {
    const largest = Buffer.alloc(MAX_DOCUMENT_BYTES, 'x')
    largest.write('%PDF-')
    expect((await upload(largest)).status).toBe(200)
    const tooLarge = Buffer.concat([largest, Buffer.from('x')])
    expect(await upload(tooLarge)).toEqual({ status: 400, body: toError('document_too_large') })
  })

  test.each(['', '%PDF', 'PK', `${' '.repeat(1020)}%PDF-1.4`])('400: %p is not a PDF', async content => {
    expect(await upload(content)).toEqual({ status: 400, body: toError('invalid_document') })
  })

  const invalidForms: [form: string, body: BodyInit][] = [
    ['a form without a name', toForm({ document: PDF })],
    ['a form without files', new URLSearchParams({ name: 'x' })],
    ['JSON', '{}'],
    ['an empty body', ''],
  ]
  test.each(invalidForms)('400: refuses %s', async (_, body) => {
    expect((await postDocument(body)).body).toEqual(toError('invalid_request'))
  })
})

describe('POST /api/signature', () => {
  test('200: returns an address for each signer; GET returns the same', async () => {
    const documentId = await uploadId()
    const { status, body } = await postRequest(documentId)
    expect([status, body]).toEqual([
      200,
      {
        id: UUID,
        documentId,
        status: 'sign_initiated',
        validUpto: TIMESTAMP,
        signers: defaultSigners.map(({ identifier, displayName }) => ({
          id: UUID,
          identifier,
          displayName,
          status: 'pending',
          url: expect.stringMatching(/^http:\/\/.*\/sandbox\/sign\/[0-9a-f-]{36}$/),
          errCode: null,
        })),
      },
    ])
    expect(new Set(body.signers.map(({ url }: { url: string }) => url)).size).toBe(2)
    expect(await getBody(body.id)).toEqual(body)
  })

  test('400: of concurrent requests one gets the document', async () => {
    const id = await uploadId()
    const responses = await Promise.all(Array.from({ length: 8 }, () => postRequest(id)))
    expect(responses.map(({ status }) => status).toSorted()).toEqual([200, ...Array(7).fill(400)])
    const refused = responses.find(({ status }) => status === 400)
    expect(refused!.body).toEqual(toError('document_already_used'))
  })
})

describe('signing', () => {
  test('404: the id of a request with two signers, which each of them knows, leads to no page', async () => {
    const { id, signers } = await createNativeRequest(server, defaultSigners)
    const [{ url }] = signers
    const ofRequest = url.slice(0, url.lastIndexOf('/') + 1) + id

    for (const path of ['', '/document.pdf', '/signed.pdf'])
      expect([path, (await fetch(`${ofRequest}${path}`)).status]).toEqual([path, 404])
    expect((await pressSign(ofRequest)).status).toBe(404)
    expect(await getBody(id)).toMatchObject({ signers: [{ status: 'pending' }, { status: 'pending' }] })
  })

  test('each signs on an own page; every step sends a webhook, the last one ESIGN_COMPLETE', async () => {
    const request = await createNativeRequest(server, defaultSigners)
    const [first, second] = request.signers
    const { listWebhooks } = recordWebhooks(server)

    const page = await getPage(first.url)
    for (const { displayName } of defaultSigners) expect(page).toContain(displayName)
    expect(await getBody(request.id)).toMatchObject({
      status: 'sign_in_progress',
      signers: [{ status: 'in_progress' }, { status: 'pending' }],
    })

    await pressSign(first.url)
    expect(await getBody(request.id)).toMatchObject({
      status: 'sign_in_progress',
      signers: [{ status: 'signed' }, { status: 'pending' }],
    })
    expect(await getPage(first.url)).not.toContain('<button')
    expect(await getPage(second.url)).toContain('>Sign</button>')

    await pressSign(second.url)
    expect(await getBody(request.id)).toMatchObject({
      status: 'sign_complete',
      signers: [{ status: 'signed' }, { status: 'signed' }],
    })
    expect(listWebhooks(request.id)).toEqual([
      'ESIGN_WEBHOOK_NOTIFICATION',
      'ESIGN_WEBHOOK_NOTIFICATION',
      'ESIGN_WEBHOOK_NOTIFICATION',
      'ESIGN_COMPLETE',
    ])
  })
})

test('204: a cancelled request is unknown and closed', async () => {
  const { id, signers } = await createNativeRequest(server, defaultSigners)
  const cancelled = await callProvider(server, 'POST', `/esign/api/signature/${id}/delete/`, {})
  expect(cancelled.status).toBe(204)
  expect((await get(id)).status).toBe(404)
  expect((await applyOutcome(server, signers[0].id)).status).toBe(400)
})

test('a rule of an automatic outcome that matches a signer is for that signer only', async () => {
  const [matched, other] = [crypto.randomUUID().slice(0, 30), crypto.randomUUID().slice(0, 30)]
  const rule = { provider: 'esign', behaviour: 'succeed', match: matched, delay_ms: HOUR_MS }
  await addFailure(server, rule)
  const { id } = await createNativeRequest(server, [
    { identifier: matched, displayName: 'A' },
    { identifier: other, displayName: 'B' },
  ])
  await moveClock(server, { advance_ms: HOUR_MS })
  expect((await getBody(id)).signers).toMatchObject([{ status: 'signed' }, { status: 'pending' }])
})
