import { beforeAll, expect, test } from 'bun:test'
import { getKysely } from '../../../db/database'
import { testServer } from '../../support/server'
import { createDraft, sendRequest, signInUser, type TestUser } from '../../support/users'
import { createRecords, expectEnvelope, forEachItem } from './bad-input-checks'
import { targets, type RecordIds } from './bad-input-targets'
import { huge, nasty, nastyNames, oddBodies, oddContentTypes, raw } from './bad-input-values'

// Every invalid request gets an error envelope, and never a 5xx.
const server = testServer()
let owner: TestUser
let ids: RecordIds
beforeAll(async () => {
  owner = await signInUser(server)
  ids = await createRecords(server, owner)
})

for (const { name, method, path, body, fields } of targets) {
  test(`${name}: any value in any field`, async () => {
    await forEachItem(
      [
        ...fields.flatMap(field => nasty.map(value => ({ field, value }))),
        ...fields.slice(0, 3).flatMap(field => huge.map(value => ({ field, value }))),
      ],
      async ({ field, value }) => {
        expectEnvelope(
          await owner.call(method, path(ids), { ...body(ids), [field]: value }),
          `${name} ${field} ${JSON.stringify(value)?.slice(0, 60)}`,
        )
      },
    )
  })

  test(`${name}: JSON that JavaScript cannot hold, any field names, any shape`, async () => {
    const odd = fields.flatMap(field => raw.map(text => text.replaceAll('X', field)))
    const named = nastyNames.map(
      field =>
        `{${JSON.stringify(field)}:${JSON.stringify({ a: [1] })},${JSON.stringify(body(ids)).slice(1, -1) || '"x":1'}}`,
    )
    await forEachItem([...odd, ...named, ...oddBodies], async text =>
      expectEnvelope(
        await sendRequest(server, method, path(ids), { token: owner.token, body: text }),
        `${name} ${text.slice(0, 80)}`,
      ),
    )
  })

  test(`${name}: other content types`, async () => {
    for (const type of oddContentTypes) {
      expectEnvelope(
        await sendRequest(server, method, path(ids), {
          token: owner.token,
          body: '{"x":1}',
          headers: { 'content-type': type },
        }),
        `${name} ${type}`,
      )
    }
  })
}

test('POST /agreements/:id/sign: any flexi options', async () => {
  const position = { page_number: 1, x: 1, y: 1, width: 1, height: 1 }
  const options = [
    ...['template_id', 'signature_position', 'template_variables'].flatMap(field =>
      nasty.map(value => ({ [field]: value })),
    ),
    ...Object.keys(position).flatMap(field =>
      nasty.map(value => ({ signature_position: { ...position, [field]: value } })),
    ),
    ...nasty.map(value => ({ template_variables: { a: value } })),
    ...nastyNames.map(field => ({ template_variables: { [field]: 'x' } })),
    {
      template_variables: Object.fromEntries(Array.from({ length: 101 }, (_, index) => [`v${index}`, 'x'])),
    },
  ]
  await forEachItem(options, async flexi_options =>
    expectEnvelope(
      await owner.call('POST', `/agreements/${ids.agreement}/sign`, {
        signer_id: 2_000_000_000,
        flexi_options,
      }),
      JSON.stringify(flexi_options).slice(0, 100),
    ),
  )
  const made = await createDraft(owner, [await signInUser(server)])
  const text = `{"signer_id":${owner.id},"flexi_options":{"template_variables":{"__proto__":"x","constructor":"y","hasOwnProperty":"z"}}}`
  expect(
    (
      await sendRequest(server, 'POST', `/agreements/${made.agreement.id}/sign`, {
        token: owner.token,
        body: text,
      })
    ).status,
  ).toBe(200)
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
