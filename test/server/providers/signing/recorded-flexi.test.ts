import { describe, expect, test } from 'bun:test'
import { signWebhook } from '../../../../server/providers/signing/setu/signature'
import { createRecordedProvider, WEBHOOK_SECRET, type Recorded } from '../../../support/recorded-provider'

const provider = createRecordedProvider()
const ID = '460b4de8-a240-4803-9a5a-51a0cb37a865'
const OURS = 'c79fbf38-392f-4a57-b871-52b5b8f6ee59'
const SIGNER = '7899d1b2-79c3-4878-907f-44136bf44298'
const PAGE = 'https://dg-sandbox.example.com/signature/preview?requestId=460b4de8&signerId=7899d1b2'
const REQUEST = {
  documentId: OURS,
  documentUrl: 'https://example.com/lease.pdf',
  signer: { identifier: '9876543210', displayName: 'Asha Rao' },
  parties: [{ identifier: '9876543210', displayName: 'Asha Rao' }],
  earlier: [],
  redirectUrl: 'https://api.example.com/signed',
}

// Recorded responses.
const signer = {
  id: SIGNER,
  identifier: '9876543210',
  displayName: 'Asha Rao',
  status: 'pending',
  url: PAGE,
  errCode: null,
}
const toRequest = (status: string, signerChanges: Record<string, unknown> = {}) => ({
  id: ID,
  documentId: OURS,
  status,
  signers: [{ ...signer, ...signerChanges }],
})
const created: Recorded = {
  status: 201,
  body: {
    ...toRequest('sign_initiated', { signatureDetails: null }),
    redirectUrl: 'https://api.example.com/signed',
    validUpto: '2026-03-04T10:15:30+05:30',
    traceId: '38067411-fd02-408f-9e87-ea626702dc5a',
  },
}
const opened: Recorded = { body: toRequest('sign_in_progress', { status: 'in_progress', errCode: '' }) }
const waiting: Recorded = { body: toRequest('sign_pending') }
const signatureDetails = {
  aadhaarName: 'Asha Rao',
  aadhaarSuffix: '1234',
  postalCode: '560048',
  gender: 'F',
  birthYear: '1990',
}
const complete: Recorded = {
  body: toRequest('sign_complete', { status: 'signed', errCode: '', signatureDetails }),
}
const failed = (errCode: string): Recorded => ({ body: toRequest('sign_pending', { errCode }) })
const download: Recorded = {
  body: { id: ID, downloadUrl: `${provider.url}/bucket/signed.pdf`, validUpto: '2026-03-01T10:15:30+05:30' },
}
const pdf: Recorded = { body: '%PDF-1.7 signed by Asha Rao', type: 'application/pdf' }

const gone: Recorded = {
  status: 404,
  body: {
    error: { code: 'signature_request_not_found', detail: 'Signature Request Not Found.', traceId: '' },
  },
}

test('a recorded start', async () => {
  expect(await provider.replay(created).signing.initiate(REQUEST)).toMatchObject({
    requestId: ID,
    documentId: OURS,
    providerSignatureId: SIGNER,
    status: 'PENDING',
    signingUrl: PAGE,
    expiresAt: new Date('2026-03-04T04:45:30Z'),
  })
  const { headers, body, method, path } = provider.requests[0]!
  const names = ['x-client-id', 'x-client-secret', 'x-product-instance-id', 'content-type']
  const sent = ['client', 'the-client-secret', 'the-product-instance', 'application/json']
  expect([method, path]).toEqual(['POST', '/api/esign'])
  expect(names.map(name => headers.get(name))).toEqual(sent)
  expect(JSON.parse(body)).toEqual({
    documentId: OURS,
    documentUrl: 'https://example.com/lease.pdf',
    signer: { identifier: '9876543210', displayName: 'Asha Rao' },
    redirectUrl: 'https://api.example.com/signed',
  })
})

describe('a recorded status', () => {
  for (const [name, answer, expected] of [
    ['waiting', waiting, { status: 'PENDING', lastError: undefined }],
    ['opened', opened, { status: 'PENDING', viewed: true, lastError: undefined }],
    ['complete', complete, { status: 'SIGNED' }],
    ['waiting after an error', failed('otp_expired'), { status: 'PENDING', lastError: 'otp_expired' }],
    ['declined', failed('signer_declined'), { status: 'DECLINED', declineReason: 'signer_declined' }],
  ] as const) {
    test(`is ${name}`, async () =>
      expect(await provider.replay(answer).signing.status({ requestId: ID })).toMatchObject({
        requestId: ID,
        providerSignatureId: SIGNER,
        ...expected,
      }))
  }

  test('of an unknown request is undefined', async () =>
    expect(await provider.replay(gone).signing.status({ requestId: ID })).toBeUndefined())
})

describe('other recorded responses', () => {
  test('a cancellation, also of an unknown request', async () => {
    expect(await provider.replay({ status: 204 }).signing.cancel(ID)).toBe(true)
    expect(await provider.replay(gone).signing.cancel(ID)).toBe(true)
  })

  test('a download, as bytes or from a URL that gets no credentials', async () => {
    for (const answers of [[pdf], [download, pdf]]) {
      const bytes = await provider.replay(...answers).signing.download(ID)
      expect(Buffer.from(bytes).toString()).toBe('%PDF-1.7 signed by Asha Rao')
    }
    expect(provider.requests.map(({ path, headers }) => [path, headers.get('x-client-secret')])).toEqual([
      [`/api/esign/${ID}/pdf`, 'the-client-secret'],
      ['/bucket/signed.pdf', null],
    ])
  })
})

test.each<[what: string, body: object]>([
  ['no signers', { id: ID, status: 'sign_complete', signers: [] }],
  ['an address that no text holds', toRequest('sign_pending', { url: `${PAGE}\0` })],
])('503: a status with %s', async (_, body) => {
  const read = provider.replay({ body }).signing.status({ requestId: ID })
  expect(await provider.getFailure(read, { body })).toMatchObject({ code: 'SERVICE_UNAVAILABLE' })
})

test('503: a download of an unknown request, or one that fails or is not a PDF', async () => {
  for (const answers of [
    [{ body: '<html>Please log in</html>', type: 'application/pdf' }],
    [download, { body: '<html>Please log in</html>', type: 'application/pdf' }],
    [download, { status: 403, body: '<Error>AccessDenied</Error>', type: 'application/xml' }],
    [{ body: { downloadUrl: 'not an address' } }],
    [gone],
  ]) {
    expect(
      await provider.getFailure(provider.replay(...answers).signing.download(ID), ...answers),
    ).toMatchObject({ code: 'SERVICE_UNAVAILABLE' })
  }
})

// Recorded webhooks.
const webhooks: [string, string, object][] = [
  [
    'a completion',
    '{"event":"ESIGN_COMPLETE","timeStamp":"2026-03-01T10:05:00.204+05:30","data":{"esign":{"id":"460b4de8-a240-4803-9a5a-51a0cb37a865","documentId":"c79fbf38-392f-4a57-b871-52b5b8f6ee59","status":"sign_complete","signers":[{"id":"7899d1b2-79c3-4878-907f-44136bf44298","identifier":"9876543210","displayName":"Asha Rao","status":"signed","errCode":"","signatureDetails":{"aadhaarName":"Asha Rao","aadhaarSuffix":"1234","postalCode":"560048","gender":"F","birthYear":"1990"}}]}}}',
    { status: 'SIGNED' },
  ],
  [
    'a wrong OTP',
    '{"event":"ESIGN_OTP_FAILED","timeStamp":"2026-03-01T10:05:00.204+05:30","data":{"esign":{"id":"460b4de8-a240-4803-9a5a-51a0cb37a865","documentId":"c79fbf38-392f-4a57-b871-52b5b8f6ee59","status":"sign_in_progress","signers":[{"id":"7899d1b2-79c3-4878-907f-44136bf44298","identifier":"9876543210","displayName":"Asha Rao","status":"in_progress","errCode":"invaild_otp"}]}}}',
    { status: 'PENDING', viewed: true, lastError: 'invaild_otp' },
  ],
  [
    'the native event',
    '{"data":{"esign":{"id":"460b4de8-a240-4803-9a5a-51a0cb37a865","documentId":"c79fbf38-392f-4a57-b871-52b5b8f6ee59","status":"sign_pending","signers":[{"displayName":"Asha Rao","id":"7899d1b2-79c3-4878-907f-44136bf44298","identifier":"9876543210","status":"pending","errCode":"otp_not_entered","signatureDetails":{}}]}},"event":"ESIGN_WEBHOOK_NOTIFICATION","timeStamp":"2026-03-01T10:05:00.742012+05:30"}',
    { status: 'PENDING', lastError: 'otp_not_entered' },
  ],
]
test.each(webhooks)('a recorded webhook: %s', (_, payload, expected) => {
  const { signing } = provider.replay()
  const signature = signWebhook(payload, WEBHOOK_SECRET)
  expect(signing.parseWebhook(signing.redactWebhook(payload))).toMatchObject([
    { requestId: ID, documentId: OURS, providerSignatureId: SIGNER, ...expected },
  ])
  expect([
    signing.verifyWebhook(payload, signature),
    signing.verifyWebhook(`${payload} `, signature),
    signing.verifyWebhook(payload, null),
  ]).toEqual([true, false, false])
})

test('of a webhook, ids, times and known words are stored; other words are not', () => {
  const { signing } = provider.replay()
  const esign = {
    id: ID,
    documentId: 'Asha Rao',
    status: 'Asha Rao',
    signers: [{ id: SIGNER, status: '9876543210', errCode: 'Asha Rao' }],
  }
  const payload = JSON.stringify({ event: 'Asha Rao', timeStamp: 'Asha Rao', data: { esign } })

  const stored = JSON.parse(signing.redactWebhook(payload))

  const signers = [{ id: SIGNER, status: 'other', errCode: 'other' }]
  expect(stored).toEqual({ event: 'other', data: { esign: { id: ID, status: 'other', signers } } })
})
