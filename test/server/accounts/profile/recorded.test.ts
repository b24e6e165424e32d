import { describe, expect, test } from 'bun:test'
import { createRecordedProvider, type Recorded } from '../../../support/recorded-provider'

const provider = createRecordedProvider()
const ID = 'a32bc9a4-1b6c-4c3e-bd3c-0a6d8a6f0f4e'
const ADDRESSES = {
  redirectUrl: 'https://api.example.com/verified',
  webhookUrl: 'https://api.example.com/webhooks/ekyc',
}

// Recorded responses.
const KYC_URL = 'https://kyc.example.com/a32bc9a4'
const created: Recorded = {
  status: 201,
  body: { id: ID, status: 'CREATED', kycURL: KYC_URL, traceId: '1-63e0e4b2-6f4c' },
}
const createdWithKycUrl: Recorded = { status: 201, body: { id: ID, status: 'CREATED', kycUrl: KYC_URL } }
const toVerified = (aadhaarNumber: string | null | undefined): Recorded => ({
  body: {
    id: ID,
    status: 'SUCCESS',
    kycURL: KYC_URL,
    data: {
      aadhaar: {
        name: 'Asha Rao',
        dateOfBirth: '01-01-1990',
        gender: 'F',
        address: { house: '12', street: 'ITPL Road', pin: '560048', state: 'Karnataka' },
        photo: '/9j/4AAQSkZJRgABAgAAAQABAAD',
        aadhaarNumber,
        generatedAt: '2026-03-01T10:00:00+05:30',
      },
      xml: '<?xml version="1.0"?><OfflinePaperlessKyc referenceId="8901"/>',
    },
  },
})
type Kyc = ReturnType<typeof provider.replay>['kyc']
const calls: Record<string, (kyc: Kyc) => Promise<unknown>> = {
  'a start': kyc => kyc.start(ADDRESSES),
  'a status': kyc => kyc.status(ID),
}

test.each(Object.entries({ kycURL: created, kycUrl: createdWithKycUrl }))(
  'a recorded start succeeds, with the address in %s',
  async (_, answer) => {
    expect(await provider.replay(answer).kyc.start(ADDRESSES)).toEqual({
      requestId: ID,
      verificationUrl: KYC_URL,
    })
    const [{ method, path, headers, body }] = provider.requests as [(typeof provider.requests)[0]]
    expect([
      method,
      path,
      ...['x-client-id', 'x-client-secret', 'x-product-instance-id', 'content-type'].map(name =>
        headers.get(name),
      ),
    ]).toEqual([
      'POST',
      '/api/ekyc/',
      'client',
      'the-client-secret',
      'the-product-instance',
      'application/json',
    ])
    expect(JSON.parse(body)).toEqual({
      redirection_url: ADDRESSES.redirectUrl,
      webhook_url: ADDRESSES.webhookUrl,
    })
  },
)

test('a status keeps of a long code and message what their columns take', async () => {
  const body = { status: 'ERROR', errorCode: 'c'.repeat(101), errorMsg: 'm'.repeat(5001) }
  const result = await provider.replay({ body }).kyc.status(ID)
  expect([result?.errorCode?.length, result?.errorMessage?.length]).toEqual([100, 5000])
})

describe('a recorded status', () => {
  const nothing = {
    name: undefined,
    maskedAadhaar: undefined,
    errorCode: undefined,
    errorMessage: undefined,
  }

  test.each([
    ['xxxxxxxx8901', '8901'],
    ['9123 4567 8901', '8901'],
    ['xxxx-xxxx-5678', '5678'],
    ['9012', '9012'],
    ['12', undefined],
    ['', undefined],
    [undefined, undefined],
    [null, undefined],
  ])(
    'is SUCCESS: of the Aadhaar number %p, %p is returned, and else the name alone',
    async (number, digits) => {
      const found = await provider.replay(toVerified(number)).kyc.status(ID)
      expect(found).toEqual({ ...nothing, status: 'SUCCESS', name: 'Asha Rao', maskedAadhaar: digits })
    },
  )

  test.each([
    ['CREATED', { kycURL: KYC_URL, data: null }],
    ['KYC_REQUESTED', { data: {} }],
    ['KYC_REQUESTED', { data: { aadhaar: null, xml: null } }],
    ['KYC_REQUESTED', { errorCode: null, errorMsg: null }],
    ['KYC_REQUESTED', {}],
  ] as const)('is %s with %j', async (status, more) => {
    const found = await provider.replay({ body: { id: ID, status, ...more } }).kyc.status(ID)
    expect(found).toEqual({ ...nothing, status })
  })

  test.each(['upstream_service_error', 'not_found', 'a_code_of_tomorrow'])(
    'is ERROR with the errorCode %s',
    async errorCode => {
      const body = { id: ID, status: 'ERROR', data: null, errorCode, errorMsg: 'It failed' }
      const found = await provider.replay({ body }).kyc.status(ID)
      expect(found).toEqual({ ...nothing, status: 'ERROR', errorCode, errorMessage: 'It failed' })
    },
  )

  test('is undefined if the provider does not know the request', async () => {
    const body = { errorCode: 'not_found', errorMsg: 'No KYC request of Asha Rao was found' }
    expect(await provider.replay({ status: 404, body }).kyc.status(ID)).toBeUndefined()
  })
})

test.each([
  [500, 1],
  [503, 2],
])(
  'a start that is answered %d is sent %d times: again only if no check can exist',
  async (status, times) => {
    const patient = createRecordedProvider({}, { PROVIDER_RETRIES: 1 })
    const starting = patient.replay({ status, body: {} }, created).kyc.start(ADDRESSES)
    if (times === 1) await expect(starting).rejects.toMatchObject({ status: 503 })
    else expect(await starting).toMatchObject({ requestId: ID })
    expect(patient.requests).toHaveLength(times)
  },
)

describe.each(Object.entries(calls))('%s', (_, call) => {
  test.each(
    Object.entries<unknown>({
      'an unknown status and no address': { id: ID, status: 'APPROVED', data: null },
      'a number as address and as name': {
        id: ID,
        kycURL: 7,
        status: 'SUCCESS',
        data: { aadhaar: { name: 7, aadhaarNumber: 912345678901 } },
      },
    }),
  )('503: %s; repeats nothing of the response', async (__, body) => {
    expect(await provider.getFailure(call(provider.replay({ body }).kyc), { body })).toMatchObject({
      code: 'SERVICE_UNAVAILABLE',
    })
  })
})
