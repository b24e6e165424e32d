import { expect, test } from 'bun:test'
import { listOperations, type Schema } from '../../support/operations'
import { testServer } from '../../support/server'
import {
  createActiveAgreement,
  createLandlord,
  createTenant,
  sendRequest,
  type TestResponse,
} from '../../support/users'

const OPS_TOKEN = 'a token for those who run it'
const server = testServer({ env: { OPS_TOKEN } })

const JSON_TYPE = { 'content-type': 'application/json' }
const NOT_AN_OBJECT = 'the request must be an object'
const deepPlaces = [
  'POST /properties property_units',
  'POST /properties property_units.0',
  'POST /agreements/:id/sign flexi_options',
  'POST /agreements/:id/sign flexi_options.signature_position',
  'POST /agreements/:id/sign flexi_options.template_variables',
]

const wrongKinds = {
  object: ['x', '', 0, 1, true, false, null, [], [{}], ['x']],
  array: ['x', '', 0, 1, true, false, {}, { 0: {} }, { length: 2 ** 32 - 1 }],
}
type Kind = keyof typeof wrongKinds
/** The place of an object or array in a body: its keys from the outside to the inside. */
type Place = { keys: (string | 0)[]; kind: Kind; isNullable: boolean }

function listPlaces(schema: Schema, keys: Place['keys'] = [], isNullable = false): Place[] {
  const { anyOf = [], properties = {}, items } = schema
  const canBeNull = anyOf.some(({ type }) => type === 'null')
  const inner = [
    ...anyOf.flatMap(each => listPlaces(each, keys, canBeNull)),
    ...Object.entries(properties).flatMap(([name, each]) => listPlaces(each, [...keys, name])),
    ...(items ? listPlaces(items, [...keys, 0]) : []),
  ]
  const types = [schema.type].flat()
  const kind = types.find((type): type is Kind => type !== undefined && type in wrongKinds)
  return kind ? [{ keys, kind, isNullable: isNullable || types.includes('null') }, ...inner] : inner
}

const wrap = (keys: Place['keys'], value: unknown): unknown =>
  keys.reduceRight((inner, key) => (key === 0 ? [inner] : { [key]: inner }), value)

/** Each body of an operation with one wrong value in one place, and the place as an error names it. */
function* listWrongBodies(schema: Schema) {
  for (const { keys, kind, isNullable } of listPlaces(schema))
    for (const value of wrongKinds[kind])
      if (value !== null || !isNullable) yield { place: keys.join('.') || 'body', body: wrap(keys, value) }
}

/** Webhooks are read as they are, since their signature covers every byte. */
async function listOperationsWithBody() {
  const operations = await listOperations(server.url)
  return operations.filter(({ path, bodies }) => bodies.length > 0 && !path.startsWith('/webhooks/'))
}

/** What an error says about the body, in either variant. */
const listViolations = ({ body, error }: TestResponse): unknown[] =>
  error?.details ? error.details.map(({ property }: { property: string }) => property) : body.message

test('400: a text, number, boolean, null or array for an object, at every depth', async () => {
  const landlord = await createLandlord(server)
  const places = new Set<string>()
  for (const { method, path, route, bodies } of await listOperationsWithBody()) {
    const target = path.replace(/\{\w+\}/g, '1')
    const token = path.startsWith('/operations') ? OPS_TOKEN : landlord.token
    for (const { place, body } of listWrongBodies(bodies[0]!)) {
      const sent = JSON.stringify(body)
      const response = await sendRequest(server, method, target, { token, body: sent, headers: JSON_TYPE })
      const expected = response.error ? expect.arrayContaining([place]) : [NOT_AN_OBJECT]
      expect([route, sent, response.status]).toEqual([route, sent, 400])
      expect([route, sent, listViolations(response)]).toEqual([route, sent, expected])
      places.add(`${route} ${place}`)
    }
  }
  expect([...places]).toEqual(expect.arrayContaining(deepPlaces))
})

const wrongBodies = wrongKinds.object.map(value => JSON.stringify(value))
test.each(wrongBodies)('400: an agreement is not terminated with the body %s', async body => {
  const [landlord, tenant] = [await createLandlord(server), await createTenant(server)]
  const { path } = await createActiveAgreement(landlord, [tenant])

  const { status } = await sendRequest(server, 'POST', `${path}/terminate`, {
    token: landlord.token,
    body,
    headers: JSON_TYPE,
  })

  expect(status).toBe(400)
  expect((await landlord.get(path)).data.status).toBe('ACTIVE')
})

test('201: undeclared fields are dropped, also within an array', async () => {
  const landlord = await createLandlord(server)
  const unit = { unit_name: 'A', landlord_id: 99, surprise: { toys: [1] } }
  const { status, data } = await landlord.post('/properties', {
    pin_code: 560001,
    property_type: 'pg',
    surprise: 1,
    property_units: [unit],
  })
  expect(status).toBe(201)
  expect(data.property_units[0]).toMatchObject({ unit_name: 'A', landlord_id: landlord.id })
  expect(JSON.stringify(data)).not.toContain('surprise')
})
