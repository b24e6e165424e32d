import { beforeAll, expect, test } from 'bun:test'
import { createApp } from '../../../server/app'
import { ApiError } from '../../../server/errors'
import { trimBody } from '../../../server/http/body/json'
import { createValid, listCases, type Case } from '../../support/one-violation'
import type { Schema } from '../../support/operations'
import { testServer } from '../../support/server'
import { createLandlord, sendRequest } from '../../support/users'

const OPS_TOKEN = 'the token of those who operate this server'
const server = testServer({ env: { OPS_TOKEN } })

type Input = { method: string; path: string; schema: Schema; accept: (value: any) => unknown }
let bodies: Input[]
let queries: Input[]

/** The inputs of all routes, with the checks of the server. */
beforeAll(() => {
  const { routes } = createApp(server.deps)
  bodies = routes.flatMap(({ method, path, hooks }) => {
    const schema = hooks.body as any
    const accept = (body: unknown) => schema['~standard'].validate(trimBody(body)).value
    return schema ? [{ method, path, schema, accept }] : []
  })
  queries = routes.flatMap(({ method, path, hooks }) => {
    const schema = hooks.query as any
    const accept = (query: unknown) => schema['~standard'].validate(query).value
    return schema ? [{ method, path, schema, accept }] : []
  })
})

/** What the server says: the value that it accepts, or the broken rules. */
function judge({ accept }: Input, value: unknown) {
  try {
    return { value: accept(structuredClone(value)) }
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    return { rules: error.brokenRules!.map(({ property, rule }) => `${property} ${rule}`) }
  }
}

/** Texts that are no number or boolean of a query. */
const WRONG_TEXTS = ['x', '0x1', '1e2', '01x', '+1', '1.5.1', '9'.repeat(20), '٣', 'TRUE', 'yes', 'null']

/** The cases of a query, whose values are texts. */
function listQueryCases(schema: Schema) {
  const valid = createValid(schema) as Record<string, unknown>
  const base = Object.fromEntries(Object.entries(valid).map(([name, value]) => [name, String(value)]))
  const cases = Object.entries(schema.properties!).map(([name, field]) => {
    const { accepted, refused } = listCases(field)
    const isText = field.type === 'string' || field.anyOf !== undefined
    // An empty text is none.
    const wrong = refused.filter(({ keyword, value }) =>
      typeof value === 'number'
        ? !(isText && keyword === 'type')
        : isText && typeof value === 'string' && value !== '',
    )
    const values = [...wrong.map(({ value }) => value), ...(isText ? [] : WRONG_TEXTS)]
    return {
      accepted: accepted.map(each => ({
        ...each,
        place: name,
        value: { ...base, [name]: String(each.value) },
        stored: { ...valid, [name]: each.stored },
      })),
      refused: values.map(value => ({
        place: name,
        keyword: 'text',
        value: { ...base, [name]: String(value) },
      })),
    }
  })
  return { accepted: cases.flatMap(each => each.accepted), refused: cases.flatMap(each => each.refused) }
}

const LIMITS = /^(is_required|min_length|max_length|minimum|maximum|min_items|max_items|unique_items)$/
const show = (value: unknown) => String(JSON.stringify(value)).slice(-200)

test('a value at the limits of each field is accepted, trimmed and without undeclared fields', () => {
  for (const input of bodies) expectAccepted(input, listCases(input.schema).accepted)
  for (const input of queries) expectAccepted(input, listQueryCases(input.schema).accepted)
})

function expectAccepted(input: Input, cases: Case[]) {
  for (const { place, keyword, value, stored } of cases) {
    const verdict = judge(input, value)
    if (!Bun.deepEquals(verdict, { value: stored }))
      expect.unreachable(`${input.path}: ${place} ${keyword} ${show(value)} is ${show(verdict)}`)
  }
}

test('each violation in each field is refused, and named with its rule', () => {
  const counts = [
    ...bodies.map(input => expectRefused(input, listCases(input.schema).refused)),
    ...queries.map(input => expectRefused(input, listQueryCases(input.schema).refused)),
  ]
  expect(counts.reduce((sum, count) => sum + count, 0)).toBeGreaterThan(5000)
})

function expectRefused(input: Input, cases: Omit<Case, 'stored'>[]) {
  for (const { place, keyword, value } of cases) {
    const { rules } = judge(input, value)
    const expected = `${place} ${LIMITS.test(keyword) ? keyword : ''}`
    if (!rules?.length || !rules.every(rule => rule.startsWith(expected)))
      expect.unreachable(`${input.path}: ${place} ${keyword} ${show(value)} is ${rules ?? 'accepted'}`)
  }
  return cases.length
}

/** A text in place of the body, and one violation in a field. */
const listWrongBodies = ({ schema }: Input) => {
  const { refused } = listCases(schema)
  const violation = refused.find(({ place, keyword }) => place && keyword === 'type')
  return [{ place: 'body', value: 'x' }, ...(violation ? [violation] : [])]
}

test('400: every operation that takes a body checks it, and names what is wrong', async () => {
  const { token } = await createLandlord(server)
  for (const input of bodies)
    for (const { place, value } of listWrongBodies(input)) {
      const path = input.path.replace(/:\w+/g, '1')
      const sent = { token: path.startsWith('/operations') ? OPS_TOKEN : token, body: JSON.stringify(value) }
      const { status, error } = await sendRequest(server, input.method, path, {
        ...sent,
        headers: { 'content-type': 'application/json' },
      })
      const found = [path, status, error?.reason, error?.details?.map((each: any) => each.property)]
      expect(found).toEqual([path, 400, 'invalid_fields', [place]])
    }
})

test('400: every operation that takes a query checks it, and names what is wrong', async () => {
  const { token } = await createLandlord(server)
  for (const { path: route, schema } of queries) {
    const [{ place, value }] = listQueryCases(schema).refused as [Case]
    const path = route.replace(/:\w+/g, '1')
    const query = new URLSearchParams(value as Record<string, string>)
    const { status, error } = await sendRequest(server, 'GET', `${path}?${query}`, {
      token: path.startsWith('/operations') ? OPS_TOKEN : token,
    })
    expect([path, status, error?.details?.map((each: any) => each.property)]).toEqual([path, 400, [place]])
  }
})

const WRONG_IDS = ['x', '0', '01', '1e1', '2147483648', '%201', '00000000-0000-4000-8000-00000000000']

test('404: every operation on a record refuses an id that is not written as one, after 401 for strangers', async () => {
  const { token } = await createLandlord(server)
  const { routes } = createApp(server.deps)
  const onRecords = routes.filter(
    ({ path }) => /^\/[a-z-]+\/:id/.test(path) && !/^\/(docs|assets|receipts)/.test(path),
  )
  expect(onRecords.length).toBeGreaterThan(40)
  for (const { method, path, hooks } of onRecords)
    for (const [name, kind] of Object.entries<string>((hooks.params as any).kinds)) {
      const toPath = (id: string) => path.replace(`:${name}`, id).replace(/:\w+/g, '1')
      const isRead = method === 'GET' || method === 'DELETE'
      const body = isRead ? undefined : createValid(hooks.body ?? { type: 'object' })
      for (const id of WRONG_IDS) {
        const { status, error } = await sendRequest(server, method, toPath(id), { token, body })
        expect([method, path, id, status, error?.reason]).toEqual([
          method,
          path,
          id,
          404,
          `${kind}_not_found`,
        ])
      }
      expect((await sendRequest(server, method, toPath('x'), { body })).status).toBe(401)
    }
})
