import { describe, expect, test } from 'bun:test'
import { clock, testServer } from '../../../support/server'
import { TIMESTAMP } from '../../http/forms'
import { addFailure, callProvider, createNativeRequest, createRequest } from '../provider'

const MINUTE_MS = 60_000

const time = clock()
const server = testServer({ overrides: { now: time.now } })

async function createLink(id: string) {
  const { body } = await callProvider(server, 'GET', `/esign/api/signature/${id}/download/`)
  return body
}

async function download(address: string) {
  const response = await fetch(address)
  return {
    status: response.status,
    type: response.headers.get('content-type'),
    content: Buffer.from(await response.arrayBuffer()),
  }
}

test('the signer reads the uploaded document byte for byte', async () => {
  const { signers } = await createNativeRequest(server)
  const { url } = signers[0]
  expect(await (await fetch(url)).text()).toContain(`${new URL(url).pathname}/document.pdf`)
  expect(await download(`${url}/document.pdf`)).toEqual({
    status: 200,
    type: 'application/pdf',
    content: Buffer.from('%PDF-1.4\nthe lease'),
  })
})

describe('the one-time address of the signed PDF', () => {
  test('200: needs no credentials; 404: works once', async () => {
    const { id } = await createNativeRequest(server)
    const link = await createLink(id)
    expect(link).toEqual({
      id,
      downloadUrl: expect.stringMatching(/\/sandbox\/files\/[0-9a-f-]{36}$/),
      validUpto: TIMESTAMP,
    })
    const { status, type, content } = await download(link.downloadUrl)
    expect([status, type, content.subarray(0, 5).toString()]).toEqual([200, 'application/pdf', '%PDF-'])
    expect((await download(link.downloadUrl)).status).toBe(404)
  })

  test('404: expires after 15 minutes', async () => {
    const { id } = await createNativeRequest(server)
    const [first, second] = [await createLink(id), await createLink(id)]
    time.advance(15 * MINUTE_MS - 1)
    expect((await download(first.downloadUrl)).status).toBe(200)
    time.advance(1)
    expect((await download(second.downloadUrl)).status).toBe(404)
  })
})

test('the flexi interface sends the PDF, or with a simulated failure its address; the adapter accepts both', async () => {
  const { id } = await createRequest(server)
  const pdf = await server.deps.signing.download(id)
  expect(Buffer.from(pdf.subarray(0, 5)).toString()).toBe('%PDF-')

  await addFailure(server, { provider: 'esign', behaviour: 'link', match: id })
  const { body } = await callProvider(server, 'GET', `/esign/api/esign/${id}/pdf`)
  expect(body).toEqual({ downloadUrl: expect.any(String), validUpto: TIMESTAMP })

  await addFailure(server, { provider: 'esign', behaviour: 'link', match: id })
  expect(await server.deps.signing.download(id)).toEqual(pdf)
})
