import { expect, test } from 'bun:test'
import { clock, testServer } from '../../support/server'
import { sendRequest } from '../../support/users'
import { TIMESTAMP, UUID } from '../http/forms'
import {
  addFaultRule,
  callControl,
  createRequest,
  flexiInput,
  getCredentials,
  postNativeRequest,
  uploadDocument,
  type TestServer,
} from './provider'

const time = clock(new Date('2026-11-21T10:00:00.000Z'))
const server = testServer({ env: { SANDBOX_EKYC: 'manual' }, overrides: { now: time.now } })
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
const FAULT = 'A sandbox fault rule caused this error'

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

const guarded: [path: string, body: unknown, answer: object][] = [
  [`${ESIGN}/esign`, {}, toEsign('unauthorized', 'The credentials are not valid')],
  [`${ESIGN}/documents`, {}, toEsign('unauthorized', 'The credentials are not valid')],
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
])('a fault rule with status %p is code %i of the messages', async (status, code) => {
  await addFaultRule(server, { provider: 'messages', behaviour: 'error', status, retry_after_s: 0 })
  const answer = await send(WHATSAPP, template('x'))
  expect([answer.status, answer.body]).toEqual([status ?? 500, toWhatsApp(code, FAULT)])
  expect(answer.headers.get('retry-after')).toBe('0')
})

test('a fault rule can answer with what the provider would never answer', async () => {
  const { id } = await createRequest(server)
  for (const [on, path, type] of [
    ['status', `${ESIGN}/esign/${id}`, 'application/json'],
    ['pdf', `${ESIGN}/esign/${id}/pdf`, 'application/pdf'],
  ]) {
    await addFaultRule(server, { provider: 'esign', on, behaviour: 'garbage', match: id })
    const response = await fetch(server.url + path, { headers: getCredentials(server) })
    const garbage = '<html><body>Bad gateway</body></html>'
    expect([response.headers.get('content-type'), await response.text()]).toEqual([type!, garbage])
  }
  await addFaultRule(server, { provider: 'esign', behaviour: 'malformed', match: id })
  expect(await send(`${ESIGN}/esign/${id}`)).toMatchObject({ status: 200, body: { ok: true, items: [] } })
})

test('a request for one signer is as the provider sends it', async () => {
  const documentId = crypto.randomUUID()
  const created = await createRequest(server, { documentId })
  expect(created).toEqual({
    id: UUID,
    documentId,
    status: 'sign_initiated',
    signers: [
      {
        id: UUID,
        identifier: '9876543210',
        displayName: 'Asha Rao',
        status: 'pending',
        url: `${server.url}/sandbox/sign/${created.id}`,
        errCode: null,
      },
    ],
    validUpto: '2026-11-24T10:00:00.000Z',
  })
})

const createCheck = async () => (await send(EKYC, { redirection_url: 'https://example.com/' })).body.id

test.each([
  [
    'approve',
    {
      status: 'SUCCESS',
      data: {
        aadhaar: {
          name: 'Sandbox Resident',
          aadhaarNumber: 'XXXXXXXX0000',
          generatedAt: '2026-11-21T10:00:00.000Z',
        },
        xml: null,
      },
    },
  ],
  [
    'fail',
    { status: 'ERROR', data: null, errorCode: 'upstream_service_error', errorMsg: 'The resident declined' },
  ],
])('an identity check after %s is as the provider sends it, also later', async (outcome, answer) => {
  const id = await createCheck()
  await callControl(server, 'POST', `/checks/${id}`, { outcome })
  const before = await send(EKYC + id)
  expect(before.body).toEqual({ id, kycURL: `${server.url}/sandbox/verify/${id}`, ...answer })
})

test('a message has an id, and goes to its number', async () => {
  const { body } = await send(WHATSAPP, template('one', 'two'))
  expect(body).toEqual({
    messaging_product: 'whatsapp',
    contacts: [{ input: '919876543210', wa_id: '919876543210' }],
    messages: [{ id: expect.stringMatching(/^wamid\./) }],
  })
  const { body: listed } = await sendRequest(server, 'GET', '/sandbox/messages?phone=9876543210')
  expect(listed.data[0]).toEqual({
    id: body.messages[0].id,
    phone: '9876543210',
    otp: null,
    text: 'A template: one, two',
    sent_at: TIMESTAMP,
  })
})

const of = (length: number) => 'x'.repeat(length)
const signers = (count: number, signer: object = {}) =>
  Array.from({ length: count }, () => ({ ...flexiInput.signer, ...signer }))

test('a record answers only to the addresses of its kind, and stays', async () => {
  const check = await createCheck()
  const { id } = await createRequest(server)
  for (const path of [
    `sign/${check}`,
    `files/${check}`,
    `verify/${id}`,
    `files/${id}`,
    `sign/${check}/document.pdf`,
  ])
    expect([path, (await sendRequest(server, 'GET', `/sandbox/${path}`)).status]).toEqual([path, 404])
  expect((await send(EKYC + check)).body.status).toBe('CREATED')
  expect((await send(`${ESIGN}/esign/${id}`)).body.status).toBe('sign_initiated')
})

test('an uploaded name is cut, and PDFs have names', async () => {
  const form = new FormData()
  form.set('name', of(300))
  form.set('document', new Blob(['%PDF-1.4']), 'x.pdf')
  const uploaded = await fetch(`${server.url}${ESIGN}/documents`, {
    method: 'POST',
    headers: getCredentials(server),
    body: form,
  })
  expect(await uploaded.json()).toEqual({ id: UUID, name: of(255) })

  const { body } = await postNativeRequest(server, await uploadDocument(server, '%PDF-1.4'), signers(1))
  for (const [path, name] of [
    [`sign/${body.id}/document.pdf`, 'document.pdf'],
    [`sign/${body.id}/signed.pdf`, 'signed.pdf'],
    ['files/sample-lease.pdf', 'sample-lease.pdf'],
  ]) {
    const { headers } = await fetch(`${server.url}/sandbox/${path}`)
    expect(headers.get('content-disposition')).toBe(`inline; filename="${name}"`)
  }
  const { body: link } = await send(`${ESIGN}/signature/${body.id}/download/`)
  expect(link).toEqual({
    id: body.id,
    downloadUrl: expect.stringMatching(new RegExp(`^${server.url}/sandbox/files/[0-9a-f-]{36}$`)),
    validUpto: '2026-11-21T10:15:00.000Z',
  })
})

const call = ['error', 'timeout', 'slow', 'garbage', 'malformed', 'lost']
const ofSigning = [
  'link',
  'late',
  'twice',
  'shuffled',
  'forged',
  'never',
  'succeed',
  'decline',
  'fail-otp',
  'expire',
]

test.each([
  ['esign', [...call, ...ofSigning]],
  ['ekyc', [...call, 'late', 'twice', 'shuffled', 'never', 'succeed', 'fail']],
  ['messages', call],
])('the provider %s can behave in these ways, and in no others', async (provider, expected) => {
  const all = [...call, ...ofSigning, 'fail']
  const accepted: string[] = []
  for (const behaviour of all) {
    const { status } = await callControl(server, 'POST', '/faults', { provider, behaviour, match: 'nothing' })
    if (status === 201) accepted.push(behaviour)
  }
  expect(accepted).toEqual(expected)
})
