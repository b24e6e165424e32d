import { describe, expect, test } from 'bun:test'
import { testServer } from '../../support/server'
import { freshPhone, sendRequest, signInUser } from '../../support/users'
import { enveloped } from '../http/forms'
import { getRequest, startSigning, type Headers } from './provider'

const TOKEN = 'the token of the sandbox'
const server = testServer({ env: { SANDBOX_TOKEN: TOKEN, SANDBOX_OTP: '864209' } })

const toBasic = (password: string, user = 'anybody') => ({
  authorization: `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`,
})

const send = (path: string) => sendRequest(server, 'GET', `/sandbox${path}`, { token: TOKEN })

describe('the page with SANDBOX_TOKEN', () => {
  const getPage = (headers: Headers) => fetch(`${server.url}/sandbox`, { headers })
  const accepted: [credential: string, headers: Headers][] = [
    ['the token as the password', toBasic(TOKEN)],
    ['the token as the password, without a user', toBasic(TOKEN, '')],
    ['the token as the bearer', { authorization: `Bearer ${TOKEN}` }],
  ]
  test.each(accepted)('200: with %s', async (_, headers) => {
    expect((await getPage(headers)).status).toBe(200)
  })

  const refused: [credential: string, headers: Headers][] = [
    ['no credential', {}],
    ['a wrong password', toBasic('x')],
    ['an empty password', toBasic('')],
    ['a longer password', toBasic(`${TOKEN}x`)],
    ['a part of the token', { authorization: TOKEN.slice(1) }],
    ['the token without Base64', { authorization: `Basic ${TOKEN}` }],
    ['only the scheme', { authorization: 'Basic' }],
  ]
  test.each(refused)('401: with %s, and the browser asks for a password', async (_, headers) => {
    const response = await getPage(headers)
    expect(response.status).toBe(401)
    expect(response.headers.get('www-authenticate')).toContain('Basic realm=')
  })
})

describe('the control by HTTP with SANDBOX_TOKEN', () => {
  const calls: [method: string, path: string][] = [
    ['GET', '/messages'],
    ['GET', '/control'],
    ['POST', '/control/failures'],
    ['DELETE', '/control/failures'],
    ['DELETE', '/control/failures/x'],
    ['POST', '/control/clock'],
    ['POST', '/control/ekyc'],
    ['POST', '/control/signatures/x'],
    ['POST', '/control/checks/x'],
  ]
  test.each(calls)('401: %s /sandbox%s without the token as the bearer', async (method, path) => {
    const user = await signInUser(server)
    const body = method === 'POST' ? { provider: 'esign', behaviour: 'never', outcome: 'sign' } : undefined
    const attempts: Headers[] = [{}, { authorization: `Bearer ${user.token}` }, toBasic(TOKEN)]
    for (const headers of attempts) {
      const response = await sendRequest(server.url, method, `/sandbox${path}`, { headers, body })
      expect([headers, response.body]).toEqual([headers, enveloped(401)])
    }
  })

  test('200: with the token as the bearer', async () => {
    expect((await send('/control')).status).toBe(200)
  })

  test('200: messages have the OTP of SANDBOX_OTP; 401: the default one does not work', async () => {
    const body = { phone_number: freshPhone() }
    await sendRequest(server, 'POST', '/auth/send-otp', { body })
    const { data } = await send(`/messages?phone=${body.phone_number}`)
    expect(data).toMatchObject([{ otp: '864209' }])
    const verified = await sendRequest(server, 'POST', '/auth/verify', { body: { ...body, otp: '123456' } })
    expect(verified.status).toBe(401)
  })
})

test('200: a signing address needs no token', async () => {
  const { address, id } = await startSigning(server)
  expect((await fetch(address)).status).toBe(200)
  expect((await fetch(`${address}/sign`, { method: 'POST' })).status).toBe(200)
  expect((await getRequest(server, id)).body.status).toBe('sign_complete')
})
