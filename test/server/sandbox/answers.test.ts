import { expect, test } from 'bun:test'
import { useManualKyc } from '../../support/manual-kyc'
import { clock, testServer } from '../../support/server'
import { sendRequest } from '../../support/users'
import { UUID } from '../http/forms'
import { addFailure, getCredentials, type TestServer } from './provider'

const time = clock(new Date('2026-11-21T10:00:00.000Z'))
const server = testServer({ overrides: { now: time.now } })
useManualKyc(server)
const ESIGN = '/sandbox/esign/api'
const EKYC = '/sandbox/ekyc/api/ekyc/'
const WHATSAPP = '/sandbox/whatsapp/1/messages'

const send = (path: string, body?: unknown, headers?: Record<string, string>, at: TestServer = server) =>
  sendRequest(at, body === undefined ? 'GET' : 'POST', path, {
    headers: headers ?? getCredentials(at),
    body,
  })

const template = (...texts: string[]) => ({
  to: '919876543210',
  template: { name: 'a_template', components: [{ parameters: texts.map(text => ({ text })) }] },
})

const toEsign = (code: string, detail: string) => ({ error: { code, detail, traceId: UUID } })
const toEkyc = (errorCode: string, errorMsg: string) => ({ errorCode, errorMsg })
const toWhatsApp = (code: number, message: string) => ({
  error: { message, type: 'OAuthException', code, fbtrace_id: UUID },
})
const FAILURE = 'A simulated failure caused this error'

const refused: [path: string, body: unknown, status: number, answer: object][] = [
  [`${ESIGN}/esign/x`, undefined, 404, toEsign('not_found', 'No such request')],
  [`${ESIGN}/signature/x`, undefined, 404, toEsign('not_found', 'No such request')],
  [`${ESIGN}/signature/x/download/`, undefined, 404, toEsign('not_found', 'No such request')],
  [`${ESIGN}/esign`, {}, 400, toEsign('invalid_request', '/documentId is not valid')],
  [`${ESIGN}/esign`, 'null', 400, toEsign('invalid_request', 'the body is not valid')],
  [`${EKYC}x`, undefined, 404, toEkyc('not_found', 'No such request')],
  [EKYC, {}, 400, toEkyc('invalid_request', 'redirection_url is required')],
  [WHATSAPP, { to: '91' }, 400, toWhatsApp(100, 'Invalid parameter')],
]
test.each(refused)('the provider at %s refuses %j with %i', async (path, body, status, answer) => {
  expect(await send(path, body)).toMatchObject({ status, body: answer })
})

const unauthorized = toEsign('unauthorized', 'The credentials are not valid')
const guarded: [path: string, body: unknown, answer: object][] = [
  [`${ESIGN}/esign`, {}, unauthorized],
  [`${ESIGN}/signature`, {}, unauthorized],
  [`${ESIGN}/signature/x/download/`, undefined, unauthorized],
  [`${ESIGN}/signature/x/delete/`, {}, unauthorized],
  [`${ESIGN}/documents`, {}, unauthorized],
  [EKYC, {}, toEkyc('unauthorized', 'The credentials are not valid')],
  [`${EKYC}x`, undefined, toEkyc('unauthorized', 'The credentials are not valid')],
  [WHATSAPP, {}, toWhatsApp(190, 'Invalid access token')],
]
test.each(guarded)(
  '401: the provider at %s says so to others than the adapters',
  async (path, body, answer) => {
    expect(await send(path, body, { authorization: 'Bearer x' })).toMatchObject({ status: 401, body: answer })
  },
)

test.each<[status: number | undefined, code: number]>([
  [400, 100],
  [401, 190],
  [403, 10],
  [429, 130429],
  [undefined, 131000],
  [503, 131000],
])('a simulated failure with status %p is code %i of the messages', async (status, code) => {
  await addFailure(server, { provider: 'messages', behaviour: 'error', status, retry_after_s: 0 })
  const answer = await send(WHATSAPP, template('x'))
  expect([answer.status, answer.body]).toEqual([status ?? 500, toWhatsApp(code, FAILURE)])
  expect(answer.headers.get('retry-after')).toBe('0')
})
