import { beforeAll, describe, expect, test } from 'bun:test'
import { query } from '../../../db/orm'
import { signWebhook } from '../../../server/providers/signing/setu/signature'
import {
  sendRequest,
  createDraft,
  freshPhone,
  signInUser,
  agreementTerms,
  type TestResponse,
  type TestUser,
} from '../../support/users'
import { server } from '../../support/server'

// Whatever a client sends, it is told what is wrong in the envelope: never a 5xx, never an answer without a form.
const it = server()
let owner: TestUser
let ids: { property: number; unit: number; agreement: number; signer: number }
beforeAll(async () => {
  owner = await signInUser(it.url)
  const tenant = await signInUser(it.url)
  const { property, unit, agreement } = await createDraft(owner, [tenant])
  ids = { property: property.id, unit: unit.id, agreement: agreement.id, signer: tenant.id }
})

const nasty: unknown[] = [
  null,
  true,
  false,
  0,
  -1,
  1.5,
  2 ** 31,
  2 ** 53,
  -(2 ** 63),
  1e308,
  '',
  ' ',
  '0',
  '1',
  'x',
  '\0',
  'a\0b',
  '\ud800',
  '\udfff',
  '💥',
  '\u202e',
  "'; drop table users; --",
  '${x}',
  '%s',
  '../..',
  [],
  [null],
  [[]],
  ['\0'],
  [1, '1'],
  {},
  { id: 1 },
  { $ne: null },
  { length: 1 },
  { toString: 1 },
  '2026-02-30',
  '1e400',
  'NaN',
  'Infinity',
]
const huge: unknown[] = ['x'.repeat(20_000), Array(5000).fill(1)]
const raw = [
  '{"X":1e400}',
  '{"X":-1e400}',
  '{"X":1e-400}',
  '{"X":9007199254740993}',
  '{"X":"\\ud800"}',
  '{"X":"\\u0000"}',
  '{"__proto__":{"X":1}}',
  '{"constructor":{"prototype":{"X":1}}}',
  '{"X":{"__proto__":null}}',
  '{"X":1,"X":null}',
  '{"X":[{"__proto__":{"unit_name":"x"}}]}',
]
const nastyNames = [
  '__proto__',
  'constructor',
  'toString',
  'hasOwnProperty',
  'length',
  '',
  '0',
  '\0',
  '$where',
  'id',
  'landlord_id',
  'status',
  'is_active',
]

type Target = {
  name: string
  method: string
  path: () => string
  body: () => Record<string, unknown>
  fields: string[]
}
const property = () => ({ pin_code: 560048, property_type: 'pg', property_units: [{ unit_name: 'x' }] })
const texts = [
  'society_building',
  'survey_number',
  'road_name',
  'locality',
  'landmark',
  'district',
  'city',
  'state',
  'country',
  'alias_name',
  'common_amenities',
]
const unitFields = [
  'unit_name',
  'managed_by_id',
  'room_type',
  'furnishing_type',
  'furniture_included',
  'area_sqft',
  'floor_number',
  'is_available',
  'unit_notes',
  'unit_amenities',
]
const agreementFields = [
  ...Object.keys(agreementTerms(1, [1])),
  'agreement_number',
  'auto_renew',
  'amenities',
  'pets_allowed',
  'additional_policies',
  'improvements',
  'payment_terms',
  'late_fee',
]
const targets: Target[] = [
  {
    name: 'POST /properties',
    method: 'POST',
    path: () => '/properties',
    body: property,
    fields: ['pin_code', 'property_type', 'property_units', ...texts],
  },
  {
    name: 'PATCH /properties/:id',
    method: 'PATCH',
    path: () => `/properties/${ids.property}`,
    body: () => ({}),
    fields: ['pin_code', 'property_type', ...texts],
  },
  {
    name: 'POST /properties/:id/units',
    method: 'POST',
    path: () => `/properties/${ids.property}/units`,
    body: () => ({ unit_name: 'x' }),
    fields: unitFields,
  },
  {
    name: 'PATCH /properties/:id/units/:unitId',
    method: 'PATCH',
    path: () => `/properties/${ids.property}/units/${ids.unit}`,
    body: () => ({}),
    fields: unitFields,
  },
  {
    name: 'POST /tenants',
    method: 'POST',
    path: () => '/tenants',
    body: () => ({ phone_number: freshPhone() }),
    fields: ['phone_number', 'first_name', 'last_name', 'role'],
  },
  {
    name: 'POST /agreements',
    method: 'POST',
    path: () => '/agreements',
    body: () => agreementTerms(ids.unit, [ids.signer]),
    fields: agreementFields,
  },
  {
    name: 'PATCH /agreements/:id',
    method: 'PATCH',
    path: () => `/agreements/${ids.agreement}`,
    body: () => ({}),
    fields: agreementFields,
  },
  {
    name: 'POST /agreements/:id/sign',
    method: 'POST',
    path: () => `/agreements/${ids.agreement}/sign`,
    body: () => ({}),
    fields: ['signer_id', 'flexi_options'],
  },
  {
    name: 'POST /agreements/:id/terminate',
    method: 'POST',
    path: () => `/agreements/${ids.agreement}/terminate`,
    body: () => ({}),
    fields: ['termination_date', 'reason'],
  },
  {
    name: 'POST /agreements/:id/complete',
    method: 'POST',
    path: () => `/agreements/${ids.agreement}/complete`,
    body: () => ({}),
    fields: ['x'],
  },
]

function isClear({ status, body }: TestResponse, sent: string) {
  expect(status, `${sent} ${JSON.stringify(body).slice(0, 300)}`).toBeWithin(200, 500)
  if (status === 413) return
  if (status < 400) expect(body.success, sent).toBe(true)
  else
    expect(body, sent).toEqual({
      success: false,
      data: null,
      error: {
        code: expect.any(String),
        message: expect.stringMatching(/./),
        ...(body.error.details && { details: expect.any(Array) }),
      },
    })
}
/** At most so many at a time, so that no connection is refused. */
async function each<T>(items: T[], work: (item: T) => Promise<void>) {
  const queue = [...items]
  await Promise.all(
    Array.from({ length: 8 }, async () => {
      for (let item = queue.pop(); item !== undefined; item = queue.pop()) await work(item)
    }),
  )
}

describe('a body', () => {
  for (const { name, method, path, body, fields } of targets) {
    test(`of ${name}: any value in any field`, async () => {
      await each(
        [
          ...fields.flatMap(field => nasty.map(value => ({ field, value }))),
          ...fields.slice(0, 3).flatMap(field => huge.map(value => ({ field, value }))),
        ],
        async ({ field, value }) => {
          isClear(
            await owner.call(method, path(), { ...body(), [field]: value }),
            `${name} ${field} ${JSON.stringify(value)?.slice(0, 60)}`,
          )
        },
      )
    })

    test(`of ${name}: what JSON allows and JavaScript does not hold, any names, any shape`, async () => {
      const odd = fields.flatMap(field => raw.map(text => text.replaceAll('X', field)))
      const named = nastyNames.map(
        field =>
          `{${JSON.stringify(field)}:${JSON.stringify({ a: [1] })},${JSON.stringify(body()).slice(1, -1) || '"x":1'}}`,
      )
      const shapes = [
        '',
        ' ',
        '\0',
        '{',
        '{}',
        '[]',
        '[[]]',
        'null',
        'true',
        '0',
        '"x"',
        '{"a"}',
        "{'a':1}",
        '\ufeff{}',
        '[{}]',
        `[${'1,'.repeat(9999)}1]`,
        `${'['.repeat(10_000)}${']'.repeat(10_000)}`,
        `${'{"a":'.repeat(5000)}1${'}'.repeat(5000)}`,
        `"${'x'.repeat(70_000)}"`,
      ]
      await each([...odd, ...named, ...shapes], async text =>
        isClear(
          await sendRequest(it.url, method, path(), { token: owner.token, body: text }),
          `${name} ${text.slice(0, 80)}`,
        ),
      )
    })

    test(`of ${name} of another type`, async () => {
      for (const type of [
        'text/plain',
        'application/x-www-form-urlencoded',
        'multipart/form-data; boundary=x',
        'multipart/form-data',
        'application/octet-stream',
        'application/xml',
        'application/jsonx',
        'nonsense',
        'application/json; charset=utf-16',
        ';',
        'text/html; charset="',
      ]) {
        isClear(
          await sendRequest(it.url, method, path(), {
            token: owner.token,
            body: '{"x":1}',
            headers: { 'content-type': type },
          }),
          `${name} ${type}`,
        )
      }
    })
  }

  test('of a signing: any flexi options', async () => {
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
    await each(options, async flexi_options =>
      isClear(
        await owner.call('POST', `/agreements/${ids.agreement}/sign`, {
          signer_id: 2_000_000_000,
          flexi_options,
        }),
        JSON.stringify(flexi_options).slice(0, 100),
      ),
    )
    const made = await createDraft(owner, [await signInUser(it.url)])
    const text = `{"signer_id":${owner.id},"flexi_options":{"template_variables":{"__proto__":"x","constructor":"y","hasOwnProperty":"z"}}}`
    expect(
      (
        await sendRequest(it.url, 'POST', `/agreements/${made.agreement.id}/sign`, {
          token: owner.token,
          body: text,
        })
      ).status,
    ).toBe(200)
  })
})

describe('an address', () => {
  const oddIds = [
    '0',
    '-1',
    '1.0',
    '1e1',
    '0x1',
    '2147483648',
    '9007199254740993',
    '1'.repeat(400),
    'x'.repeat(4000),
    '%00',
    '%0',
    '%',
    '%%',
    '%E0%A4%A',
    '%ED%A0%80',
    '%2F',
    '..%2F..',
    ';',
    ':id',
    '{id}',
    '*',
    '%20',
    '%0A',
    '%F0%9F%92%A5',
    'undefined',
    'null',
    'NaN',
    '__proto__',
    'constructor',
    "'%20or%201=1",
    '00000000-0000-0000-0000-000000000000',
    '{00000000-0000-4000-8000-000000000000}',
    '1;select',
  ]
  const paths = [
    '/properties/ID',
    '/properties/ID/units',
    '/properties/ID/units/1',
    '/properties/UNITS/units/ID',
    '/agreements/ID',
    '/agreements/ID/signatures',
    '/agreements/ID/sign',
    '/agreements/ID/terminate',
    '/agreements/ID/complete',
  ]
  for (const path of paths) {
    test(`${path}: any id`, async () => {
      await each(
        oddIds.flatMap(id => ['GET', 'PATCH', 'DELETE', 'POST', 'PUT'].map(method => ({ id, method }))),
        async ({ id, method }) => {
          const answer = await owner.call(
            method,
            path.replace('UNITS', String(ids.property)).replace('ID', id),
            method === 'GET' || method === 'DELETE' ? undefined : { unit_name: 'x', signer_id: 1 },
          )
          isClear(answer, `${method} ${path} ${id.slice(0, 40)}`)
          expect([id, method, answer.status]).toEqual([id, method, 404])
        },
      )
    })
  }

  test('any query', async () => {
    const odd = [
      '',
      '&',
      '=',
      '&&=&',
      'x',
      '%',
      '%00',
      '%00=%00',
      'page',
      'page=',
      'page=%00',
      'page=1&page=2',
      'page[]=1',
      'page[$ne]=1',
      'page=%5B1%5D',
      'page={}',
      'page=1e400',
      'page=-0',
      'page=0x1',
      'page=99999999999999999999',
      'page=1000000&limit=100',
      'limit=NaN',
      'limit=Infinity',
      'limit=1.0',
      'sort=%00',
      'sort=-',
      'sort=--id',
      'sort=__proto__',
      'sort=id,alias_name',
      'sort=id%20desc',
      'q=%ED%A0%80',
      'q=%00',
      'q=%25%25%25',
      'q=%5C',
      `q=${'%5C'.repeat(100)}`,
      `q=${'x'.repeat(6000)}`,
      '__proto__=1',
      '__proto__[x]=1',
      'constructor=1',
      'status=__proto__',
      'status[]=DRAFT',
      'is_available=TRUE',
      'is_available=null',
      'property_unit_id=1e5',
      'property_unit_id=-1',
      'pin_code=%00',
      'name=%00&pin_code=560048',
      'name=%ED%A0%80&pin_code=560048',
      'name=x&pin_code=5.6e5',
      'name[]=x&pin_code=560048',
      `${'a=1&'.repeat(1000)}`,
    ]
    const lists = [
      '/properties',
      '/properties/search',
      `/properties/${ids.property}/units`,
      '/tenants',
      '/agreements',
    ]
    await each(
      lists.flatMap(path => odd.map(text => `${path}?${text}`)),
      async where => isClear(await owner.call('GET', where), where.slice(0, 120)),
    )
  })

  test('any method', async () => {
    for (const path of [
      '/properties',
      `/properties/${ids.property}`,
      '/tenants',
      '/agreements',
      `/agreements/${ids.agreement}/sign`,
      '/webhooks/esign',
    ])
      for (const method of ['PUT', 'OPTIONS', 'QUERY', 'PROPFIND']) {
        const { status } = await sendRequest(it.url, method, path, { token: owner.token })
        expect([method, path, status < 500]).toEqual([method, path, true])
      }
  })
})

describe('a header', () => {
  test('Authorization: anything is 401', async () => {
    const odd = [
      '',
      ' ',
      'Bearer',
      'Bearer ',
      `Bearer ${owner.token} x`,
      `Bearer  ${owner.token}`,
      `Basic ${owner.token}`,
      owner.token,
      `Bearer ${owner.token.slice(0, -1)}`,
      `Bearer ${'a'.repeat(5000)}`,
      'Bearer a.b.c',
      'Bearer ..',
      'Bearer é.b.c',
      `Bearer ${owner.token},Bearer ${owner.token}`,
      'Bearer null',
      'Bearer undefined',
    ]
    for (const authorization of odd)
      for (const [method, path] of [
        ['GET', '/properties'],
        ['POST', '/agreements'],
      ] as const)
        expect([
          authorization,
          (
            await sendRequest(it.url, method, path, {
              headers: { authorization },
              body: method === 'POST' ? {} : undefined,
            })
          ).status,
        ]).toEqual([authorization, 401])
  })

  test('a webhook: any payload with any signature', async () => {
    const secret = it.deps.config.ESIGN_WEBHOOK_SECRET
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
    await each(payloads, async body => {
      isClear(
        await sendRequest(it.url, 'POST', '/webhooks/esign', {
          body,
          headers: { 'x-setu-signature': signWebhook(body, secret) },
        }),
        body.slice(0, 80),
      )
      expect(
        (await sendRequest(it.url, 'POST', '/webhooks/esign', { body, headers: { 'x-setu-signature': 'ÿ' } }))
          .status,
      ).toBe(401)
    })
  })
})

test('after all that nothing is polluted and everybody is still there', async () => {
  expect(({} as any).x).toBeUndefined()
  expect(
    await query(it.em())
      .selectFrom('agreements')
      .where('id', '=', ids.agreement)
      .select('is_active')
      .execute(),
  ).toEqual([{ is_active: true }])
})
