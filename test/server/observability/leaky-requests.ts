import { signWebhook } from '../../../server/providers/signing/setu/signature'
import { operations } from '../../operations'
import { createFixture, fillBody, toPath } from '../../operations/fixture'
import { raiseRequest } from '../../support/maintenance-fixture'
import { listOperations, type Schema } from '../../support/operations'
import type { TestServer } from '../../support/server'
import { sendRequest, signInUser, toTestUser } from '../../support/users'
import { aadhaar, canaries, everything } from './canaries'
import type { LeakyProvider } from './leaky-provider'
import { toTinyPdf } from '../../support/pdf'

const { phone, 'other phone': other, 'first name': first_name } = canaries
const { 'last name': last_name, 'e-mail': email, password } = canaries

export type Request = [method: string, path: string, body?: unknown]
export type Client = ReturnType<typeof createClient>
export function createClient(url: string) {
  const state = { token: '', requests: 0 }
  const send = async (...[method, path, body, headers]: [...Request, headers?: Record<string, string>]) => {
    state.requests++
    return sendRequest(url, method, path, {
      body,
      token: state.token || undefined,
      headers: {
        'idempotency-key': `${canaries['Idempotency-Key']}-${state.requests}`,
        'x-forwarded-for': everything,
        'user-agent': everything,
        ...headers,
      },
    })
  }
  return { send, state }
}
export async function signIn({ send, state }: Client, provider: LeakyProvider) {
  await send('POST', '/auth/send-otp', { phone_number: phone })
  const otp = provider.getLastOtp()
  const { body } = await send('POST', '/auth/verify', { phone_number: phone, otp })
  state.token = body.data.access_token
  await send('PUT', '/profile/complete', { first_name, last_name, email, password })
  await send('POST', '/auth/login', { phone_number: phone, password: `${password}x` })
  return { OTP: otp, token: state.token, 'signature of the token': state.token.split('.')[2]! }
}

/** Creates one of each record; returns a request of each operation that takes texts, and some that show them. */
export async function createRequests(server: TestServer, { send, state }: Client, otp: string) {
  const { body } = await send('GET', '/auth/me')
  const owner = toTestUser({ ...body.data.user, token: state.token, call: send })
  const people = { owner, manager: await signInUser(server), tenant: await signInUser(server, other) }
  const fixture = await createFixture(server, people, { prepare: made => raiseRequest(owner, made) })
  const requests = (await listOperations(server.url)).flatMap(
    ({ route, method, path, bodies }): Request[] => {
      const row = operations[route]!
      const [schema] = bodies
      if (!schema || !row.body || /^\/(auth|operations|sandbox|webhooks)/.test(path)) return []
      return [[method, toPath(path, fixture), { ...fillBody(row.body, fixture), ...fillTexts(schema) }]]
    },
  )
  return [
    ['POST', '/auth/send-otp', { phone_number: phone }],
    ['POST', '/auth/verify', { phone_number: phone, otp }],
    ['PUT', '/profile/complete', { first_name, last_name, email }],
    ['POST', '/tenants', { phone_number: other, first_name, last_name }],
    ...requests,
    ['POST', toPath('/maintenance-requests/:id/attachments', fixture), Buffer.from(toTinyPdf(everything))],
    ...['/auth/me', '/dashboard', '/tenants'].map((path): Request => ['GET', path]),
  ] as Request[]
}

/** Every text of a body that people write freely. */
const fillTexts = ({ properties = {} }: Schema) =>
  Object.fromEntries(
    Object.entries(properties)
      .filter(
        ([, { type, format, pattern, maxLength }]) =>
          /string/.test(`${type}`) && maxLength && !format && !pattern,
      )
      .map(([name, { maxLength }]) => [name, everything.slice(0, maxLength)]),
  )

/** Sends the text in paths, queries, bodies and headers. */
export async function sendEverywhere({ send }: Client, text: string) {
  const encoded = encodeURIComponent(text)
  for (const path of [
    `/${encoded}`,
    `/agreements/${encoded}`,
    `/properties/${encoded}/units/${encoded}`,
    `/health/ready?x=${encoded}`,
    `/properties?sort=${encoded}`,
  ])
    await send('GET', path)
  await send('POST', '/auth/verify', { phone_number: text, otp: text, [text]: text })
  await send('POST', '/auth/login', `{"phone_number": "${text}`)
  await send('POST', '/webhooks/esign', `{"event":"${text}"}`, { 'x-setu-signature': text })
  await send('GET', '/operations/jobs', undefined, { authorization: `Bearer ${text}` })
}

export async function callFailingProvider({ send }: Client, requests: Request[]) {
  for (const request of requests.filter(([, path]) => /send-otp|ekyc|sign$/.test(path)))
    await send(...request)
  const signers = [{ id: everything, identifier: phone, errCode: everything }]
  const esign = { id: phone, documentId: everything, status: everything, signers }
  const payload = JSON.stringify({ event: 'ESIGN_COMPLETE', data: { esign } })
  await send('POST', '/webhooks/esign', payload, {
    'x-setu-signature': signWebhook(payload, canaries['webhook secret']),
  })
  await send('POST', '/webhooks/ekyc', {
    event: 'EKYC_DATA',
    data: { id: `check-${phone}`, aadhaar, xml: canaries.XML },
  })
}

/** Makes tables fail with errors that quote the row; then some are missing. */
export async function breakTables(
  { send }: Client,
  execute: (statement: string) => Promise<unknown>,
  requests: Request[],
  tables: string[],
) {
  await execute(`create function leak() returns trigger language plpgsql as $f$ begin
    raise exception using message = coalesce(new, old)::text || $m$ ${everything} $m$, detail = 'Key (phone)=(' || coalesce(new, old)::text || ')', hint = $m$${everything}$m$, errcode = case when random() < 0.5 then '23505' else 'P0001' end; end $f$`)
  for (const table of tables) {
    await execute(
      `create trigger leak before insert or update or delete on "${table}" for each row execute function leak()`,
    )
    for (const request of requests) await send(...request)
    await execute(`drop trigger leak on "${table}"`)
  }
  for (const table of ['users', 'activities', 'tenant_contacts']) {
    await execute(`alter table "${table}" rename to gone`)
    await send('POST', '/auth/login', { phone_number: phone, password })
    for (const request of requests) await send(...request)
    await execute(`alter table gone rename to "${table}"`)
  }
}
