import { describe, expect, test } from 'bun:test'
import { useManualKyc } from '../../support/manual-kyc'
import { testServer } from '../../support/server'
import { sendRequest } from '../../support/users'
import { addFailure, callProvider, getState, postCheck, type TestServer } from './provider'

const server = testServer({ env: { PUBLIC_URL: 'https://api.example.com' } })
useManualKyc(server)
const automatic = testServer()
const UNKNOWN_ID = '00000000-0000-4000-8000-000000000000'

const getCheck = (on: TestServer, id: string) => callProvider(on, 'GET', `/ekyc/api/ekyc/${id}`)

const requestPage = (path: string, method = 'GET', init: RequestInit = {}) =>
  fetch(`${server.url}/sandbox/verify/${path}`, { method, redirect: 'manual', ...init })

describe("the eKYC provider's interface", () => {
  test('201: creates a check whose page is below PUBLIC_URL; 200: reads it', async () => {
    const { status, body } = await postCheck(server)
    expect([status, body]).toEqual([
      201,
      {
        id: expect.any(String),
        status: 'CREATED',
        kycURL: `https://api.example.com/sandbox/verify/${body.id}`,
        data: null,
      },
    ])
    expect((await getCheck(server, body.id)).body).toEqual(body)
  })

  test('200: automatic checks succeed when they are read', async () => {
    const { id } = (await postCheck(automatic)).body
    expect((await getCheck(automatic, id)).body.status).toBe('SUCCESS')
    expect((await getCheck(automatic, id)).body.data.aadhaar).toEqual({
      name: expect.any(String),
      aadhaarNumber: expect.stringMatching(/^X{8}\d{4}$/),
      generatedAt: expect.any(String),
    })
  })

  const rules: [behaviour: string, delay_ms: number | null, status: string][] = [
    ['succeed', null, 'SUCCESS'],
    ['fail', null, 'ERROR'],
    ['succeed', 3_600_000, 'CREATED'],
  ]
  test.each(rules)('200: a check that is to %s after %p ms is %s', async (behaviour, delay_ms, status) => {
    await addFailure(server, { provider: 'ekyc', on: 'create', behaviour, delay_ms })
    const { body } = await postCheck(server)
    expect((await getCheck(server, body.id)).body.status).toBe(status)
  })
})

test('200: identity checks wait for a person until they are switched back', async () => {
  const { id } = (await postCheck(automatic)).body
  const readAfter = async (mode: string) => {
    await sendRequest(automatic.url, 'POST', '/sandbox/control/ekyc', { body: { mode } })
    return [(await getState(automatic)).ekyc.mode, (await getCheck(automatic, id)).body.status]
  }
  expect(await readAfter('manual')).toEqual(['manual', 'CREATED'])
  expect(await readAfter('auto')).toEqual(['auto', 'SUCCESS'])
})

const unknownPages: [method: string, path: string][] = [
  ['GET', 'x'],
  ['GET', '%00'],
  ['POST', `${UNKNOWN_ID}/fail`],
  ['POST', 'x/__proto__'],
]
test.each(unknownPages)('404: an unknown identity check or action: %s %s', async (method, path) => {
  const response = await requestPage(path, method)
  expect([response.status, response.headers.get('content-type')]).toEqual([404, 'text/html; charset=utf-8'])
})
