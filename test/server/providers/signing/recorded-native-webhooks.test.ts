import { expect, test } from 'bun:test'
import { ASHA, ID, RAVI, provider } from './recorded-native'

type SignatureNews = ReturnType<ReturnType<typeof provider.replay>['signing']['parseWebhook']>[number]

/** What is told of each signer, by id: the status, and what else is known. */
function listTold(payload: string) {
  const { signing } = provider.replay()
  const news: SignatureNews[] = signing.parseWebhook(signing.redactWebhook(payload))
  return news.map(({ requestId, providerSignatureId, status, viewed, lastError, declineReason }) => {
    expect(requestId).toBe(ID)
    const more = [viewed && 'viewed', lastError, declineReason && `because ${declineReason}`]
    return [providerSignatureId, [status, ...more].filter(Boolean).join(' ')]
  })
}

test('a recorded webhook', () => {
  const payload =
    '{"data":{"esign":{"id":"460b4de8-a240-4803-9a5a-51a0cb37a865","documentId":"67e0ca30-49e4-4883-86f9-3762f0e6798c","status":"sign_pending","signers":[{"displayName":"Ravi Nair","id":"7899d1b2-79c3-4878-907f-44136bf44298","identifier":"919123456789","status":"pending","errCode":"otp_not_entered","signatureDetails":{}},{"displayName":"Asha Rao","id":"cb504cc9-3c10-4847-9282-19cf23b49c40","identifier":"919876543210","status":"signed","errCode":"","signatureDetails":{"aadhaarName":"Asha Rao","aadhaarSuffix":"1234","postalCode":"560048","gender":"F","birthYear":"1990"}}]}},"event":"ESIGN_WEBHOOK_NOTIFICATION","timeStamp":"2026-03-01T23:49:12.743012+05:30"}'
  expect(listTold(payload)).toEqual([
    [RAVI, 'PENDING otp_not_entered'],
    [ASHA, 'SIGNED'],
  ])
})

/** A signer as `status errCode`; one without an id is not named. */
const toSigner = (id: string, signer: string) => {
  const [status, errCode = ''] = signer.split(' ')
  return { id, status, errCode }
}
const toPayload = (event: string, status: string | undefined, signers: object[] | undefined) =>
  JSON.stringify({
    event,
    timeStamp: '2026-03-01T23:45:00+05:30',
    data: { esign: { id: ID, status, signers } },
  })

test.each([
  ['ESIGN_WEBHOOK_NOTIFICATION', 'sign_complete', 'signed', 'signed', 'SIGNED', 'SIGNED'],
  ['ESIGN_REQUEST_CREATED', 'sign_initiated', 'pending', 'pending', 'PENDING', 'PENDING'],
  ['ESIGN_COMPLETE', 'sign_pending', 'signed', 'pending', 'SIGNED', 'PENDING'],
  ['ESIGN_COMPLETE', 'sign_complete', 'signed', 'in_progress', 'SIGNED', 'SIGNED viewed'],
  ['ESIGN_FAILED', 'sign_initiated', 'pending', 'pending', 'PENDING', 'PENDING'],
  [
    'ESIGN_FAILED',
    'sign_initiated',
    'pending',
    'pending signer_declined',
    'PENDING',
    'DECLINED because signer_declined',
  ],
  [
    'ESIGN_OTP_FAILED',
    'sign_in_progress',
    'pending',
    'in_progress invaild_otp',
    'PENDING',
    'PENDING viewed invaild_otp',
  ],
  ['ESIGN_EXPIRED', 'sign_pending', 'signed', 'pending session_expired', 'SIGNED', 'EXPIRED'],
])('%s, %s, of signers %s and %s: %s and %s', (event, status, asha, ravi, toldOfAsha, toldOfRavi) => {
  expect(listTold(toPayload(event, status, [toSigner(ASHA, asha), toSigner(RAVI, ravi)]))).toEqual([
    [ASHA, toldOfAsha],
    [RAVI, toldOfRavi],
  ])
})

test('a webhook about one signer, or none, ends a signature only if there is no doubt whose', () => {
  const ravi = [toSigner(RAVI, 'pending')]
  expect(listTold(toPayload('ESIGN_COMPLETE', 'sign_pending', ravi))).toEqual([[RAVI, 'PENDING']])
  expect(listTold(toPayload('ESIGN_FAILED', 'sign_initiated', ravi))[0]![1]).toStartWith('DECLINED')
  expect(listTold(toPayload('ESIGN_EXPIRED', undefined, undefined))).toEqual([[undefined, 'EXPIRED']])
})

test.each([
  '',
  'null',
  '[]',
  '{"event":"ESIGN_COMPLETE","data":{}}',
  '{"event":"ESIGN_COMPLETE","data":{"esign":{"id":1}}}',
  '{"event":"ESIGN_COMPLETE","data":{"esign":{"id":"r","signers":"all"}}}',
])('%p reports no signer', payload => expect(listTold(payload)).toEqual([]))
