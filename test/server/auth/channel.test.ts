import { afterEach, describe, expect, test } from 'bun:test'
import { getKysely } from '../../../db/database'
import { refuse } from '../../../server/faults'
import { sendRequest, freshPhone, type Target } from '../../support/users'
import { testServer, type TestServer } from '../../support/server'
import { enveloped, plain } from '../http/forms'
import { startWhatsAppStub } from './whatsapp'

const chat = startWhatsAppStub()
const byWhatsApp = testServer({
  env: {
    ...chat.env,
    OTP_LIMIT_PER_NETWORK: '2',
    PROVIDER_TIMEOUT_MS: '400',
    PROVIDER_TOTAL_TIMEOUT_MS: '800',
    PROVIDER_RETRIES: '0',
  },
})
const unreachable = testServer({
  env: { ...chat.env, WHATSAPP_API_URL: 'http://127.0.0.1:1', PROVIDER_RETRIES: '0' },
})
let sendingError: Error | undefined
const failing = testServer({
  overrides: {
    sendOtp: async () => {
      if (sendingError) throw sendingError
    },
  },
})
const sms: { body: any; authkey: string | null }[] = []
let smsAnswer: unknown = { type: 'success', request_id: '1' }
let smsStatus = 200
const msg91 = Bun.serve({
  port: 0,
  hostname: '127.0.0.1',
  fetch: async request => {
    sms.push({ body: await request.json(), authkey: request.headers.get('authkey') })
    return Response.json(smsAnswer, { status: smsStatus })
  },
})
const smsSettings = {
  MSG91_API_URL: `http://127.0.0.1:${msg91.port}`,
  MSG91_AUTH_KEY: 'the key',
  MSG91_TEMPLATE_ID: 'T1',
}
const bySms = testServer({ env: { MESSAGE_CHANNELS: 'sms', ...smsSettings } })
const byBoth = testServer({
  env: { ...chat.env, MESSAGE_CHANNELS: 'whatsapp,sms', ...smsSettings, PROVIDER_RETRIES: '0' },
})

afterEach(() => {
  chat.answer = undefined
  sendingError = undefined
})
const ask = (server: Target, phone: string) =>
  sendRequest(server, 'POST', '/auth/send-otp', { body: { phone_number: phone } })
const verify = (server: Target, phone: string, otp: unknown) =>
  sendRequest(server, 'POST', '/auth/verify', { body: { phone_number: phone, otp } })
const findOtps = ({ em }: TestServer, phone: string) =>
  getKysely(em()).selectFrom('otp_sessions').where('phone_number', '=', phone).select('id').execute()

describe('WhatsApp', () => {
  test('sends the OTP in the template of the Cloud API, and the OTP signs in', async () => {
    const phone = freshPhone()
    expect((await ask(byWhatsApp, phone)).status).toBe(200)
    const otp = chat.otpOf(phone)!
    expect(chat.sent.findLast(message => message.phone === phone)).toMatchObject({
      authorization: 'Bearer the access token',
      path: '/v23.0/1234/messages',
    })
    expect(chat.sent.findLast(message => message.phone === phone)!.body).toEqual({
      messaging_product: 'whatsapp',
      recipient_type: 'individual',
      to: `91${phone}`,
      type: 'template',
      template: {
        name: 'kiraya_otp',
        language: { code: 'en_US' },
        components: [
          { type: 'body', parameters: [{ type: 'text', text: otp }] },
          { type: 'button', sub_type: 'url', index: '0', parameters: [{ type: 'text', text: otp }] },
        ],
      },
    })
    expect((await verify(byWhatsApp, phone, otp)).status).toBe(200)
  })

  test("every OTP is six random digits, and the sandbox's OTP is not valid", async () => {
    const phones = Array.from({ length: 8 }, freshPhone)
    for (const phone of phones) await ask(byWhatsApp, phone)
    const sent = phones.map(phone => chat.otpOf(phone)!)
    for (const otp of sent) expect(otp).toMatch(/^\d{6}$/)
    expect(new Set(sent).size).toBeGreaterThan(5)
    expect((await verify(byWhatsApp, phones[0]!, sent[0] === '123456' ? '000000' : '123456')).status).toBe(
      401,
    )
  })

  test('401: a new OTP replaces the previous one', async () => {
    const phone = freshPhone()
    await ask(byWhatsApp, phone)
    const first = chat.otpOf(phone)!
    do await ask(byWhatsApp, phone)
    while (chat.otpOf(phone) === first)
    expect((await verify(byWhatsApp, phone, first)).status).toBe(401)
    expect((await verify(byWhatsApp, phone, chat.otpOf(phone))).status).toBe(200)
  })

  test('404: there are no sandbox messages', async () => {
    expect((await sendRequest(byWhatsApp, 'GET', '/sandbox/messages')).status).toBe(404)
    expect(
      (await sendRequest(byWhatsApp, 'POST', '/sandbox/whatsapp/sandbox/messages', { body: {} })).status,
    ).toBe(404)
  })
})

const failures: Record<string, () => Response | Promise<Response>> = {
  'rejects the request': () =>
    Response.json(
      { error: { message: 'Invalid OAuth access token', type: 'OAuthException', code: 190 } },
      { status: 401 },
    ),
  fails: () => Response.json({ error: { message: 'Something went wrong', code: 131000 } }, { status: 500 }),
  'is overloaded': () =>
    Response.json({ error: { code: 130429 } }, { status: 429, headers: { 'retry-after': '0' } }),
  'responds with HTML': () => new Response('<html>', { headers: { 'content-type': 'text/html' } }),
  'responds with an empty body': () => new Response(null),
  'responds 204': () => new Response(null, { status: 204 }),
  'responds with other JSON': () => Response.json({ messages: [] }),
  'responds null': () => Response.json(null),
  'does not respond in time': () => Bun.sleep(1000).then(() => Response.json({ messages: [{ id: '1' }] })),
  'stops in the middle of its response': () =>
    new Response(new ReadableStream({ start: controller => controller.enqueue('{"messages":[') })),
}
describe('503: WhatsApp', () => {
  test.each(Object.entries(failures))(
    '%s: both variants fail; no OTP is stored or counted',
    async (_, answer) => {
      const phone = freshPhone()
      chat.answer = answer
      for (let tries = 0; tries < 2; tries++) {
        const inB = await ask(byWhatsApp, phone)
        expect([inB.status, inB.body, Number(inB.headers.get('retry-after'))]).toEqual([
          503,
          enveloped(503),
          expect.any(Number),
        ])
      }
      const inA = await sendRequest(byWhatsApp, 'POST', '/auth', { body: { phoneNumber: phone } })
      expect([inA.status, inA.body]).toEqual([503, plain(503)])
      expect(await findOtps(byWhatsApp, phone)).toEqual([])
      expect((await verify(byWhatsApp, phone, chat.otpOf(phone))).status).toBe(401)
      chat.answer = undefined
      expect([
        (await ask(byWhatsApp, phone)).status,
        (await ask(byWhatsApp, phone)).status,
        (await ask(byWhatsApp, phone)).status,
      ]).toEqual([200, 200, 429])
    },
  )

  test('cannot be reached', async () => {
    const phone = freshPhone()
    const answer = await ask(unreachable, phone)
    expect([answer.status, answer.body, await findOtps(unreachable, phone)]).toEqual([
      503,
      enveloped(503),
      [],
    ])
  })

  test('fails for one of two concurrent requests: the OTP of the other stays valid', async () => {
    const phone = freshPhone()
    chat.answer = async () => {
      chat.answer = undefined
      await ask(byWhatsApp, phone)
      return new Response(null, { status: 500 })
    }
    expect((await ask(byWhatsApp, phone)).status).toBe(503)
    expect((await verify(byWhatsApp, phone, chat.otpOf(phone))).status).toBe(200)
  })
})

describe('a failed sending', () => {
  test('503: the response contains no credential and no OTP', async () => {
    sendingError = refuse(
      'provider_unreachable',
      { provider: 'messaging' },
      { cause: new Error('secret: the access token 123456') },
    )
    const answer = await ask(failing, freshPhone())
    expect([answer.status, answer.body]).toEqual([
      503,
      enveloped(503, 'The messaging provider cannot be reached'),
    ])
  })

  test('500: the response to an unexpected error has no details, in both variants', async () => {
    sendingError = new Error('secret')
    const phone = freshPhone()
    const inB = await ask(failing, phone)
    const inA = await sendRequest(failing, 'POST', '/auth', { body: { phoneNumber: phone } })
    expect([inB.status, inB.body, inA.status, inA.body]).toEqual([500, enveloped(500), 500, plain(500)])
    expect(JSON.stringify([inA.body, inB.body])).not.toContain('secret')
    expect(await findOtps(failing, phone)).toEqual([])
  })
})

describe('SMS', () => {
  test('sends the OTP, which signs in', async () => {
    const phone = freshPhone()
    await ask(bySms, phone)
    const { body, authkey } = sms.find(message => message.body.mobile === `91${phone}`)!
    expect([authkey, body]).toEqual([
      'the key',
      {
        template_id: 'T1',
        mobile: `91${phone}`,
        otp: expect.stringMatching(/^\d{6}$/),
        otp_expiry: expect.any(Number),
      },
    ])
    expect((await verify(bySms, phone, body.otp)).status).toBe(200)
  })

  test('503: an error response with status 200 is a failure', async () => {
    const phone = freshPhone()
    smsAnswer = { type: 'error', message: 'template not found' }
    const answer = await ask(bySms, phone)
    smsAnswer = { type: 'success', request_id: '1' }
    expect([answer.status, answer.body, await findOtps(bySms, phone)]).toEqual([503, enveloped(503), []])
  })
})

describe('WhatsApp with SMS as fallback', () => {
  test('sends no SMS if WhatsApp accepts the message', async () => {
    const phone = freshPhone()
    expect((await ask(byBoth, phone)).status).toBe(200)
    expect({ chat: chat.otpOf(phone), sms: sms.find(({ body }) => body.mobile === `91${phone}`) }).toEqual({
      chat: expect.stringMatching(/^\d{6}$/),
      sms: undefined,
    })
  })

  test('sends the same OTP by SMS if WhatsApp fails', async () => {
    const phone = freshPhone()
    chat.answer = () => Response.json({ error: { code: 131026 } }, { status: 400 })
    expect((await ask(byBoth, phone)).status).toBe(200)
    const sent = sms.find(({ body }) => body.mobile === `91${phone}`)!.body
    expect((await verify(byBoth, phone, sent.otp)).status).toBe(200)
  })

  test('503: both channels fail, and the requests are not counted', async () => {
    const phone = freshPhone()
    chat.answer = () => Response.json({ error: { code: 2 } }, { status: 500 })
    smsStatus = 500
    for (let tries = 0; tries < 8; tries++) expect((await ask(byBoth, phone)).status).toBe(503)
    smsStatus = 200
    expect((await ask(byBoth, phone)).status).toBe(200)
  })
})
