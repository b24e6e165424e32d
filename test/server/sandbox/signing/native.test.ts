import { describe, expect, test } from 'bun:test'
import { sendRequest } from '../../../support/users'
import { clock, server } from '../../../support/server'
import { TIMESTAMP, UUID } from '../../http/forms'
import { control, credentials, fault, receivedWebhooks, applyOutcome } from '../provider'

const time = clock()
const it = server({ overrides: { now: time.now } })
const API = '/sandbox/esign/api'
const PDF = '%PDF-1.4\nthe lease'
const MINUTE = 60_000
const error = (code: string) => ({ error: { code, detail: expect.any(String), traceId: UUID } })

async function upload(
  content: BlobPart | undefined = PDF,
  name: string | undefined = 'lease.pdf',
  headers: Record<string, string> = credentials(it),
) {
  const form = new FormData()
  if (name !== undefined) form.set('name', name)
  if (content !== undefined) form.set('document', new Blob([content]), 'x.pdf')
  const response = await fetch(`${it.url}${API}/documents`, { method: 'POST', headers, body: form })
  return { status: response.status, body: (await response.json()) as any }
}
const people = [
  { identifier: '9876543210', displayName: 'Asha Rao' },
  {
    identifier: '9123456789',
    displayName: 'Tara Iyer',
    birthYear: '1990',
    signature: { onPages: ['all'], position: 'bottom-left', height: 60, width: 180 },
  },
]
const request = (documentId: string, signers: unknown = people) =>
  sendRequest(it.url, 'POST', `${API}/signature`, {
    headers: credentials(it),
    body: { documentId, redirectUrl: 'https://example.com/done', signers },
  })
const get = (path: string) =>
  sendRequest(it.url, 'GET', `${API}/signature/${path}`, { headers: credentials(it) })
const asked = async (signers: unknown = people) => (await request((await upload()).body.id, signers)).body

describe('POST /api/documents', () => {
  test('200: an id for a PDF and its name', async () =>
    expect(await upload()).toEqual({ status: 200, body: { id: UUID, name: 'lease.pdf' } }))
  test('200: of 10 MiB; 400: of a byte more', async () => {
    const most = Buffer.alloc(10 * 1024 * 1024, 'x')
    most.write('%PDF-')
    expect((await upload(most)).status).toBe(200)
    expect(await upload(Buffer.concat([most, Buffer.from('x')]))).toEqual({
      status: 400,
      body: error('document_too_large'),
    })
  })
  test('400: no PDF, no name, no document, no form', async () => {
    for (const content of ['', '%PDF', 'PK', ' %PDF-1.4'])
      expect([content, await upload(content)]).toEqual([
        content,
        { status: 400, body: error('invalid_document') },
      ])
    const nameless = new FormData()
    nameless.set('document', new Blob([PDF]))
    const textual = new FormData()
    textual.set('name', 'x')
    textual.set('document', PDF)
    for (const body of [nameless, textual, new URLSearchParams({ name: 'x' }), '{}', '', 'x'.repeat(1000)])
      expect(
        (await (
          await fetch(`${it.url}${API}/documents`, { method: 'POST', headers: credentials(it), body })
        ).json()) as any,
      ).toEqual(error('invalid_request'))
  })
  test('401: without the credentials', async () =>
    expect(await upload(PDF, 'x', {})).toEqual({ status: 401, body: error('unauthorized') }))
})

describe('POST /api/signature', () => {
  test('200: all signers with an address each; GET says the same', async () => {
    const { id: documentId } = (await upload()).body
    const answer = await request(documentId)
    expect([answer.status, answer.body]).toEqual([
      200,
      {
        id: UUID,
        documentId,
        status: 'sign_initiated',
        validUpto: TIMESTAMP,
        signers: people.map(({ identifier, displayName }) => ({
          id: UUID,
          identifier,
          displayName,
          status: 'pending',
          url: expect.stringMatching(/^http:\/\/.*\/sandbox\/sign\/[0-9a-f-]{36}$/),
          errCode: null,
        })),
      },
    ])
    expect(new Set(answer.body.signers.map(({ url }: { url: string }) => url)).size).toBe(2)
    expect((await get(answer.body.id)).body).toEqual(answer.body)
  })

  test('400: a document serves one request, also of those that ask at once', async () => {
    const { id } = (await upload()).body
    const answers = await Promise.all(Array.from({ length: 8 }, () => request(id)))
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, ...Array(7).fill(400)])
    expect(answers.find(({ status }) => status === 400)!.body).toEqual(error('document_already_used'))
  })

  test('400: an unknown document, no signers, malformed ones', async () => {
    for (const id of ['x', crypto.randomUUID(), 'a\0b'])
      expect([id, (await request(id)).body]).toEqual([id, error('document_not_found')])
    const { id } = (await upload()).body
    for (const signers of [
      [],
      null,
      {},
      [{}],
      [{ identifier: 1, displayName: 'x' }],
      [{ identifier: '', displayName: 'x' }],
      [{ identifier: '9876543210' }],
    ])
      expect([signers, (await request(id, signers)).body]).toEqual([signers, error('invalid_request')])
    expect((await request(id)).status).toBe(200)
  })

  test('401 and 404: as of the other interface', async () => {
    const { id } = await asked()
    for (const [method, path] of [
      ['POST', ''],
      ['GET', `/${id}`],
      ['GET', `/${id}/download/`],
      ['POST', `/${id}/delete/`],
    ] as const)
      expect([
        path,
        (
          await sendRequest(it.url, method, `${API}/signature${path}`, {
            body: method === 'POST' ? {} : undefined,
          })
        ).body,
      ]).toEqual([path, error('unauthorized')])
    for (const other of [crypto.randomUUID(), 'x', '%00'])
      expect([other, (await get(other)).body]).toEqual([other, error('not_found')])
    expect(
      (await sendRequest(it.url, 'GET', `${API}/esign/${id}`, { headers: credentials(it) })).status,
    ).toBe(404)
  })
})

describe('signing', () => {
  test('each on a page of their own: complete when all have signed, and each step is told with all signers', async () => {
    const {
      id,
      signers: [first, second],
    } = await asked()
    const told = receivedWebhooks(it)
    const page = await (await fetch(first.url)).text()
    for (const { displayName } of people) expect(page).toContain(displayName)
    expect((await get(id)).body).toMatchObject({
      status: 'sign_in_progress',
      signers: [{ status: 'in_progress' }, { status: 'pending' }],
    })
    await fetch(`${first.url}/sign`, { method: 'POST' })
    expect((await get(id)).body).toMatchObject({
      status: 'sign_in_progress',
      signers: [{ status: 'signed' }, { status: 'pending' }],
    })
    expect(await (await fetch(first.url)).text()).not.toContain('<button')
    expect(await (await fetch(second.url)).text()).toContain('>Sign</button>')
    await fetch(`${second.url}/sign`, { method: 'POST' })
    expect((await get(id)).body).toMatchObject({
      status: 'sign_complete',
      signers: [{ status: 'signed' }, { status: 'signed' }],
    })
    expect(told(id)).toEqual([
      'ESIGN_WEBHOOK_NOTIFICATION',
      'ESIGN_WEBHOOK_NOTIFICATION',
      'ESIGN_WEBHOOK_NOTIFICATION',
      'ESIGN_COMPLETE',
    ])
  })

  test('who declines leaves the others be; a time that runs out is over for all who have not signed', async () => {
    const declined = await asked()
    const expired = await asked()
    await applyOutcome(it, declined.signers[0].id, 'decline')
    expect((await get(declined.id)).body.signers).toMatchObject([
      { errCode: 'signer_declined' },
      { status: 'pending', errCode: null },
    ])
    expect((await applyOutcome(it, declined.signers[1].id)).status).toBe(200)
    await applyOutcome(it, expired.signers[1].id)
    await applyOutcome(it, expired.signers[0].id, 'expire')
    expect((await get(expired.id)).body.signers).toMatchObject([
      { status: 'pending', errCode: 'session_expired' },
      { status: 'signed', errCode: null },
    ])
  })

  test('the id of the request leads to the next who has to sign', async () => {
    const { id, signers } = await asked()
    const pressed = [await applyOutcome(it, id), await applyOutcome(it, id), await applyOutcome(it, id)]
    expect(pressed.map(({ status, body }) => [status, body.data?.id])).toEqual([
      [200, signers[0].id],
      [200, signers[1].id],
      [400, undefined],
    ])
    expect((await get(id)).body.status).toBe('sign_complete')
  })

  test('by itself: all of them, or the one that is meant', async () => {
    const all = crypto.randomUUID().slice(0, 30)
    const one = crypto.randomUUID().slice(0, 30)
    await fault(it, { provider: 'esign', behaviour: 'succeed', match: one, delay_ms: 3_600_000 })
    const meant = await asked([
      { identifier: one, displayName: 'A' },
      { identifier: all, displayName: 'B' },
    ])
    const upl = (await upload()).body.id
    await fault(it, { provider: 'esign', behaviour: 'decline', match: upl, delay_ms: 3_600_000 })
    const both = (await request(upl)).body
    await control(it, 'POST', '/clock', { advance_ms: 3_600_000 })
    expect((await get(meant.id)).body.signers).toMatchObject([{ status: 'signed' }, { status: 'pending' }])
    expect((await get(both.id)).body.signers).toMatchObject([
      { errCode: 'signer_declined' },
      { errCode: 'signer_declined' },
    ])
  })

  test('204: taken back, nobody can sign and nothing is known of it', async () => {
    const { id, signers } = await asked()
    expect(
      (
        await sendRequest(it.url, 'POST', `${API}/signature/${id}/delete/`, {
          headers: credentials(it),
          body: {},
        })
      ).status,
    ).toBe(204)
    expect([(await get(id)).status, (await applyOutcome(it, signers[0].id)).status]).toEqual([404, 400])
  })
})

describe('documents', () => {
  const bytes = async (address: string) => {
    const response = await fetch(address)
    return {
      status: response.status,
      type: response.headers.get('content-type'),
      content: Buffer.from(await response.arrayBuffer()),
    }
  }

  test('the signer reads what was uploaded, byte for byte', async () => {
    const {
      signers: [{ url }],
    } = await asked()
    expect(await (await fetch(url)).text()).toContain(`${new URL(url).pathname}/document.pdf`)
    expect(await bytes(`${url}/document.pdf`)).toEqual({
      status: 200,
      type: 'application/pdf',
      content: Buffer.from(PDF),
    })
  })

  test('the signed PDF is at a one-time address without credentials, the same bytes each time, others after each signature', async () => {
    const { id, signers } = await asked()
    const states: Buffer[] = []
    for (const signer of [undefined, ...signers]) {
      if (signer) await applyOutcome(it, signer.id)
      const { body } = await get(`${id}/download/`)
      const { body: other } = await get(`${id}/download/`)
      expect(body).toEqual({
        id,
        downloadUrl: expect.stringMatching(/\/sandbox\/files\/[0-9a-f-]{36}$/),
        validUpto: TIMESTAMP,
      })
      const first = await bytes(body.downloadUrl)
      expect([first.status, first.type, first.content.subarray(0, 5).toString()]).toEqual([
        200,
        'application/pdf',
        '%PDF-',
      ])
      expect((await bytes(other.downloadUrl)).content).toEqual(first.content)
      expect((await bytes(body.downloadUrl)).status).toBe(404)
      states.push(first.content)
    }
    expect(new Set(states.map(String)).size).toBe(3)
    expect(states[2]!.toString('latin1')).toMatch(/Asha Rao[^]*Signed on[^]*Tara Iyer[^]*Signed on/)
  })

  test('404: of those who ask at once for a one-time address one is given the PDF; nobody after its time', async () => {
    const { id } = await asked()
    const {
      body: { downloadUrl },
    } = await get(`${id}/download/`)
    const { body: late } = await get(`${id}/download/`)
    const statuses = await Promise.all(
      Array.from({ length: 6 }, async () => (await bytes(downloadUrl)).status),
    )
    expect(statuses.toSorted()).toEqual([200, ...Array(5).fill(404)])
    time.advance(16 * MINUTE)
    expect((await bytes(late.downloadUrl)).status).toBe(404)
  })

  test('the other interface answers the PDF itself, or with a fault a one-time address: our adapter takes both', async () => {
    const {
      body: { id },
    } = await sendRequest(it.url, 'POST', `${API}/esign`, {
      headers: credentials(it),
      body: {
        documentId: 'd',
        documentUrl: 'https://example.com/lease.pdf',
        signer: people[0],
        redirectUrl: 'x',
      },
    })
    const direct = await it.deps.signing.download(id)
    expect(Buffer.from(direct.subarray(0, 5)).toString()).toBe('%PDF-')
    await fault(it, { provider: 'esign', behaviour: 'link', match: id })
    const { body } = await sendRequest(it.url, 'GET', `${API}/esign/${id}/pdf`, { headers: credentials(it) })
    expect(body).toEqual({ downloadUrl: expect.any(String), validUpto: TIMESTAMP })
    await fault(it, { provider: 'esign', behaviour: 'link', match: id })
    expect(await it.deps.signing.download(id)).toEqual(direct)
  })

  test('a name in any script, however long, is no obstacle', async () => {
    const { id } = await asked(
      ['ज्ञानेश्वर क्षत्रिय', `${'M'.repeat(250)} (o\\)`, 'é'.repeat(300), '😀'].map((displayName, index) => ({
        identifier: `987654321${index}`,
        displayName,
      })),
    )
    const {
      body: { downloadUrl },
    } = await get(`${id}/download/`)
    const { content } = await bytes(downloadUrl)
    expect(content.toString('latin1')).toContain(
      Buffer.from('ज्ञानेश्वर क्षत्रिय', 'utf16le').swap16().toString('hex').toUpperCase(),
    )
    expect(content.toString('latin1').trimEnd()).toEndWith('%%EOF')
  })
})
