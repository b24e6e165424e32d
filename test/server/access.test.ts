import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { getKysely } from '../../db/database'
import { createApp } from '../../server/app'
import { listOperations, type Operation } from '../support/operations'
import {
  sendRequest,
  freshPhone,
  createLandlord,
  signInUser,
  agreementTerms,
  type TestUser,
} from '../support/users'
import { testServer } from '../support/server'
import { createAgreementIn, toPath, type State, type AgreementFixture } from '../support/agreement-fixture'
import { enveloped } from './http/forms'

const it = testServer()
const related = [
  'nobody',
  'a stranger',
  'the landlord',
  'the manager',
  'the tenant',
  'another tenant',
] as const
/** What these get follows from what the others get: a role's label opens nothing, and a relation that is over neither. */
const derived = [
  'another landlord in the building',
  'a former manager',
  'a former landlord in the building',
  'an ADMIN',
  'a MANAGER by label',
  'an inactive user',
  'somebody signed out',
] as const
const callers = [...related, ...derived]
type Caller = Exclude<(typeof callers)[number], 'nobody'>
let people: Record<Caller, TestUser>
beforeAll(async () => {
  people = Object.fromEntries(
    await Promise.all(
      callers
        .filter(caller => caller !== 'nobody')
        .map(async caller => [
          caller,
          await (caller === 'the landlord' ? createLandlord : signInUser)(it.url),
        ]),
    ),
  ) as Record<Caller, TestUser>
  const set = (caller: Caller, values: { role?: 'ADMIN' | 'MANAGER' | 'TENANT'; is_active?: boolean }) =>
    getKysely(it.em()).updateTable('users').set(values).where('id', '=', people[caller].id).execute()
  await Promise.all([
    set('an ADMIN', { role: 'ADMIN' }),
    set('a MANAGER by label', { role: 'MANAGER' }),
    set('the landlord', { role: 'TENANT' }),
    set('an inactive user', { is_active: false }),
    people['somebody signed out'].call('POST', '/auth/logout', {}),
  ])
})

/** A managed unit with an agreement, beside a unit of the same landlord's with another tenant's agreement, in a building that others share or shared. */
async function world(status?: State) {
  const owner = people['the landlord']
  const [{ unit: elsewhere }, made] = await Promise.all([
    createAgreementIn(it, { owner, manager: owner, tenant: people['another tenant'] }),
    createAgreementIn(
      it,
      { owner, manager: people['a former manager'], tenant: people['the tenant'] },
      status,
    ),
  ])
  const shared = `/properties/${made.property.property_id}/units`
  const [, former] = await Promise.all([
    people['another landlord in the building'].call('POST', shared, { unit_name: 'C' }),
    people['a former landlord in the building'].call('POST', shared, { unit_name: 'D' }),
  ])
  await people['a former landlord in the building'].call('DELETE', `${shared}/${former.body.data.id}`)
  await owner.call('PATCH', `${shared}/${made.unit.id}`, { managed_by_id: people['the manager'].id })
  return { ...made, elsewhere }
}

/** `statuses` are of those who are related; `shared` of another landlord in the building where that is no stranger's, `inactive` of an inactive user where that is not nobody's. */
type Row = {
  statuses: number[]
  shared?: number
  inactive?: number
  query?: string
  body?: (world: AgreementFixture) => unknown
  state?: State
  uuid?: true
  own?: true
}
const everybody = (status: number, more: Partial<Row> = {}): Row => ({
  statuses: Array(6).fill(status),
  ...more,
})
const signedIn = (status: number, more: Partial<Row> = {}): Row => ({
  statuses: [401, ...Array(5).fill(status)],
  ...more,
})
const row = (statuses: number[], more: Partial<Row> = {}): Row => ({ statuses, ...more })
const empty = { body: () => ({}) }
const uuid = { uuid: true } as const
const side = [401, 404, 200, 200, 403, 404]
const parties = [401, 404, 200, 200, 200, 404]

function statusFor(caller: (typeof callers)[number], { statuses, shared, inactive, own }: Row) {
  const [nobody, stranger] = statuses as [number, number]
  switch (caller) {
    case 'another landlord in the building':
      return shared ?? stranger
    case 'a former manager':
    case 'a former landlord in the building':
    case 'an ADMIN':
    case 'a MANAGER by label':
      return stranger
    case 'an inactive user':
      return own ? stranger : (inactive ?? nobody)
    case 'somebody signed out':
      return own ? stranger : nobody
    default:
      return statuses[related.indexOf(caller)]!
  }
}

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
  'PUT /profile/complete': [
    signedIn(200, {
      inactive: 404,
      body: () => ({ first_name: 'Asha', last_name: 'Rao', email: 'asha@example.com' }),
    }),
  ],
  'POST /profile/ekyc': [row([401, 200, 400, 200, 200, 200], { inactive: 404, ...empty })],
  'POST /profile/ekyc/complete': [signedIn(400, { inactive: 404, body: () => ({ verification_id: 'x' }) })],
  'GET /dashboard': [row([401, 403, 200, 403, 403, 403])],
  'GET /properties': [signedIn(200)],
  'GET /properties/search': [signedIn(200, { query: '?name=White%20House&pin_code=560048' })],
  'GET /properties/:id': [
    row([401, 404, 200, 200, 404, 404], { shared: 200 }),
    row([401, 404, 200, 200, 404, 404], { shared: 200, ...uuid }),
  ],
  'POST /properties': [signedIn(201, { body: () => ({ pin_code: 560048, property_type: 'pg' }) })],
  'PATCH /properties/:id': [row([401, 404, 200, 403, 404, 404], { shared: 403, ...empty })],
  'DELETE /properties/:id': [row([401, 404, 400, 403, 404, 404], { shared: 403 })],
  'GET /properties/:id/units': [row([401, 404, 200, 200, 404, 404], { shared: 200 })],
  'GET /properties/:id/units/:unitId': [
    row([401, 404, 200, 200, 404, 404]),
    row([401, 404, 200, 200, 404, 404], uuid),
  ],
  'POST /properties/:id/units': [
    row([401, 404, 201, 403, 404, 404], { shared: 201, body: () => ({ unit_name: 'B' }) }),
    signedIn(201, { body: () => ({ unit_name: 'B' }), ...uuid }),
  ],
  'PATCH /properties/:id/units/:unitId': [
    row([401, 404, 200, 200, 404, 404], { body: () => ({ unit_notes: 'x' }) }),
    row([401, 404, 200, 403, 404, 404], { body: () => ({ managed_by_id: null }) }),
  ],
  'DELETE /properties/:id/units/:unitId': [row([401, 404, 200, 403, 404, 404])],
  'GET /tenants': [signedIn(200)],
  'POST /tenants': [signedIn(201, { body: () => ({ phone_number: freshPhone() }) })],
  'GET /agreements': [signedIn(200)],
  'GET /agreements/:id': [row(parties), row(parties, uuid)],
  'GET /agreements/:id/signatures': [row(parties), row(parties, uuid)],
  'GET /agreements/:id/timeline': [row(parties), row(parties, uuid)],
  'GET /agreements/:id/certificate': [
    row(parties, { state: 'ACTIVE' }),
    row(parties, { state: 'ACTIVE', ...uuid }),
    row([401, 404, 404, 404, 404, 404]),
  ],
  'GET /agreements/:id/document': [
    row(parties, { state: 'ACTIVE' }),
    row(parties, { state: 'ACTIVE', ...uuid }),
    row([401, 404, 404, 404, 404, 404]),
  ],
  'POST /agreements': [
    row([401, 404, 201, 201, 404, 404], {
      body: ({ unit }) => agreementTerms(unit.id, [people['the tenant'].id]),
    }),
  ],
  'PATCH /agreements/:id': [row(side, empty)],
  'DELETE /agreements/:id': [row(side)],
  'POST /agreements/:id/sign': [
    row(parties, { body: () => ({ signer_id: people['the tenant'].id }) }),
    ...(['the landlord', 'the manager'] as const).map(signer =>
      row(side, { body: () => ({ signer_id: people[signer].id }) }),
    ),
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

test('every documented operation has its row, and documents what its row answers', async () => {
  const undocumented = (await listOperations(it.url)).flatMap(({ route, responses }) =>
    (matrix[route] ?? [everybody(0)])
      .flatMap(each => callers.map(caller => statusFor(caller, each)))
      .filter(status => !(status in responses))
      .map(status => `${route} ${status}`),
  )
  expect([...new Set(undocumented)]).toEqual([])
})

const isChanged = (method: string, status: number) => method !== 'GET' && status < 400
for (const [route, rows] of Object.entries(matrix)) {
  const [method = '', path = ''] = route.split(' ')
  describe(route, () => {
    for (const [number, each] of rows.entries()) {
      const { body, state, uuid, own, query: asked = '' } = each
      const needed =
        (path.includes(':') && !/^\/(sandbox|operations)/.test(path)) || route === 'POST /agreements'
      // Who is refused changes nothing, so they all knock at one world, which is looked at in the end.
      let common: Promise<{ made: AgreementFixture; before: unknown }> | undefined
      const stateOf = async ({ property, unit, agreement, signature_id }: AgreementFixture) => {
        const db = getKysely(it.em())
        const of = {
          property: db.selectFrom('properties').selectAll().where('id', '=', property.id),
          unit: db
            .selectFrom('property_units')
            .selectAll()
            .where('property_id', '=', property.id)
            .orderBy('id'),
          agreement: db
            .selectFrom('agreements')
            .selectAll()
            .where('property_unit_id', '=', unit.id)
            .orderBy('id'),
          signature: db
            .selectFrom('agreement_signatures')
            .selectAll()
            .where('agreement_id', '=', agreement.id)
            .orderBy('id'),
        }
        return [
          signature_id,
          await of.property.execute(),
          await of.unit.execute(),
          await of.agreement.execute(),
          await of.signature.execute(),
        ]
      }
      const shared = () =>
        (common ??= world(state).then(async made => ({ made, before: await stateOf(made) })))
      afterAll(async () => {
        if (common)
          expect<unknown>([route, await stateOf((await common).made)]).toEqual([route, (await common).before])
      })

      for (const caller of callers) {
        const expected = statusFor(caller, each)
        test(`${expected} for ${caller}${uuid ? ', by UUID' : ''}${number && !uuid ? `, row ${number + 1}` : ''}`, async () => {
          const made = !needed
            ? undefined
            : isChanged(method, expected)
              ? await world(state)
              : (await shared()).made
          const where = made
            ? toPath(path, made, uuid && 'uuid')
            : path.replace(
                /:(\w+)/g,
                (_, name: string) =>
                  ({ phoneNumberId: 'sandbox', outcome: 'sign' })[name] ?? crypto.randomUUID(),
              )
          const token =
            caller === 'nobody' ? undefined : own ? (await signInUser(it.url)).token : people[caller].token
          const answer = await sendRequest(it.url, method, where + asked, { token, body: body?.(made!) })
          expect([answer.status, answer.body]).toEqual([expected, expect.anything()])
          if (answer.status > 400 && /^\/(properties|tenants|agreements)/.test(path))
            expect(answer.body).toEqual(enveloped(answer.status))
        })
      }
    }
  })
}

/** Whose lists name the agreement of a world, its unit's building or its tenant. The dashboard counts the same records. */
const lists: Record<string, { shows: (world: AgreementFixture) => string; to: Caller[] }> = {
  'GET /properties': {
    shows: ({ property }) => property.property_id,
    to: ['the landlord', 'another landlord in the building'],
  },
  'GET /properties/:id/units': {
    shows: ({ unit }) => unit.property_unit_id,
    to: ['the landlord', 'the manager'],
  },
  'GET /agreements': {
    shows: ({ agreement }) => agreement.agreement_id,
    to: ['the landlord', 'the manager', 'the tenant'],
  },
  'GET /tenants': { shows: () => people['the tenant'].user_id, to: ['the landlord', 'the manager'] },
  'GET /properties/search': {
    shows: ({ property }) => property.society_building,
    to: callers.filter(
      caller => caller !== 'nobody' && caller !== 'an inactive user' && caller !== 'somebody signed out',
    ) as Caller[],
  },
}
const isList = ({ method, responses }: Operation) =>
  method === 'GET' && !!responses['401'] && responses['200']?.some(({ properties }) => properties?.metadata)

test('every list has its row', async () => {
  const found = (await listOperations(it.url))
    .filter(operation => isList(operation) && !operation.path.startsWith('/operations'))
    .map(({ route }) => route)
  expect(found.toSorted()).toEqual(Object.keys(lists).toSorted())
})

describe('a list shows a record to those whom it concerns, and to nobody else', () => {
  for (const [route, { shows, to }] of Object.entries(lists)) {
    test(route, async () => {
      const made = await world('ACTIVE')
      const asked = matrix[route]![0]!.query ?? '?limit=100'
      const path = toPath(route.split(' ')[1]!, made)
      const answers = await Promise.all(
        callers.map(
          async caller =>
            [
              caller,
              JSON.stringify(
                (
                  await sendRequest(it.url, 'GET', path + asked, {
                    token: caller === 'nobody' ? undefined : people[caller].token,
                  })
                ).body,
              ).includes(shows(made)),
            ] as const,
        ),
      )
      expect(
        answers
          .filter(([, isShown]) => isShown)
          .map(([caller]) => caller)
          .toSorted(),
      ).toEqual(to.toSorted())
    })
  }
})

for (const [name, tokenOf] of Object.entries({
  'that is no token': () => 'x',
  'of another server': (token: string) => `${token.slice(0, -5)}AAAAA`,
  'without a signature': (token: string) => `${token.split('.').slice(0, 2).join('.')}.`,
  'with other claims': (token: string) =>
    [
      token.split('.')[0],
      Buffer.from(JSON.stringify({ sub: '1' })).toString('base64url'),
      token.split('.')[2],
    ].join('.'),
})) {
  test(`401: a token ${name} opens none of the protected routes`, async () => {
    const token = tokenOf(people['the landlord'].token)
    for (const [route, rows] of Object.entries(matrix)) {
      const [method = '', path = ''] = route.split(' ')
      if (rows[0]!.statuses[0] !== 401 || /sandbox|webhooks/.test(path)) continue
      const { status } = await sendRequest(it.url, method, path.replace(/:\w+/g, '1'), {
        token,
        body: method === 'GET' ? undefined : {},
      })
      expect([route, status]).toEqual([route, 401])
    }
  })
}
