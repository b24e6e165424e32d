import { describe, expect, test } from 'bun:test'
import {
  MALFORMED,
  createRecordedProvider,
  unavailable,
  type Recorded,
} from '../../../support/recorded-provider'

const PHONE = '9876543210'
const OTP = '480251'
const REMINDER = { agreement_number: 'AGR-2026-000017', signing_url: 'https://sign.example.com/460b4de8' }

type Providers = ReturnType<ReturnType<typeof createRecordedProvider>['replay']>
const messages: Record<string, (providers: Providers) => Promise<void>> = {
  'an OTP': ({ sendOtp }) => sendOtp(PHONE, OTP, 300_000),
  'a reminder': ({ sendReminder }) => sendReminder(PHONE, REMINDER),
  'an invitation': ({ sendInvitation }) => sendInvitation(PHONE, 'https://app.example.com'),
}

// Recorded responses of WhatsApp.
const whatsAppSent: Recorded = {
  body: {
    messaging_product: 'whatsapp',
    contacts: [{ input: '919876543210', wa_id: '919876543210' }],
    messages: [{ id: 'wamid.HBgMOTE5ODc2NTQzMjEwFQIAERgSNkE3RjU2', message_status: 'accepted' }],
  },
}
const toWhatsAppError = (code: number, message: string, details?: string) => ({
  error: {
    message,
    type: 'OAuthException',
    code,
    ...(details && { error_data: { messaging_product: 'whatsapp', details } }),
    fbtrace_id: 'AbCdEfGhIjKlMnOp',
  },
})
const expiredToken = toWhatsAppError(190, 'Error validating access token: the-access-token')
const undeliverable = toWhatsAppError(
  131026,
  '(#131026) Message undeliverable',
  'Unable to deliver the message to 919876543210',
)
const whatsAppErrors: [code: number, status: number, body: Recorded['body']][] = [
  [0, 401, toWhatsAppError(0, '(#0) AuthException')],
  [190, 401, { error: { ...expiredToken.error, error_subcode: 463 } }],
  [10, 403, toWhatsAppError(10, '(#10) Application does not have permission for this action')],
  [100, 400, toWhatsAppError(100, '(#100) Invalid parameter', 'The parameter template[480251] is not valid')],
  [
    131008,
    400,
    toWhatsAppError(
      131008,
      '(#131008) Required parameter is missing',
      'buttons: Button at index 0 of type Url requires a parameter',
    ),
  ],
  [
    130429,
    429,
    toWhatsAppError(
      130429,
      '(#130429) Rate limit hit',
      'Message failed to send because there were too many messages',
    ),
  ],
  [
    131000,
    500,
    toWhatsAppError(
      131000,
      '(#131000) Something went wrong',
      'Message failed to send because of an unknown error',
    ),
  ],
  [2, 503, toWhatsAppError(2, '(#2) Service temporarily unavailable')],
]

describe('WhatsApp Cloud API', () => {
  const provider = createRecordedProvider({ MESSAGE_CHANNELS: 'whatsapp' })
  const where = 'messaging POST /v23.0/106540352242922/messages'

  for (const [name, send] of Object.entries(messages)) {
    describe(name, () => {
      test('sends one request, with the credential', async () => {
        expect(await send(provider.replay(whatsAppSent))).toBeUndefined()
        expect(
          provider.requests.map(({ method, path, headers, body }) => [
            method,
            path,
            headers.get('authorization'),
            JSON.parse(body).to,
          ]),
        ).toEqual([['POST', '/v23.0/106540352242922/messages', 'Bearer the-access-token', '919876543210']])
      })

      test.each(whatsAppErrors)(
        'error code %d: 503: repeats nothing of the response',
        async (_, status, body) => {
          expect(
            await provider.getFailure(
              send(provider.replay({ status, body })),
              { body },
              { body: [OTP, PHONE] },
            ),
          ).toEqual(unavailable(`${where} answered ${status}`))
        },
      )

      test('error code 131026: 400: repeats nothing of the response', async () => {
        const rejected = { status: 400, body: undeliverable }
        const failure = await provider.getFailure(send(provider.replay(rejected)), rejected, {
          body: [OTP, PHONE],
        })
        expect(failure).toMatchObject({ code: 'BAD_REQUEST', status: 400 })
      })

      test.each(
        Object.entries({
          ...MALFORMED,
          'no message': { body: { messaging_product: 'whatsapp', contacts: [], messages: [] } },
          'an error with status 200': { body: undeliverable },
        }),
      )('503: %s is malformed', async (_, answer) => {
        expect(await provider.getFailure(send(provider.replay(answer)), answer)).toMatchObject({
          code: 'SERVICE_UNAVAILABLE',
        })
      })
    })
  }
})

const msg91Paths: Record<string, string> = {
  'an OTP': '/api/v5/otp',
  'a reminder': '/api/v5/flow',
  'an invitation': '/api/v5/flow',
}
const msg91Bodies: Record<string, object> = {
  'an OTP': { template_id: 'the-template', mobile: '919876543210', otp: OTP, otp_expiry: 5 },
  'a reminder': {
    template_id: 'the-flow',
    recipients: [{ mobiles: '919876543210', number: REMINDER.agreement_number, url: REMINDER.signing_url }],
  },
  'an invitation': {
    template_id: 'the-other-flow',
    recipients: [{ mobiles: '919876543210', url: 'https://app.example.com' }],
  },
}

describe('MSG91', () => {
  const provider = createRecordedProvider({ MESSAGE_CHANNELS: 'sms' })
  // Recorded responses.
  const sent: Recorded = { body: { type: 'success', request_id: '336372747a4d393133353937' } }
  const accepted: Recorded = { body: { type: 'success', message: '336372747a4d393133353937' } }
  const refusedKindly: Record<string, Recorded> = {
    'an invalid key': {
      body: { type: 'error', message: 'AuthenticationFailure: the-auth-key', code: '201' },
    },
    'an invalid template': {
      body: { type: 'error', message: 'Template ID missing or invalid template' },
    },
    'an invalid number': {
      body: { type: 'error', message: 'Please provide a valid mobile number instead of 919876543210' },
    },
    'an unknown type': { body: { type: 'queued for later', message: 'It may be sent later on' } },
  }
  const errors: [number, Recorded['body']][] = [
    [400, { type: 'error', message: 'Invalid request for 919876543210' }],
    [401, { status: 'fail', hasError: true, errors: 'Unauthorized: the-auth-key', code: '207' }],
    [403, { type: 'error', message: 'This address is not on the list of the-auth-key' }],
    [404, { type: 'error', message: 'No such service for you' }],
    [418, { type: 'error', message: 'The IP is not whitelisted' }],
    [422, { type: 'error', message: 'The OTP 480251 is not allowed' }],
    [429, { type: 'error', message: 'Too many requests for now' }],
    [500, { type: 'error', message: 'Internal Server Error of theirs' }],
  ]

  for (const [name, send] of Object.entries(messages)) {
    describe(name, () => {
      test.each([
        ['as it is sent', sent],
        ['as it is accepted', accepted],
      ] as const)('%s', async (_, answer) => {
        expect(await send(provider.replay(answer))).toBeUndefined()
        expect(
          provider.requests.map(({ method, path, headers, body }) => [
            method,
            path,
            headers.get('authkey'),
            JSON.parse(body),
          ]),
        ).toEqual([['POST', msg91Paths[name]!, 'the-auth-key', msg91Bodies[name]!]])
      })

      test.each(Object.entries(refusedKindly))('503: an error with status 200: %s', async (_, answer) => {
        expect(await provider.getFailure(send(provider.replay(answer)), answer)).toEqual(
          unavailable('MSG91 responded with an error'),
        )
      })

      test.each(errors)('%d: 503: repeats nothing of the response', async (status, body) => {
        expect(await provider.getFailure(send(provider.replay({ status, body })), { body })).toEqual(
          unavailable(`messaging POST ${msg91Paths[name]} answered ${status}`),
        )
      })

      test.each(Object.entries(MALFORMED))('503: %s is malformed', async (_, answer) => {
        expect(await provider.getFailure(send(provider.replay(answer)), answer)).toMatchObject({
          code: 'SERVICE_UNAVAILABLE',
        })
      })
    })
  }
})

describe('several channels', () => {
  const provider = createRecordedProvider({ MESSAGE_CHANNELS: 'whatsapp,sms' })
  const rejected: Recorded = { status: 400, body: undeliverable }

  test.each(Object.entries(messages))('%s goes by SMS if WhatsApp rejects it', async (_, send) => {
    expect(
      await send(
        provider.replay(rejected, {
          body: { type: 'success', request_id: '336372747a4d393133353937' },
        }),
      ),
    ).toBeUndefined()
    expect(
      provider.requests.map(({ headers }) => [headers.get('authorization'), headers.get('authkey')]),
    ).toEqual([
      ['Bearer the-access-token', null],
      [null, 'the-auth-key'],
    ])
  })

  test.each(Object.entries(messages))(
    '503: %s, if both channels reject it; repeats neither response nor message',
    async (_, send) => {
      const refused: Recorded = {
        status: 401,
        body: { type: 'error', message: 'Unauthorized: the-auth-key' },
      }
      expect(
        await provider.getFailure(send(provider.replay(rejected, refused)), rejected, refused, {
          body: [`91${PHONE}`, REMINDER.signing_url],
        }),
      ).toMatchObject({ code: 'SERVICE_UNAVAILABLE' })
    },
  )
})
