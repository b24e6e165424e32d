import { afterAll, afterEach, describe, expect, test } from 'bun:test'
import { testServer } from '../../support/server'
import { freshPhone, sendRequest, type Target } from '../../support/users'
import { enveloped, plain } from '../http/forms'
import { startWhatsAppStub } from './whatsapp'

const chat = startWhatsAppStub()
let smsAnswer = () => Response.json({ type: 'success', request_id: '1' })
const msg91 = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: () => smsAnswer() })
afterAll(() => msg91.stop(true))

const limits = { OTP_LIMIT_PER_NETWORK: '2', PROVIDER_RETRIES: '0' }
const byWhatsApp = testServer({ env: { ...chat.env, ...limits } })
const byBoth = testServer({
  env: {
    ...chat.env,
    ...limits,
    MESSAGE_CHANNELS: 'whatsapp,sms',
    MSG91_API_URL: `http://127.0.0.1:${msg91.port}`,
    MSG91_AUTH_KEY: 'the key',
    MSG91_TEMPLATE_ID: 'T1',
  },
})
afterEach(() => {
  chat.answer = undefined
  smsAnswer = () => Response.json({ type: 'success', request_id: '1' })
})

const answerWith = (code: number, status: number) => () => Response.json({ error: { code } }, { status })
const ask = (server: Target, phone = freshPhone()) =>
  sendRequest(server, 'POST', '/auth/send-otp', { body: { phone_number: phone } })

async function askThrice(server: Target) {
  const phone = freshPhone()
  const answers = [await ask(server, phone), await ask(server, phone), await ask(server, phone)]
  return answers.map(({ status }) => status)
}

describe('a number without WhatsApp, and no other channel', () => {
  test('400: both variants say what to do', async () => {
    chat.answer = answerWith(131026, 400)
    const message = 'Our messages cannot reach this phone number: check it, or use another one'
    const inB = await ask(byWhatsApp)
    expect([inB.status, inB.body]).toEqual([400, enveloped(400, message)])
    const inA = await sendRequest(byWhatsApp, 'POST', '/auth', { body: { phoneNumber: freshPhone() } })
    expect([inA.status, inA.body]).toEqual([400, plain(400, message)])
  })

  test('429: each request counts, so WhatsApp is not asked without end', async () => {
    chat.answer = answerWith(131026, 400)
    const sentBefore = chat.sent.length
    expect(await askThrice(byWhatsApp)).toEqual([400, 400, 429])
    expect(chat.sent.length - sentBefore).toBe(2)
  })
})

test.each([
  [100, 400],
  [131008, 400],
  [999_999, 400],
  [999_999, 404],
])(
  '503, then 429: error code %d with status %d may be due to the number, and counts',
  async (code, status) => {
    chat.answer = answerWith(code, status)
    expect(await askThrice(byWhatsApp)).toEqual([503, 503, 429])
  },
)

test.each([
  [2, 400],
  [190, 400],
  [130429, 400],
  [999_999, 500],
  [999_999, 429],
  [999_999, 401],
  [999_999, 403],
  [999_999, 408],
])('503: error code %d with status %d concerns all numbers, and does not count', async (code, status) => {
  chat.answer = answerWith(code, status)
  expect(await askThrice(byWhatsApp)).toEqual([503, 503, 503])
})

describe('with SMS as fallback', () => {
  test('503, then 429: an outage of SMS gives nothing back for a number without WhatsApp', async () => {
    chat.answer = answerWith(131026, 400)
    smsAnswer = () => new Response(null, { status: 500 })
    expect(await askThrice(byBoth)).toEqual([503, 503, 429])
  })

  test('400, then 429: neither channel reaches the number', async () => {
    chat.answer = answerWith(131026, 400)
    smsAnswer = () => Response.json({ type: 'error', message: 'Please provide a valid mobile number' })
    expect(await askThrice(byBoth)).toEqual([400, 400, 429])
  })

  test('503, then 429: an error of MSG91 without a cause counts', async () => {
    chat.answer = answerWith(2, 500)
    smsAnswer = () => Response.json({ type: 'error', message: 'No credit' })
    expect(await askThrice(byBoth)).toEqual([503, 503, 429])
  })
})
