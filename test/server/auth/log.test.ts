import { describe, expect, test } from 'bun:test'
import { createLog } from '../../../server/observability/log'
import { sendRequest, freshPhone } from '../../support/users'
import { testServer } from '../../support/server'
import { startWhatsAppStub } from './whatsapp'

const kept = () => {
  const lines: string[] = []
  return { lines, log: createLog('trace', false, { write: line => void lines.push(line) }) }
}
const sandbox = kept()
const real = kept()
const chat = startWhatsAppStub()
const it = testServer({ overrides: { log: sandbox.log } })
const inEarnest = testServer({ env: chat.env, overrides: { log: real.log } })
const post = (url: string, path: string, body: unknown, token?: string) =>
  sendRequest(url, 'POST', path, { body, token })

describe('the log', () => {
  test("says the sandbox's OTP, and the phone only in part", async () => {
    const phone = freshPhone()
    await post(it.url, '/auth/send-otp', { phone_number: phone })
    const line = sandbox.lines.findLast(line => line.includes('123456'))!
    expect(line).toContain('one-time password')
    expect(line).toContain(phone.slice(-2))
    expect(sandbox.lines.join('')).not.toContain(phone)
  })

  test('never an OTP of a real channel, nor phone, token, password or e-mail, whatever goes wrong', async () => {
    const phone = freshPhone()
    const password = 'a password that nobody logs'
    const email = 'nobody-logs-this@example.com'
    const { url } = inEarnest
    await post(url, '/auth/send-otp', { phone_number: phone })
    const otp = chat.otpOf(phone)!
    const wrong = otp === '000000' ? '000001' : '000000'
    await post(url, '/auth/verify', { phone_number: phone, otp: wrong })
    const { body } = await post(url, '/auth/verify', { phone_number: phone, otp })
    const token: string = body.data.access_token
    await sendRequest(url, 'PUT', '/profile/complete', {
      token,
      body: { first_name: 'Asha', last_name: 'Rao', email, password },
    })
    await post(url, '/auth/login', { phone_number: phone, password })
    await post(url, '/auth/login', { phone_number: phone, password: `${password}!` })
    await post(url, '/auth/verify', { phone_number: phone, otp: `${otp}x` })
    await sendRequest(url, 'GET', `/auth/me?token=${token}&phone=${phone}`, { token: `${token}x` })
    chat.answer = () => new Response(null, { status: 500 })
    await post(url, '/auth/send-otp', { phone_number: phone })
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

  test('has a line for every request, with the id of its answer', async () => {
    for (const [path, status, route] of [
      ['/auth/me', 401, '/auth/me'],
      ['/health/live', 200, '/health/live'],
      ['/agreements/12', 401, '/agreements/:id'],
      ['/nothing', 404, 'none'],
    ] as const) {
      const answer = await sendRequest(it.url, 'GET', path)
      const id = answer.headers.get('x-request-id')
      while (!sandbox.lines.some(line => line.includes(id!))) await Bun.sleep(1)
      expect(JSON.parse(sandbox.lines.findLast(line => line.includes(id!))!)).toMatchObject({
        request_id: id,
        method: 'GET',
        route,
        status,
        ms: expect.any(Number),
      })
    }
  })
})
