import { afterEach, describe, expect, test } from 'bun:test'
import { getKysely } from '../../../db/database'
import { unavailable } from '../../../server/faults'
import { sendRequest, freshPhone } from '../../support/users'
import { testServer } from '../../support/server'
import { enveloped, plain } from '../http/forms'
import { startWhatsAppStub } from './whatsapp'

const chat = startWhatsAppStub()
const it = testServer({
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
let failing: Error | undefined
const broken = testServer({
  overrides: {
    sendOtp: async () => {
      if (failing) throw failing
    },
  },
})
const sms: { body: any; authkey: string | null }[] = []
let smsAnswer: unknown = { type: 'success', request_id: '1' }
const msg91 = Bun.serve({
  port: 0,
  hostname: '127.0.0.1',
  fetch: async request => {
    sms.push({ body: await request.json(), authkey: request.headers.get('authkey') })
    return Response.json(smsAnswer)
  },
})
const bySms = testServer({
  env: {
    MESSAGE_CHANNELS: 'sms',
    MSG91_API_URL: `http://127.0.0.1:${msg91.port}`,
    MSG91_AUTH_KEY: 'the key',
    MSG91_TEMPLATE_ID: 'T1',
  },
})

afterEach(() => {
  chat.answer = undefined
  failing = undefined
})
const ask = (url: string, phone: string) =>
  sendRequest(url, 'POST', '/auth/send-otp', { body: { phone_number: phone } })
const verify = (url: string, phone: string, otp: unknown) =>
  sendRequest(url, 'POST', '/auth/verify', { body: { phone_number: phone, otp } })
const otps = ({ em }: { em: typeof it.em }, phone: string) =>
  getKysely(em()).selectFrom('otp_sessions').where('phone_number', '=', phone).select('id').execute()

describe('WhatsApp', () => {
  test('carries the OTP in the template that the Cloud API asks for, and the OTP signs in', async () => {
    const phone = freshPhone()
    expect((await ask(it.url, phone)).status).toBe(200)
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
    expect((await verify(it.url, phone, otp)).status).toBe(200)
  })

  test("every OTP is six random digits, not the sandbox's", async () => {
    const phones = Array.from({ length: 8 }, freshPhone)
    for (const phone of phones) await ask(it.url, phone)
    const sent = phones.map(phone => chat.otpOf(phone)!)
    for (const otp of sent) expect(otp).toMatch(/^\d{6}$/)
    expect(new Set(sent).size).toBeGreaterThan(5)
    expect((await verify(it.url, phones[0]!, sent[0] === '123456' ? '000000' : '123456')).status).toBe(401)
  })

  test('401: a new OTP takes the place of the older one', async () => {
    const phone = freshPhone()
    await ask(it.url, phone)
    const first = chat.otpOf(phone)!
    do await ask(it.url, phone)
    while (chat.otpOf(phone) === first)
    expect((await verify(it.url, phone, first)).status).toBe(401)
    expect((await verify(it.url, phone, chat.otpOf(phone))).status).toBe(200)
  })

  test("404: the sandbox's messages are not there", async () => {
    expect((await sendRequest(it.url, 'GET', '/sandbox/messages')).status).toBe(404)
    expect(
      (await sendRequest(it.url, 'POST', '/sandbox/whatsapp/sandbox/messages', { body: {} })).status,
    ).toBe(404)
  })
})

describe('503: the channel fails, both variants, nothing kept and nothing counted', () => {
  const failures: Record<string, () => Response | Promise<Response>> = {
    refuses: () =>
      Response.json(
        { error: { message: 'Invalid OAuth access token', type: 'OAuthException', code: 190 } },
        { status: 401 },
      ),
    fails: () => Response.json({ error: { message: 'Something went wrong', code: 131000 } }, { status: 500 }),
    'is overloaded': () =>
      Response.json({ error: { code: 130429 } }, { status: 429, headers: { 'retry-after': '0' } }),
    'answers with HTML': () => new Response('<html>', { headers: { 'content-type': 'text/html' } }),
    'answers with an empty body': () => new Response(null),
    'answers 204': () => new Response(null, { status: 204 }),
    'answers with other JSON': () => Response.json({ messages: [] }),
    'answers null': () => Response.json(null),
    'does not answer in time': () => Bun.sleep(1000).then(() => Response.json({ messages: [{ id: '1' }] })),
    'stops in the middle of its answer': () =>
      new Response(new ReadableStream({ start: controller => controller.enqueue('{"messages":[') })),
  }
  for (const [name, answer] of Object.entries(failures)) {
    test(name, async () => {
      const phone = freshPhone()
      chat.answer = answer
      for (let tries = 0; tries < 2; tries++) {
        const inB = await ask(it.url, phone)
        expect([inB.status, inB.body, Number(inB.headers.get('retry-after'))]).toEqual([
          503,
          enveloped(503),
          expect.any(Number),
        ])
      }
      const inA = await sendRequest(it.url, 'POST', '/auth', { body: { phoneNumber: phone } })
      expect([inA.status, inA.body]).toEqual([503, plain(503)])
      expect(await otps(it, phone)).toEqual([])
      expect((await verify(it.url, phone, chat.otpOf(phone))).status).toBe(401)
      chat.answer = undefined
      expect([
        (await ask(it.url, phone)).status,
        (await ask(it.url, phone)).status,
        (await ask(it.url, phone)).status,
      ]).toEqual([200, 200, 429])
    })
  }

  test('cannot be reached', async () => {
    const phone = freshPhone()
    const answer = await ask(unreachable.url, phone)
    expect([answer.status, answer.body, await otps(unreachable, phone)]).toEqual([503, enveloped(503), []])
  })

  test('of two requests the one that fails leaves the OTP of the other', async () => {
    const phone = freshPhone()
    chat.answer = async () => {
      chat.answer = undefined
      await ask(it.url, phone)
      return new Response(null, { status: 500 })
    }
    expect((await ask(it.url, phone)).status).toBe(503)
    expect((await verify(it.url, phone, chat.otpOf(phone))).status).toBe(200)
  })

  test('no credential and no OTP is in the answer', async () => {
    failing = unavailable(
      'The messaging provider cannot be reached',
      new Error('secret: the access token 123456'),
    )
    const answer = await ask(broken.url, freshPhone())
    expect([answer.status, answer.body]).toEqual([
      503,
      enveloped(503, 'The messaging provider cannot be reached'),
    ])
  })

  test('500: a failure that nobody foresaw says nothing of itself, in both forms', async () => {
    failing = new Error('secret')
    const phone = freshPhone()
    const inB = await ask(broken.url, phone)
    const inA = await sendRequest(broken.url, 'POST', '/auth', { body: { phoneNumber: phone } })
    expect([inB.status, inB.body, inA.status, inA.body]).toEqual([500, enveloped(500), 500, plain(500)])
    expect(JSON.stringify([inA.body, inB.body])).not.toContain('secret')
    expect(await otps(broken, phone)).toEqual([])
  })
})

describe('SMS', () => {
  test('carries the OTP, which signs in', async () => {
    const phone = freshPhone()
    await ask(bySms.url, phone)
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
    expect((await verify(bySms.url, phone, body.otp)).status).toBe(200)
  })

  test('503: an error that comes with status 200 is a failure', async () => {
    const phone = freshPhone()
    smsAnswer = { type: 'error', message: 'template not found' }
    const answer = await ask(bySms.url, phone)
    smsAnswer = { type: 'success', request_id: '1' }
    expect([answer.status, answer.body, await otps(bySms, phone)]).toEqual([503, enveloped(503), []])
  })
})

describe('one channel after the other', () => {
  const both = testServer({
    env: {
      ...chat.env,
      MESSAGE_CHANNELS: 'whatsapp,sms',
      MSG91_API_URL: `http://127.0.0.1:${msg91.port}`,
      MSG91_AUTH_KEY: 'the key',
      MSG91_TEMPLATE_ID: 'T1',
      PROVIDER_RETRIES: '0',
    },
  })

  test('the second is not asked where the first can send', async () => {
    const phone = freshPhone()
    expect((await ask(both.url, phone)).status).toBe(200)
    expect({ chat: chat.otpOf(phone), sms: sms.find(({ body }) => body.mobile === `91${phone}`) }).toEqual({
      chat: expect.stringMatching(/^\d{6}$/),
      sms: undefined,
    })
  })

  test('the second carries the same OTP where the first fails', async () => {
    const phone = freshPhone()
    chat.answer = () => Response.json({ error: { code: 131026 } }, { status: 400 })
    expect((await ask(both.url, phone)).status).toBe(200)
    const sent = sms.find(({ body }) => body.mobile === `91${phone}`)!.body
    expect((await verify(both.url, phone, sent.otp)).status).toBe(200)
  })

  test('503: where both fail, and nothing is counted', async () => {
    const phone = freshPhone()
    chat.answer = () => Response.json({ error: { code: 2 } }, { status: 500 })
    smsAnswer = { type: 'error', message: 'No credit' }
    for (let tries = 0; tries < 8; tries++) expect((await ask(both.url, phone)).status).toBe(503)
    smsAnswer = { type: 'success', request_id: '1' }
    expect((await ask(both.url, phone)).status).toBe(200)
  })
})
