import { beforeAll, expect, test } from 'bun:test'
import { getKysely } from '../../../db/database'
import { signWebhook } from '../../../server/providers/signing/setu/signature'
import { testServer } from '../../support/server'
import { sendRequest, signInUser, type TestUser } from '../../support/users'
import { createRecords, expectEnvelope, forEachItem } from './bad-input-checks'
import type { RecordIds } from './bad-input-targets'
import { nasty, oddIds, oddQueries, raw, toOddAuthorizations } from './bad-input-values'

// Every invalid request gets an error envelope, and never a 5xx.
const server = testServer()
let owner: TestUser
let ids: RecordIds
beforeAll(async () => {
  owner = await signInUser(server)
  ids = await createRecords(server, owner)
})

const paths = [
  '/properties/ID',
  '/properties/ID/units',
  '/properties/ID/units/1',
  '/properties/UNITS/units/ID',
  '/agreements/ID',
  '/agreements/ID/signatures',
  '/agreements/ID/sign',
  '/agreements/ID/decline',
  '/agreements/ID/terminate',
  '/agreements/ID/complete',
  '/agreements/ID/schedule',
  '/charges/ID',
  '/payments/ID',
  '/payments/ID/confirm',
]
for (const path of paths) {
  test(`404: ${path} with any malformed id`, async () => {
    await forEachItem(
      oddIds.flatMap(id => ['GET', 'PATCH', 'DELETE', 'POST', 'PUT'].map(method => ({ id, method }))),
      async ({ id, method }) => {
        const answer = await owner.call(
          method,
          path.replace('UNITS', String(ids.property)).replace('ID', id),
          method === 'GET' || method === 'DELETE' ? undefined : { unit_name: 'x', signer_id: 1 },
        )
        expectEnvelope(answer, `${method} ${path} ${id.slice(0, 40)}`)
        expect([id, method, answer.status]).toEqual([id, method, 404])
      },
    )
  })
}

test('lists: any query string', async () => {
  const lists = [
    '/properties',
    '/properties/search',
    `/properties/${ids.property}/units`,
    '/tenants',
    '/agreements',
    '/charges',
    '/payments',
  ]
  await forEachItem(
    lists.flatMap(path => oddQueries.map(text => `${path}?${text}`)),
    async where => expectEnvelope(await owner.call('GET', where), where.slice(0, 120)),
  )
})

test('any other method', async () => {
  for (const path of [
    '/properties',
    `/properties/${ids.property}`,
    '/tenants',
    '/agreements',
    `/agreements/${ids.agreement}/sign`,
    '/webhooks/esign',
  ])
    for (const method of ['PUT', 'OPTIONS', 'QUERY', 'PROPFIND']) {
      const { status } = await sendRequest(server, method, path, { token: owner.token })
      expect([method, path, status < 500]).toEqual([method, path, true])
    }
})

test('401: any malformed Authorization header', async () => {
  for (const authorization of toOddAuthorizations(owner.token))
    for (const [method, path] of [
      ['GET', '/properties'],
      ['POST', '/agreements'],
    ] as const)
      expect([
        authorization,
        (
          await sendRequest(server, method, path, {
            headers: { authorization },
            body: method === 'POST' ? {} : undefined,
          })
        ).status,
      ]).toEqual([authorization, 401])
})

test('POST /webhooks/esign: any payload, signed or not', async () => {
  const secret = server.deps.config.ESIGN_WEBHOOK_SECRET
  const payloads = [
    ...raw.map(text => text.replaceAll('X', 'event')),
    ...nasty.map(
      value =>
        JSON.stringify({
          event: 'ESIGN_COMPLETE',
          data: { esign: { id: value, documentId: value, signers: [value] } },
        }) ?? '',
    ),
    '\0',
    '\ufeff{}',
    `"${'x'.repeat(60_000)}"`,
  ]
  await forEachItem(payloads, async body => {
    expectEnvelope(
      await sendRequest(server, 'POST', '/webhooks/esign', {
        body,
        headers: { 'x-setu-signature': signWebhook(body, secret) },
      }),
      body.slice(0, 80),
    )
    expect(
      (await sendRequest(server, 'POST', '/webhooks/esign', { body, headers: { 'x-setu-signature': 'ÿ' } }))
        .status,
    ).toBe(401)
  })
})

test('afterwards no prototype is polluted and the agreement is still there', async () => {
  expect(({} as any).x).toBeUndefined()
  expect(
    await getKysely(server.em())
      .selectFrom('agreements')
      .where('id', '=', ids.agreement)
      .select('is_active')
      .execute(),
  ).toEqual([{ is_active: true }])
})
