import { describe, expect, test } from 'bun:test'
import { clock, testServer } from '../../support/server'
import { freshPhone, sendRequest } from '../../support/users'
import { enveloped, TIMESTAMP } from '../http/forms'
import { getCredentials, type Headers } from './provider'

const TOKEN = 'the token of the sandbox'
const time = clock()
const server = testServer({ overrides: { now: time.now } })
const guarded = testServer({ env: { SANDBOX_TOKEN: TOKEN, SANDBOX_OTP: '864209' } })

const sendOtp = (url: string, phone_number: string) =>
  sendRequest(url, 'POST', '/auth/send-otp', { body: { phone_number } })

const listMessages = (url: string, search = '', headers?: Headers) =>
  sendRequest(url, 'GET', `/sandbox/messages${search}`, { headers })

async function getPage() {
  const response = await fetch(`${server.url}/sandbox`)
  return response.text()
}

describe('GET /sandbox/messages', () => {
  test('200: the messages to a phone number, newest first', async () => {
    const phone = freshPhone()
    await sendOtp(server.url, phone)
    time.advance(1000)
    await sendOtp(server.url, phone)
    time.advance(1000)
    await sendOtp(server.url, freshPhone())

    const { status, body } = await listMessages(server.url, `?phone=${phone}`)
    const message = {
      id: expect.stringMatching(/^wamid\./),
      phone,
      otp: '123456',
      text: '123456 is your Kiraya verification code.',
      sent_at: TIMESTAMP,
    }
    expect([status, body]).toEqual([200, { success: true, data: [message, message] }])
    expect(Date.parse(body.data[0].sent_at) - Date.parse(body.data[1].sent_at)).toBe(1000)
  })
})

describe('GET /sandbox/messages with SANDBOX_TOKEN', () => {
  test('200: with the token as the bearer', async () => {
    const phone = freshPhone()
    await sendOtp(guarded.url, phone)
    const { status, body } = await listMessages(guarded.url, `?phone=${phone}`, {
      authorization: `Bearer ${TOKEN}`,
    })
    expect([status, body]).toMatchObject([200, { data: [{ phone, otp: '864209' }] }])
  })

  test.each([undefined, 'Bearer ', `Bearer ${TOKEN.slice(0, -1)}`, `Bearer ${TOKEN} x`, `Basic ${TOKEN}`])(
    '401: with the authorization %p',
    async authorization => {
      const headers = authorization === undefined ? undefined : { authorization }
      const { status, body } = await listMessages(guarded.url, '', headers)
      expect([status, body]).toEqual([401, enveloped(401)])
    },
  )

  test('401: the default one-time password does not work with another SANDBOX_OTP', async () => {
    const phone = freshPhone()
    await sendOtp(guarded.url, phone)
    const { status } = await sendRequest(guarded.url, 'POST', '/auth/verify', {
      body: { phone_number: phone, otp: '123456' },
    })
    expect(status).toBe(401)
  })
})

const sendTemplate = (to: string, components: unknown, name: unknown = 'kiraya_sign_reminder') =>
  sendRequest(server.url, 'POST', '/sandbox/whatsapp/sandbox/messages', {
    headers: getCredentials(server),
    body: {
      messaging_product: 'whatsapp',
      to: `91${to}`,
      type: 'template',
      template: { name, components },
    },
  })
const toParameters = (...texts: string[]) => texts.map(text => ({ type: 'text', text }))

describe('templates', () => {
  test('200: a reminder is readable text without an OTP', async () => {
    const phone = freshPhone()
    const url = 'https://api.example.com/sandbox/sign/1'
    const sent = await sendTemplate(phone, [
      { type: 'body', parameters: toParameters('AGR-2026-000001', url) },
    ])
    expect(sent.body).toMatchObject({
      contacts: [{ input: `91${phone}` }],
      messages: [{ id: expect.stringMatching(/^wamid\./) }],
    })

    const message = {
      id: expect.any(String),
      phone,
      otp: null,
      text: `Agreement AGR-2026-000001 waits for your signature: ${url}`,
      sent_at: TIMESTAMP,
    }
    const { status, body } = await listMessages(server.url, `?phone=${phone}`)
    expect([status, body]).toEqual([200, { success: true, data: [message] }])
  })
})

describe('invalid and hostile templates', () => {
  const invalidComponents: [components: unknown][] = [[[]], [{}], [[{ parameters: [{ text: 1 }] }]]]
  test.each(invalidComponents)('400: the components %j are refused', async components => {
    expect((await sendTemplate('9876543210', components)).body).toMatchObject({ error: { code: 100 } })
  })

  test.each([[undefined], [''], ['x\0y'], ['<b>']])(
    '200: hostile texts in the template %p are escaped',
    async name => {
      const phone = freshPhone()
      const components = [{ parameters: toParameters('<script>', 'a\0b', '\ud800') }]
      expect((await sendTemplate(phone, components, name)).status).toBe(200)
      const page = await getPage()
      expect(page).toContain('&lt;script&gt;')
      expect(page).not.toContain('<script')
    },
  )
})
