import { describe, expect, test } from 'bun:test'
import { sql } from 'kysely'
import { operations } from '../../operations'
import { resolve } from '../../support/operations'
import { testServer } from '../../support/server'
import { sendRequest } from '../../support/users'

const server = testServer({ env: { OPS_TOKEN: 'o'.repeat(32), SANDBOX_TOKEN: 's'.repeat(32) } })
const onlyA = testServer({ env: { API_VARIANT: 'a' } })
const onlyB = testServer({ env: { API_VARIANT: 'b' } })

type Target = { url: string }
const loadDescription = async (target: Target = server, path = '/openapi.json') =>
  (await sendRequest(target, 'GET', path)).body

async function listDescribed(target: Target = server): Promise<[name: string, operation: any][]> {
  const description = await loadDescription(target)
  const paths = resolve(description.paths, description.components.schemas) as Record<string, object>
  return Object.entries<object>(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(
      ([method, operation]) => [`${method.toUpperCase()} ${path}`, operation] as const,
    ),
  ) as [string, any][]
}
async function getOperation(name: string, target: Target = server) {
  const [, operation] = (await listDescribed(target)).find(([each]) => each === name)!
  return operation
}
const getSchema = ({ content }: any) => content['application/json'].schema
/** Every schema within a value, at every depth. */
function listSchemas(value: unknown): any[] {
  if (typeof value !== 'object' || value === null) return []
  return [value, ...Object.values(value).flatMap(listSchemas)]
}

/** Counts, references and durations that no column holds; every other number of the description is money or a measure. */
const WHOLE = Object.values(operations)
  .flatMap(({ whole = [] }) => whole)
  .concat('limit', 'page', 'page_total', 'retry_after_s', 'status_code', 'total_pages')
const toColumnName = (name: string) => name.replace(/[A-Z]/g, letter => `_${letter.toLowerCase()}`)

/** The types of a field or of its elements that are numbers. */
function listNumberTypes({ type, anyOf = [], items }: any): string[] {
  const types = [type, ...[...anyOf, ...(items ? [items] : [])].flatMap(listNumberTypes)].flat()
  return types.filter(each => each === 'number' || each === 'integer')
}

/** The fields and parameters that are numbers, each with its types; a page's `total` is `page_total`, other totals are money. */
async function listNumbers(): Promise<[name: string, types: string[]][]> {
  const schemas = listSchemas(await loadDescription())
  const fields = schemas.flatMap(({ properties = {}, name, schema }) => [
    ...Object.entries(properties).map(([each, field]) => [
      each === 'total' && 'page' in properties ? 'page_total' : each,
      field,
    ]),
    ...(typeof name === 'string' && schema ? [[name, schema]] : []),
  ])
  return fields.map(([name, field]) => [toColumnName(name), listNumberTypes(field)])
}

test('every operation has a readable id of its own, a summary, a description and a tag that is described', async () => {
  const { tags: described } = await loadDescription()
  const describedNames = new Set(described.map(({ name }: { name: string }) => name))
  const operations = await listDescribed()
  const ids = operations.map(([, { operationId }]) => operationId)
  expect(new Set(ids).size).toBe(ids.length)
  for (const [name, { operationId, summary, description, tags }] of operations) {
    expect([name, operationId]).toEqual([name, expect.stringMatching(/^[a-z]+([A-Z][a-z]+)*$/)])
    expect([name, summary, description]).toEqual([
      name,
      expect.stringMatching(/./),
      expect.stringMatching(/\.$/),
    ])
    expect([name, tags.filter((tag: string) => !describedNames.has(tag))]).toEqual([name, []])
  }
  expect(ids).toContain('createAgreement')
})

test('the components have the names of the contract, and stand wherever they are used', async () => {
  const { components, paths } = await loadDescription()
  expect(Object.keys(components.schemas)).toEqual(
    expect.arrayContaining(['Property', 'Unit', 'Agreement', 'AgreementStatus', 'User', 'Error']),
  )
  const ofVariantA = (await loadDescription(server, '/openapi/a.json')).components.schemas
  expect(Object.keys(ofVariantA)).toEqual(expect.arrayContaining(['Property', 'UserOfVariantA', 'Error']))
  const { post: created, get: listed } = paths['/agreements']
  expect(getSchema(created.responses[201]).properties.data).toEqual({
    $ref: '#/components/schemas/Agreement',
  })
  expect(getSchema(listed.responses[200]).properties.data.items).toEqual({
    $ref: '#/components/schemas/Agreement',
  })
  expect(getSchema(created.requestBody).$ref).toBe('#/components/schemas/NewAgreement')
})

describe('the schemas', () => {
  test('allow null in every enumerated field that may be null', async () => {
    const nullable = listSchemas(await loadDescription()).filter(
      schema => Array.isArray(schema.enum) && Array.isArray(schema.type),
    )
    expect(nullable.length).toBeGreaterThan(0)
    for (const schema of nullable) expect(schema.enum).toContain(null)
  })

  test('have an integer for a count and what an integer column holds, a number for money and measures', async () => {
    const { rows } = await sql<{ name: string }>`
      select distinct column_name as name from information_schema.columns
      where table_schema = 'public' and data_type = 'integer'`.execute(server.db)
    const whole = new Set([...WHOLE, ...rows.map(({ name }) => name)])
    const numbers = await listNumbers()
    expect(numbers).toContainEqual(['rent_due_day', ['integer']])
    expect(numbers).toContainEqual(['held_amount', ['number']])
    const wrong = numbers.filter(([name, each]) => each.includes(whole.has(name) ? 'number' : 'integer'))
    expect(wrong).toEqual([])
  })

  test('have no alternatives that are equal', async () => {
    for (const { anyOf, oneOf } of listSchemas(await loadDescription())) {
      const alternatives = (anyOf ?? oneOf ?? []).map((each: object) => JSON.stringify(each))
      expect(new Set(alternatives).size).toBe(alternatives.length)
    }
  })
})

describe('the errors', () => {
  test('have 413 exactly where a body is read, and 503 unless nothing can be unavailable', async () => {
    for (const [name, { responses }] of await listDescribed()) {
      const readsBody = !name.startsWith('GET ')
      expect([name, '413' in responses]).toEqual([name, readsBody])
      expect([name, '503' in responses]).toEqual([name, name !== 'GET /health/live'])
    }
  })

  test('have no 403 where everything visible is allowed', async () => {
    for (const [name, { responses }] of await listDescribed())
      if (/^GET (?!\/dashboard)|sandbox|operations|webhooks/.test(name))
        expect([name, '403' in responses]).toEqual([name, false])
  })
})

describe('the headers and bodies', () => {
  test('have Idempotency-Key exactly where a signed-in user changes something', async () => {
    for (const [name, { parameters, security }] of await listDescribed()) {
      const isKeyed = parameters.some((each: { name: string }) => each.name === 'Idempotency-Key')
      // A stored response would hold a token.
      const isStored = name !== 'POST /auth/renew'
      const isChange = isStored && !name.startsWith('GET ') && 'bearer' in (security[0] ?? {})
      expect([name, isKeyed]).toEqual([name, isChange])
    }
  })

  test('tell whether a body may be left out: it may if no field is required', async () => {
    const isRequired = async (name: string) => (await getOperation(name)).requestBody.required
    expect(await isRequired('POST /agreements')).toBeTrue()
    expect(await isRequired('POST /agreements/{id}/decline')).toBeFalse()
    expect(await isRequired('POST /auth/logout')).toBeFalse()
  })

  test('have the bodies of webhooks with an example, and the header of their signature', async () => {
    const esign = await getOperation('POST /webhooks/esign')
    expect(getSchema(esign.requestBody).properties.data.properties.esign.required).toEqual(['id'])
    expect(esign.parameters).toMatchObject([{ name: 'x-setu-signature', in: 'header', required: true }])
    expect(esign.requestBody.content['application/json'].example.event).toBe('ESIGN_REQUEST_CREATED')
    const ekyc = await getOperation('POST /webhooks/ekyc')
    expect(getSchema(ekyc.requestBody).properties.data.required).toEqual(['id'])
    expect(ekyc.parameters).toEqual([])
  })

  test("have the operators' and the sandbox's tokens as schemes of their own", async () => {
    const { components, security } = await loadDescription()
    expect(Object.keys(components.securitySchemes)).toEqual(['bearer', 'operator', 'sandbox'])
    expect(security).toEqual([{ bearer: [] }])
    for (const [scheme, names] of [
      ['operator', /metrics|operations/],
      ['sandbox', /sandbox/],
    ] as const)
      for (const [name, operation] of await listDescribed())
        if (names.test(name)) expect([name, operation.security]).toEqual([name, [{ [scheme]: [] }]])
    const { components: withoutToken } = await loadDescription(onlyB)
    expect(Object.keys(withoutToken.securitySchemes)).toEqual(['bearer', 'operator'])
  })
})

describe('the variants', () => {
  test('Variant A of an OTP request has the message alone', async () => {
    const [inB, inA] = [await getOperation('POST /auth'), await getOperation('POST /auth', onlyA)]
    expect(Object.keys(getSchema(inB.responses['200']).properties.data.properties)).toContain(
      'is_existing_user',
    )
    expect(Object.keys(getSchema(inA.responses['200']).properties)).toEqual(['message'])
  })

  test('B alone, unless the server is limited to A', async () => {
    const description = await loadDescription()
    expect(description).toEqual(await loadDescription(server, '/openapi/b.json'))
    expect(await loadDescription(onlyA)).toEqual(await loadDescription(onlyA, '/openapi/a.json'))
    expect(JSON.stringify(description)).not.toMatch(/phoneNumber|firstName|ErrorOfVariantA/)
    expect(getSchema((await getOperation('POST /auth')).requestBody).required).toEqual(['phone_number'])
  })

  test('/openapi/a.json has the plain form alone, and no paths of B', async () => {
    const { paths } = await loadDescription(server, '/openapi/a.json')
    expect(Object.keys(paths).filter(path => /send-otp|login|logout/.test(path))).toEqual([])
    const { post } = paths['/auth/verify']
    expect(getSchema(post.requestBody).$ref).toEndWith('/VerifyOtpInputOfVariantA')
    expect(getSchema(post.responses['401']).$ref).toEndWith('/ErrorOfVariantA')
    const example = { phoneNumber: '9876543210', otp: '123456' }
    expect(post.requestBody.content['application/json'].example).toEqual(example)
  })

  test('404: a server that is limited to a variant does not describe the other one', async () => {
    const statuses = ['a', 'b'].map(async variant => {
      const { status } = await sendRequest(onlyB, 'GET', `/openapi/${variant}.json`)
      return status
    })
    expect(await Promise.all(statuses)).toEqual([404, 200])
  })
})
