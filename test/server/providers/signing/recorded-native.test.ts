import { describe, expect, test } from 'bun:test'
import type { Recorded } from '../../../support/recorded-provider'
import {
  ASHA,
  EARLIER,
  ID,
  PAGE,
  RAVI,
  REQUEST,
  complete,
  created,
  deleted,
  document,
  download,
  failed,
  gone,
  initiated,
  noDocument,
  notSigned,
  opened,
  partly,
  pdf,
  provider,
  ravi,
  uploaded,
} from './recorded-native'
import { toTinyPdf } from '../../../support/pdf'

const paths = () => provider.requests.map(({ method, path }) => `${method} ${path}`)

const createBody = {
  documentId: '67e0ca30-49e4-4883-86f9-3762f0e6798c',
  redirectUrl: 'https://api.example.com/signed',
  signers: [
    {
      identifier: '9876543210',
      displayName: 'Asha Rao',
      signature: { onPages: ['all'], position: 'bottom-right', height: 60, width: 180 },
    },
    {
      identifier: '9123456789',
      displayName: 'Ravi Nair',
      signature: { onPages: ['all'], position: 'bottom-left', height: 60, width: 180 },
    },
  ],
}

describe('a recorded start', () => {
  test('uploads the document and creates one request for both', async () => {
    expect(await provider.replay(document, uploaded, created).signing.initiate(REQUEST)).toEqual({
      requestId: ID,
      documentId: undefined,
      providerSignatureId: RAVI,
      status: 'PENDING',
      viewed: undefined,
      signingUrl: `${PAGE}7899d1b2`,
      expiresAt: undefined,
      declineReason: undefined,
      lastError: undefined,
      others: [
        {
          identifier: '9876543210',
          status: expect.objectContaining({
            requestId: ID,
            status: 'PENDING',
            signingUrl: expect.stringContaining('signerId=cb504cc9'),
          }),
        },
      ],
    })
    expect(paths()).toEqual(['GET /leases/lease.pdf', 'POST /api/documents', 'POST /api/signature'])
    const secrets = provider.requests.map(({ headers }) => headers.get('x-client-secret'))
    expect(secrets).toEqual([null, 'the-client-secret', 'the-client-secret'])
    const [upload, create] = [provider.requests[1]!, provider.requests[2]!]
    expect(upload.headers.get('content-type')).toStartWith('multipart/form-data; boundary=')
    const name = '3f0c2b1e-5f3f-4d0b-8a55-6b8f1d9b0a11.pdf'
    expect(upload.body).toContain(`name="name"\r\n\r\n${name}\r\n`)
    const part = `name="document"; filename="${name}"\r\nContent-Type: application/pdf\r\n\r\n${toTinyPdf('the lease')}\r\n`
    expect(upload.body).toContain(part)
    expect(JSON.parse(create.body)).toEqual(createBody)
  })

  test('returns the signer’s place in an open request', async () => {
    for (const answer of [initiated, partly, opened, failed('otp_expired')]) {
      expect(await provider.replay(answer).signing.initiate({ ...REQUEST, earlier: [ID] })).toMatchObject({
        requestId: ID,
        providerSignatureId: RAVI,
        signingUrl: `${PAGE}7899d1b2`,
      })
      expect(paths()).toEqual([`GET /api/signature/${ID}`])
    }
  })
})

describe('a recorded start after an earlier request', () => {
  test('uses the partly signed document after a decline', async () => {
    await provider
      .replay(failed('signer_declined'), download, pdf, uploaded, created)
      .signing.initiate({ ...REQUEST, parties: [ravi], earlier: [ID] })
    expect(paths()).toEqual([
      `GET /api/signature/${ID}`,
      `GET /api/signature/${ID}/download/`,
      'GET /bucket/signed.pdf',
      'POST /api/documents',
      'POST /api/signature',
    ])
    expect(provider.requests[3]!.body).toContain('%PDF-1.7 signed by Asha Rao')
  })

  test.each(Object.entries({ 'not available yet': notSigned, gone: noDocument }))(
    'uses the original document if the signed one is %s',
    async (_, refusal) => {
      await provider
        .replay(failed('signer_declined'), refusal, document, uploaded, created)
        .signing.initiate({ ...REQUEST, parties: [ravi], earlier: [ID] })
      expect(paths().slice(1)).toEqual([
        `GET /api/signature/${ID}/download/`,
        'GET /leases/lease.pdf',
        'POST /api/documents',
        'POST /api/signature',
      ])
    },
  )

  test('ignores an unknown request', async () => {
    await provider
      .replay(gone, document, uploaded, created)
      .signing.initiate({ ...REQUEST, earlier: [EARLIER] })
    expect(paths()).toEqual([
      `GET /api/signature/${EARLIER}`,
      'GET /leases/lease.pdf',
      'POST /api/documents',
      'POST /api/signature',
    ])
  })
})

const declined = { status: 'DECLINED', declineReason: 'signer_declined' } as const
const troubled = { status: 'PENDING', lastError: 'otp_expired', declineReason: undefined } as const
const readStatus = (answer: Recorded, providerSignatureId: string | null) =>
  provider.replay(answer).signing.status({ requestId: ID, providerSignatureId })

describe('a recorded status', () => {
  test.each<[what: string, answer: Recorded, ofAsha: object, ofRavi: object]>([
    ['initiated', initiated, { status: 'PENDING' }, { status: 'PENDING' }],
    ['pending', partly, { status: 'SIGNED' }, { status: 'PENDING', lastError: undefined }],
    ['in progress', opened, { status: 'PENDING', viewed: undefined }, { status: 'PENDING', viewed: true }],
    ['complete', complete, { status: 'SIGNED' }, { status: 'SIGNED' }],
    ['waiting after an error', failed('otp_expired'), { status: 'SIGNED' }, troubled],
    ['declined by one', failed('signer_declined'), { status: 'SIGNED' }, declined],
  ])('of each signer: %s', async (_, answer, ofAsha, ofRavi) => {
    const [asha, ravi] = [await readStatus(answer, ASHA), await readStatus(answer, RAVI)]
    expect(asha).toMatchObject({ requestId: ID, providerSignatureId: ASHA, ...ofAsha })
    expect(ravi).toMatchObject({ requestId: ID, providerSignatureId: RAVI, ...ofRavi })
  })

  test('of an unknown request or signer is undefined', async () => {
    expect(await readStatus(gone, RAVI)).toBeUndefined()
    expect(await readStatus(partly, 'another signer')).toBeUndefined()
    expect(await readStatus(complete, null)).toBeUndefined()
  })
})

describe('other recorded responses', () => {
  test('a cancellation deletes the request, unless it has a signature or is unknown', async () => {
    for (const answer of [initiated, opened]) {
      expect(await provider.replay(answer, deleted).signing.cancel(ID)).toBe(true)
      expect(paths()).toEqual([`GET /api/signature/${ID}`, `POST /api/signature/${ID}/delete/`])
    }
    for (const answer of [partly, complete, gone]) {
      expect(await provider.replay(answer).signing.cancel(ID)).toBe(answer === gone)
      expect(paths()).toEqual([`GET /api/signature/${ID}`])
    }
    expect(await provider.replay(initiated, gone).signing.cancel(ID)).toBe(true)
  })

  test('a download, as bytes or from a URL that gets no credentials', async () => {
    for (const answers of [[pdf], [download, pdf]]) {
      const bytes = await provider.replay(...answers).signing.download(ID)
      expect(Buffer.from(bytes).toString()).toBe('%PDF-1.7 signed by Asha Rao')
    }
    const secrets = provider.requests.map(({ headers }) => headers.get('x-client-secret'))
    expect(secrets).toEqual(['the-client-secret', null])
  })
})

test('503: a created request without the signer or the signing URL', async () => {
  for (const signers of [
    [],
    [{ id: ASHA, identifier: '9876543210', status: 'pending', url: PAGE }],
    [{ id: RAVI, identifier: '9123456789', status: 'pending', url: null }],
    [{ id: RAVI, status: 'pending', url: PAGE }],
  ]) {
    const answer = { body: { id: ID, status: 'sign_initiated', signers } }
    expect(
      await provider.getFailure(
        provider.replay(document, uploaded, answer).signing.initiate(REQUEST),
        answer,
      ),
    ).toMatchObject({ code: 'SERVICE_UNAVAILABLE' })
  }
})

test('400: document_url that is not a PDF', async () => {
  for (const answer of [
    { body: '<html>Please log in</html>', type: 'text/html' },
    { status: 403, body: '<Error>AccessDenied</Error>', type: 'application/xml' },
    { status: 204 },
  ]) {
    expect(
      await provider.getFailure(provider.replay(answer).signing.initiate(REQUEST), answer),
    ).toMatchObject({ code: 'BAD_REQUEST', status: 400 })
    expect(paths()).toEqual(['GET /leases/lease.pdf'])
  }
})
