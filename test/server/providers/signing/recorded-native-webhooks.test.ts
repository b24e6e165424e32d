import { describe, expect, test } from 'bun:test'
import { ASHA, ID, RAVI, provider } from './recorded-native'

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
describe('a recorded webhook', () => {
  test.each(webhooks)('%s', (_, payload, expected) => {
    expect(provider.replay().signing.parseWebhook(payload) as object[]).toMatchObject(
      expected.map(each => ({ requestId: ID, ...each })),
    )
  })

  test('of another format reports no signer', () => {
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
