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

type Providers = ReturnType<ReturnType<typeof createRecordedProvider>['answering']>
const messages: Record<string, (providers: Providers) => Promise<void>> = {
  'an OTP': ({ sendOtp }) => sendOtp(PHONE, OTP, 300_000),
  'a reminder': ({ sendReminder }) => sendReminder(PHONE, REMINDER),
}

describe('WhatsApp Cloud API', () => {
  const provider = createRecordedProvider({ MESSAGE_CHANNELS: 'whatsapp' })
  const where = 'messaging POST /v23.0/106540352242922/messages'

  // Recorded: what it answers.
  const sent: Recorded = {
    body: {
      messaging_product: 'whatsapp',
      contacts: [{ input: '919876543210', wa_id: '919876543210' }],
      messages: [{ id: 'wamid.HBgMOTE5ODc2NTQzMjEwFQIAERgSNkE3RjU2', message_status: 'accepted' }],
    },
  }
  const errors: [number, number, Recorded['body']][] = [
    [
      0,
      401,
      {
        error: {
          message: '(#0) AuthException',
          type: 'OAuthException',
          code: 0,
          fbtrace_id: 'AbCdEfGhIjKlMnOp',
        },
      },
    ],
    [
      190,
      401,
      {
        error: {
          message: 'Error validating access token: the-access-token',
          type: 'OAuthException',
          code: 190,
          error_subcode: 463,
          fbtrace_id: 'AbCdEfGhIjKlMnOp',
        },
      },
    ],
    [
      10,
      403,
      {
        error: {
          message: '(#10) Application does not have permission for this action',
          type: 'OAuthException',
          code: 10,
          fbtrace_id: 'AbCdEfGhIjKlMnOp',
        },
      },
    ],
    [
      100,
      400,
      {
        error: {
          message: '(#100) Invalid parameter',
          type: 'OAuthException',
          code: 100,
          error_data: {
            messaging_product: 'whatsapp',
            details: 'The parameter template[480251] is not valid',
          },
          fbtrace_id: 'AbCdEfGhIjKlMnOp',
        },
      },
    ],
    [
      131008,
      400,
      {
        error: {
          message: '(#131008) Required parameter is missing',
          type: 'OAuthException',
          code: 131008,
          error_data: {
            messaging_product: 'whatsapp',
            details: 'buttons: Button at index 0 of type Url requires a parameter',
          },
          fbtrace_id: 'AbCdEfGhIjKlMnOp',
        },
      },
    ],
    [
      131026,
      400,
      {
        error: {
          message: '(#131026) Message undeliverable',
          type: 'OAuthException',
          code: 131026,
          error_data: {
            messaging_product: 'whatsapp',
            details: 'Unable to deliver the message to 919876543210',
          },
          fbtrace_id: 'AbCdEfGhIjKlMnOp',
        },
      },
    ],
    [
      130429,
      429,
      {
        error: {
          message: '(#130429) Rate limit hit',
          type: 'OAuthException',
          code: 130429,
          error_data: {
            messaging_product: 'whatsapp',
            details: 'Message failed to send because there were too many messages',
          },
          fbtrace_id: 'AbCdEfGhIjKlMnOp',
        },
      },
    ],
    [
      131000,
      500,
      {
        error: {
          message: '(#131000) Something went wrong',
          type: 'OAuthException',
          code: 131000,
          error_data: {
            messaging_product: 'whatsapp',
            details: 'Message failed to send because of an unknown error',
          },
          fbtrace_id: 'AbCdEfGhIjKlMnOp',
        },
      },
    ],
    [
      2,
      503,
      {
        error: {
          message: '(#2) Service temporarily unavailable',
          type: 'OAuthException',
          code: 2,
          fbtrace_id: 'AbCdEfGhIjKlMnOp',
        },
      },
    ],
  ]

  for (const [name, send] of Object.entries(messages)) {
    describe(name, () => {
      test('is sent once, with the credential', async () => {
        expect(await send(provider.answering(sent))).toBeUndefined()
        expect(
          provider.asked.map(({ method, path, headers, body }) => [
            method,
            path,
            headers.get('authorization'),
            JSON.parse(body).to,
          ]),
        ).toEqual([['POST', '/v23.0/106540352242922/messages', 'Bearer the-access-token', '919876543210']])
      })

      test.each(errors)(
        'refused with the code %d: unavailable, and nothing of it is told',
        async (_, status, body) => {
          expect(
            await provider.failure(
              send(provider.answering({ status, body })),
              { body },
              { body: [OTP, PHONE] },
            ),
          ).toEqual(unavailable(`${where} answered ${status}`))
        },
      )

      test.each(
        Object.entries({
          ...MALFORMED,
          'no message': { body: { messaging_product: 'whatsapp', contacts: [], messages: [] } },
          'an error with status 200': { body: errors[5]![2] },
        }),
      )('answered with what is none: %s', async (_, answer) => {
        expect(await provider.failure(send(provider.answering(answer)), answer)).toMatchObject({
          code: 'SERVICE_UNAVAILABLE',
        })
      })
    })
  }
})

describe('MSG91', () => {
  const provider = createRecordedProvider({ MESSAGE_CHANNELS: 'sms' })
  const paths: Record<string, string> = { 'an OTP': '/api/v5/otp', 'a reminder': '/api/v5/flow' }

  // Recorded: what it answers.
  const sent: Recorded = { body: { type: 'success', request_id: '336372747a4d393133353937' } }
  const accepted: Recorded = { body: { type: 'success', message: '336372747a4d393133353937' } }
  const refusedKindly: Record<string, Recorded> = {
    'a key that is none': {
      body: { type: 'error', message: 'AuthenticationFailure: the-auth-key', code: '201' },
    },
    'a template that is none': {
      body: { type: 'error', message: 'Template ID missing or invalid template' },
    },
    'a number that is none': {
      body: { type: 'error', message: 'Please provide a valid mobile number instead of 919876543210' },
    },
    'a word of tomorrow': { body: { type: 'queued for later', message: 'It may be sent later on' } },
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
        expect(await send(provider.answering(answer))).toBeUndefined()
        expect(
          provider.asked.map(({ method, path, headers }) => [method, path, headers.get('authkey')]),
        ).toEqual([['POST', paths[name]!, 'the-auth-key']])
      })

      test.each(Object.entries(refusedKindly))('refused with status 200: %s', async (_, answer) => {
        expect(await provider.failure(send(provider.answering(answer)), answer)).toEqual(
          unavailable('MSG91 responded with an error'),
        )
      })

      test.each(errors)('answered %d: unavailable, and nothing of it is told', async (status, body) => {
        expect(await provider.failure(send(provider.answering({ status, body })), { body })).toEqual(
          unavailable(`messaging POST ${paths[name]} answered ${status}`),
        )
      })

      test.each(Object.entries(MALFORMED))('answered with what is none: %s', async (_, answer) => {
        expect(await provider.failure(send(provider.answering(answer)), answer)).toMatchObject({
          code: 'SERVICE_UNAVAILABLE',
        })
      })
    })
  }
})

describe('one after the other', () => {
  const provider = createRecordedProvider({ MESSAGE_CHANNELS: 'whatsapp,sms' })
  const undeliverable: Recorded = {
    status: 400,
    body: {
      error: {
        message: '(#131026) Message undeliverable',
        type: 'OAuthException',
        code: 131026,
        error_data: {
          messaging_product: 'whatsapp',
          details: 'Unable to deliver the message to 919876543210',
        },
        fbtrace_id: 'AbCdEfGhIjKlMnOp',
      },
    },
  }

  test.each(Object.entries(messages))('%s goes by SMS where WhatsApp refuses it', async (_, send) => {
    expect(
      await send(
        provider.answering(undeliverable, {
          body: { type: 'success', request_id: '336372747a4d393133353937' },
        }),
      ),
    ).toBeUndefined()
    expect(
      provider.asked.map(({ headers }) => [headers.get('authorization'), headers.get('authkey')]),
    ).toEqual([
      ['Bearer the-access-token', null],
      [null, 'the-auth-key'],
    ])
  })

  test.each(Object.entries(messages))(
    '%s fails where both refuse it, and neither answer is told, nor the message',
    async (_, send) => {
      const refused: Recorded = {
        status: 401,
        body: { type: 'error', message: 'Unauthorized: the-auth-key' },
      }
      expect(
        await provider.failure(send(provider.answering(undeliverable, refused)), undeliverable, refused, {
          body: [`91${PHONE}`, REMINDER.signing_url],
        }),
      ).toMatchObject({ code: 'SERVICE_UNAVAILABLE' })
    },
  )
})
