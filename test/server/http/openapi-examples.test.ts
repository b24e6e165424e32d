import { expect, test } from 'bun:test'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020'
import addFormats from 'ajv-formats'
import { resolve, type Schema } from '../../support/operations'
import { sendRequest } from '../../support/requests'
import { testServer } from '../../support/server'

const server = testServer({ env: { OPS_TOKEN: 'o'.repeat(32), SANDBOX_TOKEN: 's'.repeat(32) } })
const ajv = addFormats.default(new Ajv2020({ strict: false, validateSchema: false }))

const validators = new Map<string, ValidateFunction>()

/** Most answers share a few schemas of errors; to compile one takes a while. */
function getValidator(schema: Schema) {
  const text = JSON.stringify(schema)
  const validate = validators.get(text) ?? ajv.compile(schema)
  validators.set(text, validate)
  return validate
}

/** A file that a client chooses has no example. */
const UPLOADED = 'application/octet-stream'

type Media = { schema: Schema; example?: unknown }
type Content = { content?: Record<string, Media> }
type Operation = {
  requestBody?: Content
  responses: Record<string, Content>
  parameters: (Media & { name: string; in: string; required?: boolean })[]
}

/** Every place of a document that may have an example. */
async function listPlaces(path: string) {
  const { body: document } = await sendRequest(server, 'GET', path)
  const paths = resolve(document.paths, document.components.schemas) as Record<
    string,
    Record<string, Operation>
  >
  return Object.entries(paths).flatMap(([route, methods]) =>
    Object.entries(methods).flatMap(([method, operation]) => toPlaces(`${method} ${route}`, operation)),
  )
}

function toPlaces(name: string, { requestBody, responses, parameters }: Operation): [string, Media][] {
  const contents = { ...responses, ...(requestBody && { body: requestBody }) }
  return [
    ...Object.entries(contents).flatMap(([part, { content = {} }]) =>
      Object.entries(content)
        .filter(([type]) => type !== UPLOADED)
        .map(([, media]): [string, Media] => [`${name} ${part}`, media]),
    ),
    ...parameters
      .filter(parameter => parameter.required || 'example' in parameter)
      .map((parameter): [string, Media] => [`${name} ${parameter.name}`, parameter]),
  ]
}

test.each(['/openapi/a.json', '/openapi/b.json'])(
  '%s has an example of every body, result, error and required parameter, which its schema allows',
  async path => {
    for (const [name, media] of await listPlaces(path)) {
      const validate = getValidator(media.schema)
      expect([name, validate(media.example), validate.errors]).toEqual([name, true, null])
    }
  },
)
