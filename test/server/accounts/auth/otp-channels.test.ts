import { createHash } from 'node:crypto'
import { afterEach, expect, test } from 'bun:test'
import { serveUntilEnd } from '../../../support/provider-double'
import { testServer } from '../../../support/server'
import { freshPhone, sendRequest, type Target } from '../../../support/users'
import { dump } from '../../privacy/dump'
import { startWhatsAppStub } from './whatsapp'

// Which errors of a channel mean what is tested at the adapters; here is what they do to a sign-in.
const chat = startWhatsAppStub()
const sms: { body: any; authkey: string | null }[] = []
const msg91 = serveUntilEnd(async request => {
  sms.push({ body: await request.json(), authkey: request.headers.get('authkey') })
  return Response.json({ type: 'success', request_id: '1' })
})
const byBoth = testServer({
  env: { ...chat.env, MESSAGE_CHANNELS: 'whatsapp,sms', MSG91_AUTH_KEY: 'the key', MSG91_TEMPLATE_ID: 'T1' },
  constants: { PROVIDER_RETRIES: 0, MSG91_API_URL: msg91 },
})
const byWhatsApp = testServer({ env: chat.env, constants: { PROVIDER_RETRIES: 0 } })
afterEach(() => void (chat.answer = undefined))

const ask = (at: Target, phone: string) =>
  sendRequest(at, 'POST', '/auth/send-otp', { body: { phone_number: phone } })
const verify = (at: Target, phone: string, otp: unknown) =>
  sendRequest(at, 'POST', '/auth/verify', { body: { phone_number: phone, otp } })
const findSms = (phone: string) => sms.find(({ body }) => body.mobile === `91${phone}`)

test('an OTP by WhatsApp signs in; no SMS is sent', async () => {
  const phone = freshPhone()
  expect((await ask(byBoth, phone)).status).toBe(200)
  const message = chat.sent.findLast(({ phone: to }) => to === phone)!
  expect(message).toMatchObject({ authorization: 'Bearer the access token', path: '/v23.0/1234/messages' })
  expect(findSms(phone)).toBeUndefined()
  expect((await verify(byBoth, phone, message.otp)).status).toBe(200)
})

test('SMS sends the same OTP if WhatsApp fails, and it signs in', async () => {
  const phone = freshPhone()
  chat.answer = () => Response.json({ error: { code: 131026 } }, { status: 400 })
  expect((await ask(byBoth, phone)).status).toBe(200)
  const { authkey, body } = findSms(phone)!
  expect([authkey, body]).toEqual([
    'the key',
    { template_id: 'T1', mobile: `91${phone}`, otp: chat.otpOf(phone), otp_expiry: expect.any(Number) },
  ])
  expect((await verify(byBoth, phone, body.otp)).status).toBe(200)
})

test("every OTP is six random digits, and the sandbox's OTP is not valid", async () => {
  const phones = Array.from({ length: 8 }, freshPhone)
  for (const phone of phones) await ask(byWhatsApp, phone)
  const otps = phones.map(phone => chat.otpOf(phone)!)
  for (const otp of otps) expect(otp).toMatch(/^\d{6}$/)
  expect(new Set(otps).size).toBeGreaterThan(5)
  const other = otps.indexOf('123456') === 0 ? 1 : 0
  expect((await verify(byWhatsApp, phones[other]!, '123456')).status).toBe(401)
})

test('the database holds no OTP, neither as it is nor as a hash that needs no key', async () => {
  const phone = freshPhone()
  await ask(byWhatsApp, phone)
  const otp = chat.otpOf(phone)!
  const stored = await dump(byWhatsApp.em())
  const hashes = [otp, `${phone}${otp}`, `${otp}${phone}`, `${phone}:${otp}`, `${otp}:${phone}`].flatMap(
    text =>
      ['md5', 'sha1', 'sha256', 'sha512'].flatMap(algorithm =>
        (['hex', 'base64'] as const).map(form => createHash(algorithm).update(text).digest(form)),
      ),
  )
  expect(stored.holding(phone)).toContain('otp_sessions.phone_number')
  expect([stored.holding(otp), stored.where(...hashes)]).toEqual([[], []])
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

test('an OTP stays valid if the sending of another one fails', async () => {
  const phone = freshPhone()
  chat.answer = async () => {
    chat.answer = undefined
    await ask(byWhatsApp, phone)
    return new Response(null, { status: 500 })
  }
  expect((await ask(byWhatsApp, phone)).status).toBe(503)
  expect((await verify(byWhatsApp, phone, chat.otpOf(phone))).status).toBe(200)
})

test('404: with a real channel there are no sandbox messages', async () => {
  const sending = '/sandbox/whatsapp/sandbox/messages'
  expect((await sendRequest(byWhatsApp, 'GET', '/sandbox/messages')).status).toBe(404)
  expect((await sendRequest(byWhatsApp, 'POST', sending, { body: {} })).status).toBe(404)
})
