import { describe, expect, test } from 'bun:test'
import { createRecordedProvider, unavailable, type Recorded } from '../../../support/recorded-provider'

const PHONE = '9876543210'
const OTP = '480251'
const REMINDER = { agreement_number: 'AGR-2026-000017', signing_url: 'https://sign.example.com/460b4de8' }
const ADDRESS = 'https://app.example.com'

const messages = {
  'an OTP': { kind: 'otp', otp: OTP, lifetimeMs: 300_000 },
  'a reminder': { kind: 'reminder', ...REMINDER },
  'an invitation': { kind: 'invitation', url: ADDRESS },
  'a recorded lease': { kind: 'lease_recorded', agreement_number: 'WH-1', url: ADDRESS },
  'a settlement': { kind: 'settlement', agreement_number: 'WH-1', url: ADDRESS, days: '15' },
} as const
type Message = keyof typeof messages

type Providers = ReturnType<ReturnType<typeof createRecordedProvider>['replay']>
const send = (name: Message, { sendMessage }: Providers) => sendMessage(PHONE, messages[name])

const toTexts = (...texts: string[]) => texts.map(text => ({ type: 'text', text }))
const toTemplate = (name: string, components: object[]) => ({
  messaging_product: 'whatsapp',
  recipient_type: 'individual',
  to: '919876543210',
  type: 'template',
  template: { name, language: { code: 'en_US' }, components },
})

/** The path and the body of each message, by channel. */
const whatsApp: Record<Message, object> = {
  'an OTP': toTemplate('kiraya_otp', [
    { type: 'body', parameters: toTexts(OTP) },
    { type: 'button', sub_type: 'url', index: '0', parameters: toTexts(OTP) },
  ]),
  'a reminder': toTemplate('kiraya_sign_reminder', [
    { type: 'body', parameters: toTexts(REMINDER.agreement_number, REMINDER.signing_url) },
  ]),
  'an invitation': toTemplate('kiraya_invitation', [{ type: 'body', parameters: toTexts(ADDRESS) }]),
  'a recorded lease': toTemplate('kiraya_lease_recorded', [
    { type: 'body', parameters: toTexts('WH-1', ADDRESS) },
  ]),
  'a settlement': toTemplate('kiraya_settlement', [
    { type: 'body', parameters: toTexts('WH-1', ADDRESS, '15') },
  ]),
}
const toFlow = (template_id: string, more = {}): [string, object] => [
  '/api/v5/flow',
  { template_id, recipients: [{ mobiles: '919876543210', number: 'WH-1', url: ADDRESS, ...more }] },
]
const sms: Record<Message, [path: string, body: object]> = {
  'an OTP': ['/api/v5/otp', { template_id: 'the-template', mobile: '919876543210', otp: OTP, otp_expiry: 5 }],
  'a reminder': [
    '/api/v5/flow',
    {
      template_id: 'the-flow',
      recipients: [{ mobiles: '919876543210', number: REMINDER.agreement_number, url: REMINDER.signing_url }],
    },
  ],
  'an invitation': [
    '/api/v5/flow',
    { template_id: 'the-other-flow', recipients: [{ mobiles: '919876543210', url: ADDRESS }] },
  ],
  'a recorded lease': toFlow('the-third-flow'),
  'a settlement': toFlow('the-fourth-flow', { days: '15' }),
}
const all = Object.keys(messages) as Message[]

// Recorded responses.
const sentByWhatsApp: Recorded = {
  body: {
    messaging_product: 'whatsapp',
    contacts: [{ input: '919876543210', wa_id: '919876543210' }],
    messages: [{ id: 'wamid.HBgMOTE5ODc2NTQzMjEwFQIAERgSNkE3RjU2', message_status: 'accepted' }],
  },
}
const sentBySms: Recorded = { body: { type: 'success', request_id: '336372747a4d393133353937' } }
const acceptedBySms: Recorded = { body: { type: 'success', message: '336372747a4d393133353937' } }
const undeliverable: Recorded = {
  status: 400,
  body: {
    error: {
      message: '(#131026) Message undeliverable',
      type: 'OAuthException',
      code: 131026,
      error_data: { messaging_product: 'whatsapp', details: 'Unable to deliver the message to 919876543210' },
      fbtrace_id: 'AbCdEfGhIjKlMnOp',
    },
  },
}

describe('WhatsApp Cloud API', () => {
  const provider = createRecordedProvider({ MESSAGE_CHANNELS: 'whatsapp' })

  test.each(all)('%s is one request, with the credential', async name => {
    await send(name, provider.replay(sentByWhatsApp))

    const [{ method, path, headers, body }] = provider.requests as [(typeof provider.requests)[0]]
    expect([method, path]).toEqual(['POST', '/v23.0/106540352242922/messages'])
    expect([headers.get('authorization'), headers.get('authkey')]).toEqual(['Bearer the-access-token', null])
    expect(JSON.parse(body)).toEqual(whatsApp[name])
    expect(provider.requests).toHaveLength(1)
  })

  test.each(all)('400: %s to a number that cannot be reached; repeats nothing of it', async name => {
    const sent = send(name, provider.replay(undeliverable))
    const failure = await provider.getFailure(sent, undeliverable, { body: [OTP, PHONE] })
    expect(failure).toMatchObject({ code: 'BAD_REQUEST', status: 400 })
  })

  test.each<[string, Recorded]>([
    ['no message', { body: { messaging_product: 'whatsapp', contacts: [], messages: [] } }],
    ['an error with status 200', { ...undeliverable, status: 200 }],
  ])('503: %s is malformed', async (_, answer) => {
    const failure = await provider.getFailure(send('an OTP', provider.replay(answer)), answer)
    expect(failure).toMatchObject({ code: 'SERVICE_UNAVAILABLE' })
  })
})

describe('MSG91', () => {
  const provider = createRecordedProvider({ MESSAGE_CHANNELS: 'sms' })

  test.each(all)('%s is one request, with the credential', async name => {
    for (const answer of [sentBySms, acceptedBySms]) {
      await send(name, provider.replay(answer))
      const [{ method, path, headers, body }] = provider.requests as [(typeof provider.requests)[0]]
      expect([method, path, JSON.parse(body)]).toEqual(['POST', ...sms[name]])
      expect([headers.get('authorization'), headers.get('authkey')]).toEqual([null, 'the-auth-key'])
      expect(provider.requests).toHaveLength(1)
    }
  })

  test.each<[string, object]>([
    ['an invalid key', { type: 'error', message: 'AuthenticationFailure: the-auth-key', code: '201' }],
    ['an invalid template', { type: 'error', message: 'Template ID missing or invalid template' }],
    [
      'an invalid number',
      { type: 'error', message: 'Please provide a valid mobile number instead of 919876543210' },
    ],
    ['an unknown type', { type: 'queued for later', message: 'It may be sent later on' }],
  ])('503: an error with status 200: %s', async (_, body) => {
    for (const name of all) {
      const failure = await provider.getFailure(send(name, provider.replay({ body })), { body })
      expect(failure).toEqual(unavailable('MSG91 responded with an error'))
    }
  })
})

test('a reminder goes by WhatsApp if there is no template for SMS', async () => {
  const without = createRecordedProvider({
    MESSAGE_CHANNELS: 'sms,whatsapp',
    MSG91_REMINDER_TEMPLATE_ID: '',
  })
  await send('a reminder', without.replay(sentByWhatsApp))
  expect(without.requests.map(({ path }) => path)).toEqual(['/v23.0/106540352242922/messages'])
})
