import { describe, expect, test } from 'bun:test'
import { listOperations, type Schema } from '../../support/operations'
import { sandboxSecret } from '../../../server/providers'
import { createRawClient } from '../../support/raw-client'
import { testServer } from '../../support/server'
import { createDraft, createLandlord, createTenant, sendRequest } from '../../support/users'

const server = testServer()
const impatient = testServer({ env: { BODY_TIMEOUT_MS: '300' } })

const KIB = 1024
const LETTER = 'क'
const JSON_TYPE = { 'content-type': 'application/json' }

/** The longest value of a schema, in a script of three bytes a letter. */
function toLongest(schema: Schema): unknown {
  const { anyOf, properties, patternProperties, items, maxItems = 1, maxLength = 1 } = schema
  if (schema.const !== undefined) return schema.const
  if (anyOf) return toLongest(anyOf[0]!)
  if (items) return Array.from({ length: maxItems }, () => toLongest(items))
  if (properties)
    return Object.fromEntries(Object.entries(properties).map(([name, field]) => [name, toLongest(field)]))
  if (patternProperties) return toLongestVariables(Object.values(patternProperties)[0]!)
  return schema.type === 'string' ? LETTER.repeat(maxLength) : (schema.maximum ?? true)
}
const toLongestVariables = (value: Schema) =>
  Object.fromEntries(
    Array.from({ length: 100 }, (_, index) => [`${index}`.padEnd(255, 'x'), toLongest(value)]),
  )

test('no body is too large whose fields are as long as they may be', async () => {
  const { token } = await createLandlord(server)
  const operations = await listOperations(server.url)
  const withFields = operations.filter(
    ({ path, bodies }) => bodies.length > 0 && !path.startsWith('/webhooks/'),
  )
  const long = new Set<string>()
  for (const { method, path, route, bodies } of withFields) {
    const body = JSON.stringify(toLongest(bodies[0]!))
    const target = path.replace(/\{\w+\}/g, '1')
    const { status } = await sendRequest(server, method, target, { token, body, headers: JSON_TYPE })
    expect([route, status]).not.toEqual([route, 413])
    if (Buffer.byteLength(body) > 64 * KIB) long.add(route)
  }
  expect([...long]).toEqual(
    expect.arrayContaining(['POST /properties', 'POST /agreements', 'POST /agreements/:id/sign']),
  )
})

const notes: [script: string, toJson: (body: unknown) => string][] = [
  ['in UTF-8', body => JSON.stringify(body)],
  ['escaped', body => JSON.stringify(body).replaceAll(LETTER, '\\u0915')],
]
test.each(notes)('201: 100 units with notes of 5,000 letters, %s', async (_, toJson) => {
  const landlord = await createLandlord(server)
  const unit_notes = LETTER.repeat(5000)
  const property_units = Array.from({ length: 100 }, (_, index) => ({ unit_name: `U-${index}`, unit_notes }))

  const { status, data } = await sendRequest(server, 'POST', '/properties', {
    token: landlord.token,
    body: toJson({ pin_code: 560001, property_type: 'pg', property_units }),
    headers: JSON_TYPE,
  })

  expect(status).toBe(201)
  expect(data.property_units).toHaveLength(100)
  expect(data.property_units[99].unit_notes).toBe(unit_notes)
})

test('200: signing with 100 variables of 5,000 letters', async () => {
  const [landlord, tenant] = [await createLandlord(server), await createTenant(server)]
  const { path } = await createDraft(landlord, [tenant])
  const variables = Array.from({ length: 100 }, (_, index) => [`variable ${index}`, LETTER.repeat(5000)])
  const flexi_options = { template_variables: Object.fromEntries(variables) }
  const { status } = await landlord.post(`${path}/sign`, { signer_id: landlord.id, flexi_options })
  expect(status).toBe(200)
})

describe('a body above 64 KiB', () => {
  const above64KiB = JSON.stringify({ unit_notes: 'x'.repeat(64 * KIB) })
  const inChunks = `${above64KiB.length.toString(16)}\r\n${above64KiB}\r\n0\r\n\r\n`
  const kinds: [title: string, body: string, header: [string, string]][] = [
    ['announced', above64KiB, ['content-length', String(above64KiB.length)]],
    ['in chunks', inChunks, ['transfer-encoding', 'chunked']],
  ]
  const sendBy = async (method: string, target: string, body: string, ...headers: [string, string][]) => {
    const client = createRawClient(server.url)
    const json: [string, string] = ['content-type', 'application/json']
    const { status, text } = await client.send({ method, target, headers: [json, ...headers], body })
    client.close()
    return [status, JSON.parse(text).error?.code ?? JSON.parse(text).error]
  }
  const send = sendBy.bind(undefined, 'POST')

  test.each(kinds)('is read only with a token, %s', async (_, body, header) => {
    const { token } = await createLandlord(server)
    const authorization: [string, string] = ['authorization', `Bearer ${token}`]
    const forged: [string, string] = ['authorization', `Bearer ${token.slice(0, -2)}xx`]
    expect(await send('/properties', body, header)).toEqual([401, 'UNAUTHORIZED'])
    expect(await send('/properties', body, header, forged)).toEqual([401, 'UNAUTHORIZED'])
    expect(await send('/properties', body, header, authorization)).toEqual([400, 'VALIDATION_ERROR'])
  })

  test.each(kinds)('413: of a route whose fields are short, %s', async (_, body, header) => {
    expect(await send('/auth/send-otp', body, header)).toEqual([413, 'PAYLOAD_TOO_LARGE'])
    expect(await send('/auth', body, header)).toEqual([413, 'Payload Too Large'])
    expect(await sendBy('DELETE', '/agreements/1', body, header)).toEqual([413, 'PAYLOAD_TOO_LARGE'])
    const inQuery = '/auth/send-otp?/sandbox/esign/api/documents'
    expect(await send(inQuery, body, header)).toEqual([413, 'PAYLOAD_TOO_LARGE'])
  })

  test('413: of a form, in chunks', async () => {
    const client = createRawClient(server.url)
    const headers: [string, string][] = [
      ['content-type', 'application/x-www-form-urlencoded'],
      ['transfer-encoding', 'chunked'],
    ]
    const { status } = await client.send({
      method: 'POST',
      target: '/sandbox/faults',
      headers,
      body: inChunks,
    })
    client.close()
    expect(status).toBe(413)
  })

  test('413: longer than the longest body of its route, with a token, and the error names the limit', async () => {
    const { post } = await createLandlord(server)
    const { status, error } = await post('/tenants', { first_name: 'x'.repeat(64 * KIB) })
    expect([status, error.code, error.message]).toEqual([
      413,
      'PAYLOAD_TOO_LARGE',
      'The body is too large: send at most 65536 bytes',
    ])
  })
})

test('408: a body that does not arrive, in either variant', async () => {
  const client = createRawClient(impatient.url)
  const send = async (target: string) => {
    const headers: [string, string][] = [['content-length', '9']]
    const { status, text } = await client.send({ method: 'POST', target, headers })
    return [status, JSON.parse(text).error]
  }
  expect(await send('/auth/send-otp')).toMatchObject([408, { code: 'REQUEST_TIMEOUT' }])
  expect(await send('/auth')).toEqual([408, 'Request Timeout'])
})

test('400: an answer lists the first errors alone, however many elements are wrong', async () => {
  const { token } = await createLandlord(server)
  const property_units = Array.from({ length: 20_000 }, () => ({}))
  const body = { pin_code: 560001, property_type: 'pg', property_units }
  const { status, body: answer } = await sendRequest(server, 'POST', '/properties', { token, body })
  expect(status).toBe(400)
  expect(JSON.stringify(answer).length).toBeLessThan(64 * KIB)
})

test('413: a long body for the sandbox is read from its own adapter alone', async () => {
  const body = JSON.stringify({ documentUrl: 'x'.repeat(100 * KIB) })
  const send = (headers: Record<string, string>) =>
    sendRequest(server, 'POST', '/sandbox/esign/api/esign', { body, headers: { ...JSON_TYPE, ...headers } })
  expect((await send({ 'x-client-secret': 'a guess' })).status).toBe(413)
  expect((await send({ 'x-client-secret': sandboxSecret(server.deps.config) })).status).toBe(400)
})

test('413: nor does the adapter send more than a document and the form around it', async () => {
  const client = createRawClient(impatient.url)
  const send = async (bytes: number) => {
    const headers: [string, string][] = [
      ['content-length', String(bytes)],
      ['x-client-secret', sandboxSecret(impatient.deps.config)],
    ]
    return (await client.send({ method: 'POST', target: '/sandbox/esign/api/documents', headers })).status
  }
  const longest = 10 * KIB * KIB + 64 * KIB
  expect(await send(longest + 1)).toBe(413)
  expect(await send(longest)).not.toBe(413)
  client.close()
})
