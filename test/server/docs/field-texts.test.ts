import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { testServer } from '../../support/server'
import { sendRequest } from '../../support/requests'
import { readFieldTexts } from './field-texts'

const FILE = join(import.meta.dir, '../../../server/http/openapi/field-texts.json')
const server = testServer({ env: { OPS_TOKEN: 'o'.repeat(32) } })

async function loadSchemas(): Promise<Record<string, any>> {
  const { body } = await sendRequest(server, 'GET', '/openapi.json')
  return body.components.schemas
}

test("the texts of fields are those of the SDK's types", async () => {
  const texts = await readFieldTexts()
  if (process.env.RECORD === 'fields') await Bun.write(FILE, `${JSON.stringify(texts, null, 2)}\n`)
  expect(await Bun.file(FILE).json()).toEqual(texts)
})

test('fields say their units, their formats and when they are null or absent', async () => {
  const schemas = await loadSchemas()
  const { Agreement, Unit, UserOfVariantA, Invitation, CurrentUser } = schemas
  expect(Agreement.properties.rent_amount.description).toContain('rupees')
  expect(Agreement.properties.agreement_start_date.description).toContain('YYYY-MM-DD')
  expect(Unit.properties.area_sqft.description).toContain('feet')
  expect(UserOfVariantA.properties.firstName.description).toBe('Null until the profile is complete')
  expect(Invitation.properties.sent_at.description).toContain('null if it could not be sent')
  expect(CurrentUser.properties.invitation.description).toContain('absent once the profile is complete')
})

test('every field of a response has a text, also within lists', async () => {
  const schemas = await loadSchemas()
  const responses = ['Agreement', 'Unit', 'Property', 'Signature', 'User', 'WebhookDelivery', 'JobsReport']
  const listBare = (schema: any, path: string): string[] =>
    Object.entries<any>(schema.properties ?? {}).flatMap(([name, field]) => [
      ...(field.description ? [] : [`${path}.${name}`]),
      ...listBare(field, `${path}.${name}`),
      ...listBare(field.items ?? {}, `${path}.${name}`),
    ])
  expect(responses.flatMap(name => listBare(schemas[name], name))).toEqual([])
})
