import { describe, expect, test } from 'bun:test'
import { testServer } from '../../support/server'
import { sendRequest, signInUser } from '../../support/users'
import { enveloped } from '../http/forms'
import { getRequest, startSigning, type Headers } from './provider'

const TOKEN = 'the token of the sandbox'
const server = testServer({ env: { SANDBOX_TOKEN: TOKEN } })

const toBasic = (password: string, user = 'anybody') => ({
  authorization: `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`,
})

const getState = () => sendRequest(server.url, 'GET', '/sandbox/control', { token: TOKEN })

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
    ['GET', ''],
    ['POST', '/faults'],
    ['DELETE', '/faults'],
    ['DELETE', '/faults/x'],
    ['POST', '/clock'],
    ['POST', '/ekyc'],
    ['POST', '/signatures/x'],
    ['POST', '/checks/x'],
  ]
  test.each(calls)('401: %s /sandbox/control%s without the token as the bearer', async (method, path) => {
    const user = await signInUser(server.url)
    const body = method === 'POST' ? { provider: 'esign', behaviour: 'never', outcome: 'sign' } : undefined
    const attempts: Headers[] = [{}, { authorization: `Bearer ${user.token}` }, toBasic(TOKEN)]
    for (const headers of attempts) {
      const response = await sendRequest(server.url, method, `/sandbox/control${path}`, { headers, body })
      expect([headers, response.body]).toEqual([headers, enveloped(401)])
    }
  })

  test('200: with the token as the bearer', async () => {
    expect((await getState()).status).toBe(200)
  })
})

test('200: a signing address needs no token', async () => {
  const { address, id } = await startSigning(server)
  expect((await fetch(address)).status).toBe(200)
  expect((await fetch(`${address}/sign`, { method: 'POST' })).status).toBe(200)
  expect((await getRequest(server, id)).body.status).toBe('sign_complete')
})
