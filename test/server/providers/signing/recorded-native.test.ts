import { describe, expect, test } from 'bun:test'
import {
  MALFORMED,
  createRecordedProvider,
  unavailable,
  type Recorded,
} from '../../../support/recorded-provider'

const provider = createRecordedProvider({ ESIGN_PROTOCOL: 'native' })
const ID = '460b4de8-a240-4803-9a5a-51a0cb37a865'
const EARLIER = 'cb80bfb4-d163-426e-ad57-1fd8889e62d4'
const ASHA = 'cb504cc9-3c10-4847-9282-19cf23b49c40'
const RAVI = '7899d1b2-79c3-4878-907f-44136bf44298'
const PAGE = 'https://dg-sandbox.example.com/signature/preview?requestId=460b4de8&signerId='
const [asha, ravi] = [
  { identifier: '9876543210', displayName: 'Asha Rao' },
  { identifier: '9123456789', displayName: 'Ravi Nair' },
]
const REQUEST = {
  documentId: '3f0c2b1e-5f3f-4d0b-8a55-6b8f1d9b0a11',
  documentUrl: `${provider.url}/leases/lease.pdf`,
  signer: ravi,
  parties: [asha, ravi],
  earlier: [] as string[],
  redirectUrl: 'https://api.example.com/signed',
}

// Recorded responses.
const document: Recorded = { body: '%PDF-1.7 the lease', type: 'application/pdf' }
const uploaded: Recorded = {
  status: 201,
  body: { id: '67e0ca30-49e4-4883-86f9-3762f0e6798c', name: '3f0c2b1e-5f3f-4d0b-8a55-6b8f1d9b0a11.pdf' },
}
const created: Recorded = {
  status: 201,
  body: {
    documentId: '67e0ca30-49e4-4883-86f9-3762f0e6798c',
    id: ID,
    redirectUrl: 'https://api.example.com/signed',
    signers: [
      {
        displayName: 'Asha Rao',
        birthYear: 'None',
        id: ASHA,
        identifier: '9876543210',
        signatureDetails: null,
        errCode: null,
        status: 'pending',
        url: `${PAGE}cb504cc9`,
      },
      {
        displayName: 'Ravi Nair',
        birthYear: 'None',
        id: RAVI,
        identifier: '9123456789',
        signatureDetails: null,
        errCode: null,
        status: 'pending',
        url: `${PAGE}7899d1b2`,
      },
    ],
    status: 'sign_initiated',
    traceId: '38067411-fd02-408f-9e87-ea626702dc5a',
  },
}
const initiated: Recorded = { ...created, status: 200 }
const partly: Recorded = {
  body: {
    documentId: '67e0ca30-49e4-4883-86f9-3762f0e6798c',
    id: ID,
    redirectUrl: 'https://api.example.com/signed',
    signers: [
      {
        displayName: 'Asha Rao',
        id: ASHA,
        identifier: '9876543210',
        signatureDetails: {
          aadhaarName: 'Asha Rao',
          aadhaarSuffix: '1234',
          birthYear: '1990',
          gender: 'F',
          postalCode: '560048',
        },
        errCode: '',
        status: 'signed',
        url: `${PAGE}cb504cc9`,
      },
      {
        displayName: 'Ravi Nair',
        id: RAVI,
        identifier: '9123456789',
        signatureDetails: {},
        errCode: '',
        status: 'pending',
        url: `${PAGE}7899d1b2`,
      },
    ],
    status: 'sign_pending',
  },
}
const opened: Recorded = {
  body: {
    documentId: '67e0ca30-49e4-4883-86f9-3762f0e6798c',
    id: ID,
    signers: [
      {
        displayName: 'Asha Rao',
        id: ASHA,
        identifier: '9876543210',
        errCode: '',
        status: 'pending',
        url: `${PAGE}cb504cc9`,
      },
      {
        displayName: 'Ravi Nair',
        id: RAVI,
        identifier: '9123456789',
        errCode: '',
        status: 'in_progress',
        url: `${PAGE}7899d1b2`,
      },
    ],
    status: 'sign_in_progress',
  },
}
const complete: Recorded = {
  body: {
    documentId: '67e0ca30-49e4-4883-86f9-3762f0e6798c',
    id: ID,
    signers: [
      {
        displayName: 'Asha Rao',
        id: ASHA,
        identifier: '9876543210',
        errCode: '',
        status: 'signed',
        url: `${PAGE}cb504cc9`,
      },
      {
        displayName: 'Ravi Nair',
        id: RAVI,
        identifier: '9123456789',
        errCode: '',
        status: 'signed',
        url: `${PAGE}7899d1b2`,
      },
    ],
    status: 'sign_complete',
  },
}
const failed = (errCode: string): Recorded => ({
  body: {
    documentId: '67e0ca30-49e4-4883-86f9-3762f0e6798c',
    id: ID,
    signers: [
      {
        displayName: 'Asha Rao',
        id: ASHA,
        identifier: '9876543210',
        errCode: '',
        status: 'signed',
        url: `${PAGE}cb504cc9`,
      },
      {
        displayName: 'Ravi Nair',
        id: RAVI,
        identifier: '9123456789',
        errCode,
        status: 'pending',
        url: `${PAGE}7899d1b2`,
      },
    ],
    status: 'sign_pending',
  },
})
const download: Recorded = {
  body: { downloadUrl: `${provider.url}/bucket/signed.pdf`, id: ID, validUpto: '2026-03-01T14:09:14+05:30' },
}
const pdf: Recorded = { body: '%PDF-1.7 signed by Asha Rao', type: 'application/pdf' }
const deleted: Recorded = { status: 204 }

const toError = (code: string, detail: string) => ({
  error: { code, detail, traceId: 'baf23d8b-3b2f-46aa-af0d-f217924f503b' },
})
const errors: [status: number, body: Recorded['body']][] = [
  [400, toError('invalid_document', 'The document Id is already being used in a signature')],
  [400, toError('invalid_payload', 'signers array not provided please check config payload.')],
  [401, toError('unauthorized', 'x-client-secret the-client-secret does not match')],
  [403, toError('forbidden', 'The product the-product-instance is not enabled')],
  [413, toError('document_too_large', 'The document is larger than is allowed')],
  [429, toError('too_many_requests', 'Slow down, please, Asha Rao')],
  [500, toError('signature_creation_failure', 'Failed to generate signature.')],
  [502, toError('upstream_server_error', "Upstream's internal service error")],
  [503, toError('service_down', 'ESP service down.')],
]
const gone: Recorded = {
  status: 404,
  body: {
    error: { code: 'signature_request_not_found', detail: 'Signature Request Not Found.', traceId: '' },
  },
}
const notSigned: Recorded = {
  status: 400,
  body: {
    error: { code: 'document_not_signed', detail: 'Only signed documents can be downloaded.', traceId: '' },
  },
}
const noDocument: Recorded = {
  status: 404,
  body: { error: { code: 'document_not_found', detail: 'Document not found.', traceId: '' } },
}

type Signing = ReturnType<typeof provider.replay>['signing']
/** The responses before the one under test, the call, and the request under test. */
const calls: Record<string, [Recorded[], (signing: Signing) => Promise<unknown>, string]> = {
  'an upload': [[document], signing => signing.initiate(REQUEST), 'POST /api/documents'],
  'a create': [[document, uploaded], signing => signing.initiate(REQUEST), 'POST /api/signature'],
  'the reading of an earlier request': [
    [],
    signing => signing.initiate({ ...REQUEST, earlier: [EARLIER] }),
    `GET /api/signature/${EARLIER}`,
  ],
  'a status': [
    [],
    signing => signing.status({ requestId: ID, providerSignatureId: RAVI }),
    `GET /api/signature/${ID}`,
  ],
  'a deletion': [[initiated], signing => signing.cancel(ID), `POST /api/signature/${ID}/delete/`],
  'a download': [[], signing => signing.download(ID), `GET /api/signature/${ID}/download/`],
}
const paths = () => provider.requests.map(({ method, path }) => `${method} ${path}`)

describe('recorded success', () => {
  test('a start uploads the document and creates one request for both', async () => {
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
    const [fetched, upload, create] = provider.requests as [
      (typeof provider.requests)[0],
      (typeof provider.requests)[0],
      (typeof provider.requests)[0],
    ]
    expect([fetched, upload, create].map(({ headers }) => headers.get('x-client-secret'))).toEqual([
      null,
      'the-client-secret',
      'the-client-secret',
    ])
    expect(upload.headers.get('content-type')).toStartWith('multipart/form-data; boundary=')
    for (const part of [
      'name="name"\r\n\r\n3f0c2b1e-5f3f-4d0b-8a55-6b8f1d9b0a11.pdf\r\n',
      'name="document"; filename="3f0c2b1e-5f3f-4d0b-8a55-6b8f1d9b0a11.pdf"\r\nContent-Type: application/pdf\r\n\r\n%PDF-1.7 the lease\r\n',
    ])
      expect(upload.body).toContain(part)
    expect(JSON.parse(create.body)).toEqual({
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
    })
  })

  test('a start returns the signer’s place in an open request', async () => {
    for (const answer of [initiated, partly, opened, failed('otp_expired')]) {
      expect(await provider.replay(answer).signing.initiate({ ...REQUEST, earlier: [ID] })).toMatchObject({
        requestId: ID,
        providerSignatureId: RAVI,
        signingUrl: `${PAGE}7899d1b2`,
      })
      expect(paths()).toEqual([`GET /api/signature/${ID}`])
    }
  })

  test('a start after a decline uses the document as signed so far', async () => {
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
    'a start uses the original document if the signed one is %s',
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

  test('a start ignores an unknown earlier request', async () => {
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

  for (const [name, answer, ofAsha, ofRavi] of [
    ['initiated', initiated, { status: 'PENDING' }, { status: 'PENDING' }],
    ['pending', partly, { status: 'SIGNED' }, { status: 'PENDING', lastError: undefined }],
    ['in progress', opened, { status: 'PENDING', viewed: undefined }, { status: 'PENDING', viewed: true }],
    ['complete', complete, { status: 'SIGNED' }, { status: 'SIGNED' }],
    [
      'declined by one',
      failed('signer_declined'),
      { status: 'SIGNED' },
      { status: 'DECLINED', declineReason: 'signer_declined' },
    ],
  ] as const) {
    test(`a status of each signer: ${name}`, async () => {
      expect(
        await provider.replay(answer).signing.status({ requestId: ID, providerSignatureId: ASHA }),
      ).toMatchObject({ requestId: ID, providerSignatureId: ASHA, ...ofAsha })
      expect(
        await provider.replay(answer).signing.status({ requestId: ID, providerSignatureId: RAVI }),
      ).toMatchObject({ requestId: ID, providerSignatureId: RAVI, ...ofRavi })
    })
  }

  test.each([
    'session_expired',
    'document_already_signed',
    'document_not_found',
    'signature_creation_failure',
    'exceeded_otp_retries',
    'otp_not_entered',
    'otp_expired',
    'aadhaar_not_linked',
    'service_down',
    'name_match_error',
    'yob_match_error',
    'invaild_otp',
    'otp_flooding_error',
    'transaction_not_allowed',
    'exceeded_otp_generation',
    'exceeded_otp_attempt',
    'wait_otp_generation_1min',
    'wait_otp_generation_30min',
    'tnx_value_mismatch',
    'aadhaar_locked',
    'invalid_aadhaar_number',
    'aadhaar_suspended',
    'upstream_server_error',
  ])('a status with the errCode %s: still to be signed', async errCode => {
    expect(
      await provider.replay(failed(errCode)).signing.status({ requestId: ID, providerSignatureId: RAVI }),
    ).toMatchObject({ status: 'PENDING', lastError: errCode, declineReason: undefined })
  })

  test('a status of an unknown request or signer is undefined', async () => {
    expect(
      await provider.replay(gone).signing.status({ requestId: ID, providerSignatureId: RAVI }),
    ).toBeUndefined()
    expect(
      await provider.replay(partly).signing.status({ requestId: ID, providerSignatureId: 'another signer' }),
    ).toBeUndefined()
    expect(
      await provider.replay(complete).signing.status({ requestId: ID, providerSignatureId: null }),
    ).toBeUndefined()
  })

  test('a cancellation deletes the request, unless it has a signature or is unknown', async () => {
    for (const answer of [initiated, opened]) {
      expect(await provider.replay(answer, deleted).signing.cancel(ID)).toBeUndefined()
      expect(paths()).toEqual([`GET /api/signature/${ID}`, `POST /api/signature/${ID}/delete/`])
    }
    for (const answer of [partly, complete, gone]) {
      expect(await provider.replay(answer).signing.cancel(ID)).toBeUndefined()
      expect(paths()).toEqual([`GET /api/signature/${ID}`])
    }
    expect(await provider.replay(initiated, gone).signing.cancel(ID)).toBeUndefined()
  })

  test('a download, as bytes or from a URL that gets no credentials', async () => {
    expect(Buffer.from(await provider.replay(pdf).signing.download(ID)).toString()).toBe(
      '%PDF-1.7 signed by Asha Rao',
    )
    expect(Buffer.from(await provider.replay(download, pdf).signing.download(ID)).toString()).toBe(
      '%PDF-1.7 signed by Asha Rao',
    )
    expect(provider.requests.map(({ headers }) => headers.get('x-client-secret'))).toEqual([
      'the-client-secret',
      null,
    ])
  })
})

describe.each(Object.entries(calls))('%s', (_, [before, call, where]) => {
  test.each(errors)('%d: 503: repeats nothing of the response', async (status, body) => {
    expect(
      await provider.getFailure(call(provider.replay(...before, { status, body }).signing), { body }),
    ).toEqual(unavailable(`e-signing ${where} answered ${status}`))
    expect(paths().at(-1)).toBe(where)
  })
})

describe.each(Object.entries(calls).filter(([name]) => name !== 'a deletion'))(
  '%s, malformed:',
  (_, [before, call, where]) => {
    test.each(Object.entries(MALFORMED))('%s', async (__, answer) => {
      expect(
        await provider.getFailure(call(provider.replay(...before, answer).signing), answer),
      ).toMatchObject({ code: 'SERVICE_UNAVAILABLE' })
      expect(paths().at(-1)).toBe(where)
    })
  },
)

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

// Recorded webhooks.
const webhooks: [string, string, object[]][] = [
  [
    'ESIGN_WEBHOOK_NOTIFICATION: one has signed',
    '{"data":{"esign":{"id":"460b4de8-a240-4803-9a5a-51a0cb37a865","documentId":"67e0ca30-49e4-4883-86f9-3762f0e6798c","status":"sign_pending","signers":[{"displayName":"Asha Rao","id":"cb504cc9-3c10-4847-9282-19cf23b49c40","identifier":"919876543210","status":"signed","errCode":"","signatureDetails":{"aadhaarName":"Asha Rao","aadhaarSuffix":"1234","postalCode":"560048","gender":"F","birthYear":"1990"}},{"displayName":"Ravi Nair","id":"7899d1b2-79c3-4878-907f-44136bf44298","identifier":"919123456789","status":"pending","errCode":"","signatureDetails":{}}]}},"event":"ESIGN_WEBHOOK_NOTIFICATION","timeStamp":"2026-03-01T23:45:25.989694+05:30"}',
    [
      { providerSignatureId: ASHA, status: 'SIGNED' },
      { providerSignatureId: RAVI, status: 'PENDING', lastError: undefined },
    ],
  ],
  [
    'ESIGN_WEBHOOK_NOTIFICATION: the other fails',
    '{"data":{"esign":{"id":"460b4de8-a240-4803-9a5a-51a0cb37a865","documentId":"67e0ca30-49e4-4883-86f9-3762f0e6798c","status":"sign_pending","signers":[{"displayName":"Ravi Nair","id":"7899d1b2-79c3-4878-907f-44136bf44298","identifier":"919123456789","status":"pending","errCode":"otp_not_entered","signatureDetails":{}},{"displayName":"Asha Rao","id":"cb504cc9-3c10-4847-9282-19cf23b49c40","identifier":"919876543210","status":"signed","errCode":"","signatureDetails":{"aadhaarName":"Asha Rao","aadhaarSuffix":"1234","postalCode":"560048","gender":"F","birthYear":"1990"}}]}},"event":"ESIGN_WEBHOOK_NOTIFICATION","timeStamp":"2026-03-01T23:49:12.743012+05:30"}',
    [
      { providerSignatureId: RAVI, status: 'PENDING', lastError: 'otp_not_entered' },
      { providerSignatureId: ASHA, status: 'SIGNED' },
    ],
  ],
  [
    'ESIGN_WEBHOOK_NOTIFICATION: all have signed',
    '{"data":{"esign":{"id":"460b4de8-a240-4803-9a5a-51a0cb37a865","documentId":"67e0ca30-49e4-4883-86f9-3762f0e6798c","status":"sign_complete","signers":[{"displayName":"Ravi Nair","id":"7899d1b2-79c3-4878-907f-44136bf44298","identifier":"919123456789","status":"signed","errCode":""},{"displayName":"Asha Rao","id":"cb504cc9-3c10-4847-9282-19cf23b49c40","identifier":"919876543210","status":"signed","errCode":""}]}},"event":"ESIGN_WEBHOOK_NOTIFICATION","timeStamp":"2026-03-01T23:51:36.164321+05:30"}',
    [
      { providerSignatureId: RAVI, status: 'SIGNED' },
      { providerSignatureId: ASHA, status: 'SIGNED' },
    ],
  ],
  [
    'ESIGN_REQUEST_CREATED',
    '{"event":"ESIGN_REQUEST_CREATED","timeStamp":"2026-03-01T23:40:00+05:30","data":{"esign":{"id":"460b4de8-a240-4803-9a5a-51a0cb37a865","documentId":"67e0ca30-49e4-4883-86f9-3762f0e6798c","status":"sign_initiated","signers":[{"id":"cb504cc9-3c10-4847-9282-19cf23b49c40","identifier":"9876543210","status":"pending","errCode":null},{"id":"7899d1b2-79c3-4878-907f-44136bf44298","identifier":"9123456789","status":"pending","errCode":null}]}}}',
    [
      { providerSignatureId: ASHA, status: 'PENDING' },
      { providerSignatureId: RAVI, status: 'PENDING' },
    ],
  ],
  [
    'ESIGN_COMPLETE of one of two',
    '{"event":"ESIGN_COMPLETE","timeStamp":"2026-03-01T23:45:00+05:30","data":{"esign":{"id":"460b4de8-a240-4803-9a5a-51a0cb37a865","status":"sign_pending","signers":[{"id":"cb504cc9-3c10-4847-9282-19cf23b49c40","status":"signed","errCode":""},{"id":"7899d1b2-79c3-4878-907f-44136bf44298","status":"pending","errCode":""}]}}}',
    [
      { providerSignatureId: ASHA, status: 'SIGNED' },
      { providerSignatureId: RAVI, status: 'PENDING' },
    ],
  ],
  [
    'ESIGN_COMPLETE that names only the signer who has yet to sign',
    '{"event":"ESIGN_COMPLETE","timeStamp":"2026-03-01T23:45:00+05:30","data":{"esign":{"id":"460b4de8-a240-4803-9a5a-51a0cb37a865","status":"sign_pending","signers":[{"id":"7899d1b2-79c3-4878-907f-44136bf44298","status":"pending","errCode":""}]}}}',
    [{ providerSignatureId: RAVI, status: 'PENDING' }],
  ],
  [
    'ESIGN_COMPLETE of a request that is complete',
    '{"event":"ESIGN_COMPLETE","timeStamp":"2026-03-01T23:51:00+05:30","data":{"esign":{"id":"460b4de8-a240-4803-9a5a-51a0cb37a865","status":"sign_complete","signers":[{"id":"cb504cc9-3c10-4847-9282-19cf23b49c40","status":"signed"},{"id":"7899d1b2-79c3-4878-907f-44136bf44298","status":"in_progress"}]}}}',
    [
      { providerSignatureId: ASHA, status: 'SIGNED' },
      { providerSignatureId: RAVI, status: 'SIGNED' },
    ],
  ],
  [
    'ESIGN_FAILED by the one who declined',
    '{"event":"ESIGN_FAILED","timeStamp":"2026-03-01T23:45:00+05:30","data":{"esign":{"id":"460b4de8-a240-4803-9a5a-51a0cb37a865","status":"sign_initiated","signers":[{"id":"cb504cc9-3c10-4847-9282-19cf23b49c40","status":"pending","errCode":""},{"id":"7899d1b2-79c3-4878-907f-44136bf44298","status":"pending","errCode":"signer_declined"}]}}}',
    [
      { providerSignatureId: ASHA, status: 'PENDING', declineReason: undefined },
      { providerSignatureId: RAVI, status: 'DECLINED', declineReason: 'signer_declined' },
    ],
  ],
  [
    'ESIGN_FAILED that names no signer',
    '{"event":"ESIGN_FAILED","timeStamp":"2026-03-01T23:45:00+05:30","data":{"esign":{"id":"460b4de8-a240-4803-9a5a-51a0cb37a865","status":"sign_initiated","signers":[{"id":"cb504cc9-3c10-4847-9282-19cf23b49c40","status":"pending"},{"id":"7899d1b2-79c3-4878-907f-44136bf44298","status":"pending"}]}}}',
    [
      { providerSignatureId: ASHA, status: 'PENDING' },
      { providerSignatureId: RAVI, status: 'PENDING' },
    ],
  ],
  [
    'ESIGN_FAILED of the only signer',
    '{"event":"ESIGN_FAILED","timeStamp":"2026-03-01T23:45:00+05:30","data":{"esign":{"id":"460b4de8-a240-4803-9a5a-51a0cb37a865","status":"sign_initiated","signers":[{"id":"7899d1b2-79c3-4878-907f-44136bf44298","status":"pending"}]}}}',
    [{ providerSignatureId: RAVI, status: 'DECLINED' }],
  ],
  [
    'ESIGN_OTP_FAILED',
    '{"event":"ESIGN_OTP_FAILED","timeStamp":"2026-03-01T23:45:00+05:30","data":{"esign":{"id":"460b4de8-a240-4803-9a5a-51a0cb37a865","status":"sign_in_progress","signers":[{"id":"cb504cc9-3c10-4847-9282-19cf23b49c40","status":"pending","errCode":""},{"id":"7899d1b2-79c3-4878-907f-44136bf44298","status":"in_progress","errCode":"invaild_otp"}]}}}',
    [
      { providerSignatureId: ASHA, status: 'PENDING', viewed: undefined, lastError: undefined },
      { providerSignatureId: RAVI, status: 'PENDING', viewed: true, lastError: 'invaild_otp' },
    ],
  ],
  [
    'ESIGN_EXPIRED',
    '{"event":"ESIGN_EXPIRED","timeStamp":"2026-03-04T23:45:00+05:30","data":{"esign":{"id":"460b4de8-a240-4803-9a5a-51a0cb37a865","status":"sign_pending","signers":[{"id":"cb504cc9-3c10-4847-9282-19cf23b49c40","status":"signed","errCode":""},{"id":"7899d1b2-79c3-4878-907f-44136bf44298","status":"pending","errCode":"session_expired"}]}}}',
    [
      { providerSignatureId: ASHA, status: 'SIGNED' },
      { providerSignatureId: RAVI, status: 'EXPIRED' },
    ],
  ],
  [
    'ESIGN_EXPIRED without signers',
    '{"event":"ESIGN_EXPIRED","timeStamp":"2026-03-04T23:45:00+05:30","data":{"esign":{"id":"460b4de8-a240-4803-9a5a-51a0cb37a865"}}}',
    [{ providerSignatureId: undefined, status: 'EXPIRED' }],
  ],
]
describe('a recorded webhook reports each signer', () => {
  test.each(webhooks)('%s', (_, payload, expected) => {
    expect(provider.replay().signing.parseWebhook(payload) as object[]).toMatchObject(
      expected.map(each => ({ requestId: ID, ...each })),
    )
  })

  test('and no signer if it is not the provider’s', () => {
    for (const payload of [
      '',
      'x',
      'null',
      '[]',
      '{}',
      '{"event":"ESIGN_COMPLETE","data":{}}',
      '{"event":"ESIGN_COMPLETE","data":{"esign":{"id":1}}}',
      '{"event":"ESIGN_COMPLETE","data":{"esign":{"id":"r","signers":"all"}}}',
    ])
      expect(provider.replay().signing.parseWebhook(payload)).toEqual([])
  })
})
