import { beforeAll, describe, expect, test } from 'bun:test'
import { query } from '../../db/orm'
import { createApp } from '../../server/app'
import { call, freshPhone, landlord, listUnit, signIn, terms, type Person } from '../support/people'
import { server } from '../support/server'
import { enveloped } from './http/forms'

const it = server(), callers = ['nobody', 'a stranger', 'the landlord', 'the manager', 'the tenant', 'another tenant'] as const
type Caller = Exclude<(typeof callers)[number], 'nobody'>
let people: Record<Caller, Person>
beforeAll(async () => {
  people = { 'a stranger': await signIn(it.url), 'the landlord': await landlord(it.url), 'the manager': await signIn(it.url), 'the tenant': await signIn(it.url), 'another tenant': await signIn(it.url) }
})

/** A managed unit with an agreement in a state of it, beside a unit of the same landlord's with another tenant's agreement. */
async function world(status: 'DRAFT' | 'PENDING' | 'ACTIVE' | 'TERMINATED' = 'DRAFT') {
  const { 'the landlord': owner, 'the manager': manager, 'the tenant': tenant, 'another tenant': other } = people
  const { property, unit } = await listUnit(owner, { managed_by_id: manager.id }), { unit: elsewhere } = await listUnit(owner)
  const { body: { data: agreement } } = await owner.call('POST', '/agreements', terms(unit.id, [tenant.id]))
  await owner.call('POST', '/agreements', terms(elsewhere.id, [other.id]))
  await query(it.em()).updateTable('agreements').set({ status, signed_date: status === 'ACTIVE' ? '2026-01-01' : null }).where('id', '=', agreement.id).execute()
  const request = { provider: 'sandbox', provider_request_id: crypto.randomUUID() }
  const { signature_id } = await query(it.em()).insertInto('agreement_signatures').values({ ...request, status: status === 'ACTIVE' ? 'SIGNED' : 'PENDING', agreement_id: agreement.id, signer_id: tenant.id, signer_role: 'TENANT', signing_url: 'https://example.com/sign', expires_at: new Date(Date.now() + 3_600_000) }).returning('signature_id').executeTakeFirstOrThrow()
  if (status === 'ACTIVE') await query(it.em()).insertInto('signed_documents').values({ ...request, agreement_id: agreement.id, sha256: 'a'.repeat(64), size: 5, content: Buffer.from('%PDF-') }).execute()
  return { property, unit, agreement, signature_id }
}
type World = Awaited<ReturnType<typeof world>>

type Row = { statuses: number[]; body?: (world: World) => unknown; state?: 'PENDING' | 'ACTIVE' | 'TERMINATED'; uuid?: true; own?: true }
const everybody = (status: number, more: Partial<Row> = {}): Row => ({ statuses: Array(6).fill(status), ...more })
const signedIn = (status: number, more: Partial<Row> = {}): Row => ({ statuses: [401, ...Array(5).fill(status)], ...more })
const row = (statuses: number[], more: Partial<Row> = {}): Row => ({ statuses, ...more })
const empty = { body: () => ({}) }, uuid = { uuid: true } as const
const side = [401, 404, 200, 200, 403, 404], parties = [401, 404, 200, 200, 200, 404]

/** What each route answers to nobody, a stranger, the landlord, the manager of the unit, the tenant, another tenant of the landlord's. */
const matrix: Record<string, Row[]> = {
  'POST /webhooks/esign': [everybody(401, empty)],
  'POST /webhooks/ekyc': [everybody(400, empty)],
  'GET /operations/webhooks': [everybody(404)],
  'POST /operations/webhooks/:id/replay': [everybody(404, empty)],
  'GET /metrics': [everybody(404)],
  'GET /operations/jobs': [everybody(404)],
  'GET /health/live': [everybody(200)],
  'GET /health/ready': [everybody(200)],
  'POST /auth': [everybody(400, empty)],
  'POST /auth/verify': [everybody(400, empty)],
  'POST /auth/send-otp': [everybody(400, empty)],
  'POST /auth/login': [everybody(400, empty)],
  'GET /auth/me': [signedIn(200)],
  'GET /auth/me/export': [signedIn(200)],
  'DELETE /auth/me': [signedIn(400, { body: () => ({ otp: '000000' }) })],
  'POST /auth/logout': [signedIn(200, { own: true })],
  'PUT /profile/complete': [signedIn(400, { body: () => ({ first_name: '' }) })],
  'POST /profile/ekyc': [signedIn(400, empty)],
  'POST /profile/ekyc/complete': [signedIn(400, { body: () => ({ verification_id: 'x' }) })],
  'GET /dashboard': [row([401, 403, 200, 403, 403, 403])],
  'GET /properties': [signedIn(200)],
  'GET /properties/search': [signedIn(400)],
  'GET /properties/:id': [row([401, 404, 200, 200, 404, 404]), row([401, 404, 200, 200, 404, 404], uuid)],
  'POST /properties': [signedIn(201, { body: () => ({ pin_code: 560048, property_type: 'pg' }) })],
  'PATCH /properties/:id': [row([401, 404, 200, 403, 404, 404], empty)],
  'DELETE /properties/:id': [row([401, 404, 200, 403, 404, 404])],
  'GET /properties/:id/units': [row([401, 404, 200, 200, 404, 404])],
  'GET /properties/:id/units/:unitId': [row([401, 404, 200, 200, 404, 404]), row([401, 404, 200, 200, 404, 404], uuid)],
  'POST /properties/:id/units': [row([401, 404, 201, 403, 404, 404], { body: () => ({ unit_name: 'B' }) }), signedIn(201, { body: () => ({ unit_name: 'B' }), ...uuid })],
  'PATCH /properties/:id/units/:unitId': [row([401, 404, 200, 200, 404, 404], { body: () => ({ unit_notes: 'x' }) }), row([401, 404, 200, 403, 404, 404], { body: () => ({ managed_by_id: null }) })],
  'DELETE /properties/:id/units/:unitId': [row([401, 404, 200, 403, 404, 404])],
  'GET /tenants': [signedIn(200)],
  'POST /tenants': [signedIn(201, { body: () => ({ phone_number: freshPhone() }) })],
  'GET /agreements': [signedIn(200)],
  'GET /agreements/:id': [row(parties), row(parties, uuid)],
  'GET /agreements/:id/signatures': [row(parties), row(parties, uuid)],
  'GET /agreements/:id/timeline': [row(parties), row(parties, uuid)],
  'GET /agreements/:id/certificate': [row(parties, { state: 'ACTIVE' }), row(parties, { state: 'ACTIVE', ...uuid }), row([401, 404, 404, 404, 404, 404])],
  'GET /agreements/:id/document': [row(parties, { state: 'ACTIVE' }), row(parties, { state: 'ACTIVE', ...uuid }), row([401, 404, 404, 404, 404, 404])],
  'POST /agreements': [row([401, 404, 201, 201, 404, 404], { body: ({ unit }) => terms(unit.id, [people['the tenant'].id]) })],
  'PATCH /agreements/:id': [row(side, empty)],
  'DELETE /agreements/:id': [row(side)],
  'POST /agreements/:id/sign': [
    row(parties, { body: () => ({ signer_id: people['the tenant'].id }) }),
    ...(['the landlord', 'the manager'] as const).map(signer => row(side, { body: () => ({ signer_id: people[signer].id }) })),
    row([401, 404, 403, 403, 403, 404], { body: () => ({ signer_id: people['another tenant'].id }) }),
  ],
  'POST /agreements/:id/terminate': [row(side, { state: 'PENDING', ...empty })],
  'POST /agreements/:id/revise': [row([401, 404, 201, 201, 403, 404], { state: 'PENDING', ...empty })],
  'POST /agreements/:id/signatures/:signatureId/cancel': [row(side, { state: 'PENDING', ...empty })],
  'POST /agreements/:id/complete': [row(side, { state: 'TERMINATED', ...empty })],
  'GET /signed': [everybody(200)],
  'GET /verified': [everybody(200)],
  'POST /sandbox/whatsapp/:phoneNumberId/messages': [everybody(401, empty)],
  'GET /sandbox/messages': [everybody(200)],
  'GET /sandbox/control': [everybody(200)],
  'POST /sandbox/control/faults': [everybody(400, empty)],
  'DELETE /sandbox/control/faults/:id': [everybody(404)],
  'DELETE /sandbox/control/faults': [everybody(200)],
  'POST /sandbox/control/clock': [everybody(400, empty)],
  'POST /sandbox/control/signatures/:id': [everybody(404, { body: () => ({ outcome: 'sign' }) })],
  'POST /sandbox/control/checks/:id': [everybody(404, { body: () => ({ outcome: 'approve' }) })],
  'GET /sandbox': [everybody(200)],
  'GET /sandbox/inbox': [everybody(200)],
  'GET /sandbox/faults': [everybody(200)],
  'POST /sandbox/faults': [everybody(400)],
  'POST /sandbox/faults/clear': [everybody(303)],
  'POST /sandbox/faults/:id/remove': [everybody(404)],
  'POST /sandbox/clock': [everybody(400)],
  'GET /sandbox/files/:id': [everybody(404)],
  'GET /sandbox/files/sample-lease.pdf': [everybody(200)],
  'POST /sandbox/esign/api/esign': [everybody(401, empty)],
  'GET /sandbox/esign/api/esign/:id': [everybody(401)],
  'GET /sandbox/esign/api/esign/:id/pdf': [everybody(401)],
  'POST /sandbox/esign/api/esign/:id/delete/': [everybody(401, empty)],
  'POST /sandbox/esign/api/documents': [everybody(401)],
  'POST /sandbox/esign/api/signature': [everybody(401, empty)],
  'GET /sandbox/esign/api/signature/:id': [everybody(401)],
  'GET /sandbox/esign/api/signature/:id/download/': [everybody(401)],
  'POST /sandbox/esign/api/signature/:id/delete/': [everybody(401, empty)],
  'GET /sandbox/sign/:id': [everybody(404)],
  'GET /sandbox/sign/:id/document.pdf': [everybody(404)],
  'GET /sandbox/sign/:id/signed.pdf': [everybody(404)],
  'POST /sandbox/sign/:id/:outcome': [everybody(404)],
  'POST /sandbox/ekyc/api/ekyc/': [everybody(401, empty)],
  'GET /sandbox/ekyc/api/ekyc/:id': [everybody(401)],
  'GET /sandbox/verify/:id': [everybody(404)],
  'POST /sandbox/verify/:id/:outcome': [everybody(404)],
  'GET /openapi.json': [everybody(200)],
  'GET /docs': [everybody(200)],
  'GET /docs/start.js': [everybody(200)],
  'GET /docs/swagger-ui.css': [everybody(200)],
  'GET /docs/swagger-ui-bundle.js': [everybody(200)],
}

test('every route of the app has its row, and every row its route', () => {
  const routes = createApp(it.deps).routes.map(({ method, path }) => `${method} ${path}`)
  expect(routes.toSorted()).toEqual(Object.keys(matrix).toSorted())
})

for (const [route, rows] of Object.entries(matrix)) {
  const [method = '', path = ''] = route.split(' ')
  describe(route, () => {
    for (const [number, { statuses, body, state, uuid, own }] of rows.entries()) {
      for (const [index, caller] of callers.entries()) {
        test(`${statuses[index]} for ${caller}${uuid ? ', by UUID' : ''}${number && !uuid ? `, row ${number + 1}` : ''}`, async () => {
          const needed = path.includes(':') && !path.startsWith('/sandbox') || route === 'POST /agreements'
          const made = needed ? await world(state) : undefined, noun = path.startsWith('/properties') ? 'property' : 'agreement'
          const id = made?.[noun][uuid ? `${noun}_id` : 'id'] ?? crypto.randomUUID()
          const where = path.replace(':id', id).replace(':unitId', made?.unit[uuid ? 'property_unit_id' : 'id'] ?? '').replace(':signatureId', made?.signature_id ?? '').replace(':phoneNumberId', 'sandbox').replace(':outcome', 'sign')
          const token = caller === 'nobody' ? undefined : own ? (await signIn(it.url)).token : people[caller].token
          const answer = await call(it.url, method, where, { token, body: body?.(made!) })
          expect([answer.status, answer.body]).toEqual([statuses[index]!, expect.anything()])
          if (answer.status > 400 && /^\/(properties|tenants|agreements)/.test(path)) expect(answer.body).toEqual(enveloped(answer.status))
        })
      }
    }
  })
}

for (const [name, tokenOf] of Object.entries({
  'that is no token': () => 'x',
  'of another server': (token: string) => `${token.slice(0, -5)}AAAAA`,
  'without a signature': (token: string) => `${token.split('.').slice(0, 2).join('.')}.`,
  'with other claims': (token: string) => [token.split('.')[0], Buffer.from(JSON.stringify({ sub: '1' })).toString('base64url'), token.split('.')[2]].join('.'),
})) {
  test(`401: a token ${name} opens none of the protected routes`, async () => {
    const token = tokenOf(people['the landlord'].token)
    for (const [route, rows] of Object.entries(matrix)) {
      const [method = '', path = ''] = route.split(' ')
      if (rows[0]!.statuses[0] !== 401 || /sandbox|webhooks/.test(path)) continue
      const { status } = await call(it.url, method, path.replace(/:\w+/g, '1'), { token, body: method === 'GET' ? undefined : {} })
      expect([route, status]).toEqual([route, 401])
    }
  })
}
