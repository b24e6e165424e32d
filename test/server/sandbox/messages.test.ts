import { describe, expect, test } from 'bun:test'
import { clock, testServer } from '../../support/server'
import { freshPhone, sendRequest } from '../../support/users'
import { TIMESTAMP } from '../http/forms'
import { callProvider } from './provider'

const time = clock()
const server = testServer({ overrides: { now: time.now } })

const sendOtp = (phone_number: string) =>
  sendRequest(server, 'POST', '/auth/send-otp', { body: { phone_number } })

const listMessages = (search: string) => sendRequest(server, 'GET', `/sandbox/messages${search}`)

async function getPage() {
  const response = await fetch(`${server.url}/sandbox`)
  return response.text()
}

test('200: the messages to a phone number, newest first', async () => {
  const phone = freshPhone()
  await sendOtp(phone)
  time.advance(1000)
  await sendOtp(phone)
  time.advance(1000)
  await sendOtp(freshPhone())

  const { status, body } = await listMessages(`?phone=${phone}`)
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

const sendTemplate = (to: string, components: unknown, name: unknown = 'kiraya_sign_reminder') =>
  callProvider(server, 'POST', '/whatsapp/sandbox/messages', {
    messaging_product: 'whatsapp',
    to: `91${to}`,
    type: 'template',
    template: { name, components },
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
    const { status, body } = await listMessages(`?phone=${phone}`)
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
