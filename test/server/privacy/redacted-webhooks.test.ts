import { describe, expect, test } from 'bun:test'
import { redactPayload } from '../../../server/privacy/redact-payload'

describe('a redacted webhook', () => {
  const signer = { id: 's-1', identifier: '+91 98765 43210', displayName: 'Asha Rao', status: 'signed' }
  const other = { id: 's-2', identifier: '9000000001', displayName: 'Tara Iyer', status: 'pending' }
  const payload = JSON.stringify({
    event: 'ESIGN_COMPLETE',
    timeStamp: '2026-01-01T00:00:00Z',
    data: { esign: { id: 'r-1', documentId: 'd-1', status: 'sign_pending', signers: [signer, other] } },
  })
  const providers = ['setu', 'setu-native', 'sandbox', 'sandbox-native']

  test.each(providers)('of %s has ids and states alone', provider => {
    expect(JSON.parse(redactPayload({ provider, payload }))).toEqual({
      event: 'ESIGN_COMPLETE',
      timeStamp: '2026-01-01T00:00:00Z',
      data: {
        esign: {
          id: 'r-1',
          documentId: 'd-1',
          status: 'sign_pending',
          signers: [
            { id: 's-1', status: 'signed' },
            { id: 's-2', status: 'pending' },
          ],
        },
      },
    })
  })

  test.each(providers)(
    'of %s keeps all about the person with the phone number, and no id of others',
    provider => {
      const { esign } = JSON.parse(redactPayload({ provider, payload }, '9876543210')).data
      expect([esign.id, esign.signers]).toEqual(['r-1', [signer, { status: 'pending' }]])
    },
  )

  test.each([
    ['', 'null'],
    ['{', 'null'],
    ['"text"', '"text"'],
    ['[{"name":"Asha"}]', '[{}]'],
  ])('that reads %p becomes %p', (given, kept) => {
    expect(redactPayload({ provider: 'setu', payload: given })).toBe(kept)
  })
})
