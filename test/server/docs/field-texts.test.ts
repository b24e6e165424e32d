import { expect, test } from 'bun:test'
import { toSnakeCase } from '../../../server/http/variants/camel-case'
import { testServer } from '../../support/server'
import { sendRequest } from '../../support/requests'

const server = testServer({ env: { OPS_TOKEN: 'o'.repeat(32) } })

async function loadSchemas(): Promise<Record<string, any>> {
  const { body } = await sendRequest(server, 'GET', '/openapi.json')
  return body.components.schemas
}

test('every field of a response has a text, also within lists', async () => {
  const schemas = await loadSchemas()
  const responses = ['Agreement', 'Unit', 'Property', 'Signature', 'User', 'ReceivedWebhook', 'JobsReport']
  const listBare = (schema: any, path: string): string[] =>
    Object.entries<any>(schema.properties ?? {}).flatMap(([name, field]) => [
      ...(field.description ? [] : [`${path}.${name}`]),
      ...listBare(field, `${path}.${name}`),
      ...listBare(field.items ?? {}, `${path}.${name}`),
    ])
  expect(responses.flatMap(name => listBare(schemas[name], name))).toEqual([])
})

/** The texts of all objects in a part of the description, by their fields, as Variant B names them. */
function* listObjects(part: unknown): Generator<[fields: string, texts: string]> {
  if (typeof part !== 'object' || part === null) return
  const { properties } = part as { properties?: Record<string, { description?: string }> }
  if (properties) {
    const texts = Object.entries(properties)
      .map(([field, { description }]) => [toSnakeCase(field), description ?? null])
      .toSorted()
    yield [texts.map(([field]) => field).join(), JSON.stringify(texts)]
  }
  for (const inner of Object.values(part)) yield* listObjects(inner)
}

test('the fields of Variant A have the texts that they have in Variant B', async () => {
  const [inA, inB] = await Promise.all(
    ['/openapi/a.json', '/openapi/b.json'].map(async path => [
      ...listObjects((await sendRequest(server, 'GET', path)).body),
    ]),
  )
  const known = new Set(inB!.map(([fields]) => fields))
  const shared = inA!.filter(([fields]) => known.has(fields)).map(([, texts]) => texts)
  expect(shared.length).toBeGreaterThan(100)
  const texts = new Set(inB!.map(([, each]) => each))
  expect(shared.filter(each => !texts.has(each))).toEqual([])
})
