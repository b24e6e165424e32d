import { expect, test } from 'bun:test'
import { createLog } from '../../../server/observability/log'
import { sendRequest, freshPhone, type Target } from '../../support/users'
import { testServer } from '../../support/server'
import { startWhatsAppStub } from './whatsapp'

const createRecordingLog = () => {
  const lines: string[] = []
  return { lines, log: createLog('trace', false, { write: line => void lines.push(line) }) }
}
const sandbox = createRecordingLog()
const real = createRecordingLog()
const chat = startWhatsAppStub()
const server = testServer({ overrides: { log: sandbox.log } })
const production = testServer({ env: chat.env, overrides: { log: real.log } })
const post = (target: Target, path: string, body: unknown, token?: string) =>
  sendRequest(target, 'POST', path, { body, token })

test("the log contains the sandbox's OTP and only the last digits of the phone", async () => {
  const phone = freshPhone()
  await post(server, '/auth/send-otp', { phone_number: phone })
  const line = sandbox.lines.findLast(line => line.includes('123456'))!
  expect(line).toContain('one-time password')
  expect(line).toContain(phone.slice(-2))
  expect(sandbox.lines.join('')).not.toContain(phone)
})

test('the log never contains an OTP of a real channel, a phone, a token, a password or an e-mail address', async () => {
  const phone = freshPhone()
  const password = 'a password that nobody logs'
  const email = 'nobody-logs-this@example.com'
  await post(production, '/auth/send-otp', { phone_number: phone })
  const otp = chat.otpOf(phone)!
  const wrong = otp === '000000' ? '000001' : '000000'
  await post(production, '/auth/verify', { phone_number: phone, otp: wrong })
  const { body } = await post(production, '/auth/verify', { phone_number: phone, otp })
  const token: string = body.data.access_token
  await sendRequest(production, 'PUT', '/profile/complete', {
    token,
    body: { first_name: 'Asha', last_name: 'Rao', email, password },
  })
  await post(production, '/auth/login', { phone_number: phone, password })
  await post(production, '/auth/login', { phone_number: phone, password: `${password}!` })
  await post(production, '/auth/verify', { phone_number: phone, otp: `${otp}x` })
  await sendRequest(production, 'GET', `/auth/me?token=${token}&phone=${phone}`, { token: `${token}x` })
  chat.answer = () => new Response(null, { status: 500 })
  await post(production, '/auth/send-otp', { phone_number: phone })
  chat.answer = undefined
  const all = real.lines.join('')
  expect(real.lines.length).toBeGreaterThan(8)
  for (const secret of [
    `"${otp}`,
    `${otp}"`,
    ` ${otp} `,
    phone,
    token,
    token.split('.')[2]!,
    password,
    email,
    'the access token',
  ])
    expect(all).not.toContain(secret)
})
