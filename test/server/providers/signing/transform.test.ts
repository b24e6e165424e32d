import { describe, expect, test } from 'bun:test'
import { createHmac } from 'node:crypto'
import { parseWebhook } from '../../../../server/providers/signing/setu/flexi/transform'
import { findSignerStatus } from '../../../../server/providers/signing/setu/native/transform'
import { toSignatureStatus } from '../../../../server/providers/signing/setu/schemas'
import { createWebhookCheck, signWebhook } from '../../../../server/providers/signing/setu/signature'

const toResponse = (
  status: string | undefined,
  signer: Record<string, unknown>,
  more: Record<string, unknown> = {},
) =>
  ({ id: 'r-1', status, signers: [{ id: 's-1', ...signer }], ...more }) as Parameters<
    typeof toSignatureStatus
  >[0]
const parseFirst = (event: string, esign: Record<string, unknown> = {}) =>
  parseWebhook(
    JSON.stringify({
      event,
      timeStamp: '2026-01-01T00:00:00Z',
      data: { esign: { id: 'r-1', documentId: 'd-1', ...esign } },
    }),
  )[0]

const webhookOutcomes = [
  ['ESIGN_REQUEST_CREATED', null, 'PENDING', {}],
  ['ESIGN_COMPLETE', null, 'SIGNED', {}],
  ['ESIGN_EXPIRED', null, 'EXPIRED', {}],
  ['ESIGN_EXPIRED', 'session_expired', 'EXPIRED', {}],
  ['ESIGN_FAILED', 'signer_declined', 'DECLINED', { declineReason: 'signer_declined' }],
  ['ESIGN_FAILED', null, 'DECLINED', { declineReason: expect.any(String) }],
  ['ESIGN_FAILED', '', 'DECLINED', { declineReason: expect.any(String) }],
  ['ESIGN_FAILED', undefined, 'DECLINED', { declineReason: expect.any(String) }],
  ['ESIGN_WEBHOOK_NOTIFICATION', 'signer_declined', 'DECLINED', { declineReason: 'signer_declined' }],
  ['ESIGN_OTP_FAILED', null, 'PENDING', { lastError: expect.any(String) }],
  ...['otp_expired', 'session_expired', 'document_already_signed', 'a_code_of_tomorrow'].flatMap(code =>
    ['ESIGN_FAILED', 'ESIGN_OTP_FAILED', 'ESIGN_WEBHOOK_NOTIFICATION'].map(
      event => [event, code, 'PENDING', { lastError: code }] as const,
    ),
  ),
  ...['ESIGN_TOMORROW', '', 'constructor', 'toString', '__proto__', 'hasOwnProperty'].map(
    event => [event, null, 'PENDING', {}] as const,
  ),
  ...['constructor', 'toString', '__proto__'].map(
    code => ['ESIGN_FAILED', code, 'PENDING', { lastError: code }] as const,
  ),
] as const

describe('a webhook', () => {
  for (const [event, errCode, status, more] of webhookOutcomes) {
    test(`${event || 'no event'} with ${errCode === undefined ? 'no errCode' : JSON.stringify(errCode)}: ${status}`, () => {
      expect(
        parseFirst(event, { status: 'sign_pending', signers: [{ id: 's-1', status: 'pending', errCode }] }),
      ).toMatchObject({ requestId: 'r-1', documentId: 'd-1', providerSignatureId: 's-1', status, ...more })
      expect(parseFirst(event, { signers: [{ errCode }] })?.status).toBe(status)
      if (!errCode) expect(parseFirst(event)?.status).toBe(status)
    })
  }

  for (const [status, signer, expected] of [
    ['sign_complete', 'signed', 'SIGNED'],
    ['sign_complete', 'pending', 'SIGNED'],
    ['sign_pending', 'signed', 'SIGNED'],
    ['sign_complete', 'signer_declined', 'DECLINED'],
    ['sign_in_progress', 'in_progress', 'PENDING'],
    ['sign_initiated', 'pending', 'PENDING'],
  ] as const) {
    test(`ESIGN_WEBHOOK_NOTIFICATION with ${status} and a signer ${signer}: ${expected}`, () => {
      expect(
        parseFirst('ESIGN_WEBHOOK_NOTIFICATION', { status, signers: [{ status: signer }] })?.status,
      ).toBe(expected)
    })
  }

  test('of another format has no result', () => {
    for (const payload of [
      '',
      'x',
      'null',
      '[]',
      '{}',
      '1',
      '"x"',
      '{"event":1,"data":{"esign":{"id":"r"}}}',
      '{"event":"ESIGN_COMPLETE"}',
      '{"event":"ESIGN_COMPLETE","data":{"esign":{}}}',
      '{"event":"ESIGN_COMPLETE","data":{"esign":{"id":1}}}',
      '{"event":"ESIGN_COMPLETE","data":{"esign":{"id":""}}}',
      `{"event":"ESIGN_COMPLETE","data":{"esign":{"id":"${'x'.repeat(256)}"}}}`,
      '{"event":"ESIGN_COMPLETE","data":{"esign":{"id":"r\\u0000"}}}',
      '{"event":"ESIGN_COMPLETE","data":{"esign":{"id":"r","signers":{}}}}',
      '{"event":"ESIGN_COMPLETE","data":{"esign":{"id":"r","signers":[{"status":1}]}}}',
    ])
      expect(parseWebhook(payload)).toEqual([])
  })
})

test('a webhook with a long error code keeps its beginning, as much as the column takes', () => {
  const errCode = 'x'.repeat(256)
  const { lastError } = parseFirst('ESIGN_FAILED', { signers: [{ errCode }] })!
  expect(lastError).toBe('x'.repeat(255))
})

describe('a response of the provider', () => {
  for (const [status, signerStatus, errCode, expected] of [
    ['sign_initiated', 'pending', null, 'PENDING'],
    ['sign_pending', 'pending', null, 'PENDING'],
    ['sign_in_progress', 'in_progress', null, 'PENDING'],
    ['sign_in_progress', 'pending', 'invaild_otp', 'PENDING'],
    ['sign_complete', 'signed', null, 'SIGNED'],
    ['sign_pending', 'signed', null, 'SIGNED'],
    ['sign_complete', undefined, null, 'SIGNED'],
    ['sign_pending', 'pending', 'signer_declined', 'DECLINED'],
    ['sign_pending', 'pending', 'session_expired', 'PENDING'],
    ['constructor', 'toString', '__proto__', 'PENDING'],
    [undefined, undefined, undefined, 'PENDING'],
  ] as const) {
    test(`${status}, signer ${signerStatus}, ${errCode}: ${expected}`, () => {
      expect(toSignatureStatus(toResponse(status, { status: signerStatus, errCode })).status).toBe(expected)
    })
  }

  test('has the id and the URL of the first signer, and the expiry in validUpto', () => {
    expect(
      toSignatureStatus(
        toResponse(
          'sign_initiated',
          { status: 'pending', url: 'https://sign.example.com/1' },
          { validUpto: '2026-03-01T10:00:00Z', documentId: 'd-1' },
        ),
      ),
    ).toEqual({
      requestId: 'r-1',
      documentId: 'd-1',
      providerSignatureId: 's-1',
      status: 'PENDING',
      signingUrl: 'https://sign.example.com/1',
      expiresAt: new Date('2026-03-01T10:00:00Z'),
      declineReason: undefined,
      lastError: undefined,
    })
    for (const validUpto of [undefined, null, '', 'tomorrow'])
      expect(toSignatureStatus(toResponse('sign_initiated', {}, { validUpto })).expiresAt).toBeUndefined()
  })
})

test.each<[string | undefined, string, string | undefined, string | null, object]>([
  [undefined, 'sign_pending', 'pending', null, {}],
  [undefined, 'sign_in_progress', undefined, null, { viewed: true }],
  [undefined, 'sign_pending', 'in_progress', null, { viewed: true }],
  [undefined, 'sign_pending', 'pending', 'service_down', { lastError: 'service_down' }],
  [
    undefined,
    'sign_pending',
    'pending',
    'session_expired',
    { lastError: 'session_expired', isSessionOver: true },
  ],
  [undefined, 'sign_pending', 'signed', 'session_expired', {}],
  [
    undefined,
    'sign_pending',
    'pending',
    'document_already_signed',
    { lastError: 'document_already_signed', needsSync: true },
  ],
  [undefined, 'sign_pending', 'signed', 'document_already_signed', {}],
  ['ESIGN_OTP_FAILED', 'sign_pending', 'pending', null, { viewed: true, lastError: 'otp_failed' }],
])('%p, %p, a signer %p and %p: says besides %j', (event, status, signer, errCode, expected) => {
  const { viewed, lastError, isSessionOver, needsSync } = toSignatureStatus(
    toResponse(status, { status: signer, errCode }),
    event,
  )
  expect({ viewed, lastError, isSessionOver, needsSync }).toEqual(expected as never)
})

test('a webhook is signed with HMAC-SHA-256 of the raw body, in base64', () => {
  const signature = createHmac('sha256', 'secret').update('{"ä":1}').digest('base64')
  expect(signWebhook('{"ä":1}', 'secret')).toBe(signature)
  expect(createWebhookCheck(['secret']).verifyWebhook('{"ä":1}', signature)).toBe(true)
  for (const [payload, given, secret] of [
    ['{"ä":1} ', signature, 'secret'],
    ['{"ä":1}', signature, 'other'],
    ['{"ä":1}', signature.slice(1), 'secret'],
    ['{"ä":1}', `${signature} `, 'secret'],
    ['{"ä":1}', '', 'secret'],
    ['{"ä":1}', null, 'secret'],
    ['{"ä":1}', 'é', 'secret'],
  ] as const)
    expect(createWebhookCheck([secret]).verifyWebhook(payload, given)).toBe(false)
})

test('no webhook has a valid signature if the secret is empty', () => {
  const signature = createHmac('sha256', '').update('{}').digest('base64')
  expect(createWebhookCheck(['']).verifyWebhook('{}', signature)).toBe(false)
})

test.each(['9876543210', '919876543210', '+91 98765 43210', undefined])(
  'a signer whom the provider names %p is found by ten digits',
  identifier => {
    const asha = { identifier: '9876543210', displayName: 'Asha Rao' }
    const found = findSignerStatus(asha, toResponse('sign_initiated', { identifier, status: 'pending' }))
    expect(found?.providerSignatureId).toBe(identifier && 's-1')
  },
)
