import * as fc from 'fast-check'
import type { Arbitrary } from 'fast-check'
import { oddBodies, oddHeaders, oddJson, oddLines } from './fuzz-values'
import type { Operation } from './operations'

// Random requests: bodies that a schema allows, mostly with something odd in some place.

/** An operation, and bodies that its schema allows. */
export type FuzzedOperation = Operation & { accepted: unknown[] }

const piece = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom(...oddJson) },
  fc.string({ unit: 'binary', maxLength: 40 }).map(text => JSON.stringify(text)),
  fc.double().map(number => (Number.isFinite(number) ? String(number) : '1e999')),
  fc.bigInt().map(String),
  fc.json({ maxDepth: 3 }),
)

type Mutation = { kind: 'set' | 'drop' | 'twice' | 'name'; at: number; text: string }
const mutation: Arbitrary<Mutation> = fc.oneof(
  { weight: 5, arbitrary: fc.record({ kind: fc.constant('set' as const), at: fc.nat(99), text: piece }) },
  fc.record({ kind: fc.constant('drop' as const), at: fc.nat(99), text: fc.constant('') }),
  fc.record({ kind: fc.constant('twice' as const), at: fc.nat(99), text: piece }),
  fc.record({
    kind: fc.constant('name' as const),
    at: fc.nat(99),
    text: fc.tuple(fc.constantFrom(...oddLines.fieldNames), piece).map(([name, value]) => `${name}:${value}`),
  }),
)

/** The JSON text of `body` after the mutations. */
export function applyMutation(body: unknown, mutations: Mutation[]): string {
  const places: [Record<string, unknown>, string][] = []
  const root = { body: structuredClone(body) }
  const marks: [string, string][] = []
  const walk = (value: unknown) => {
    if (typeof value !== 'object' || value === null) return
    for (const name of Object.keys(value)) {
      places.push([value as Record<string, unknown>, name])
      walk((value as Record<string, unknown>)[name])
    }
  }
  walk(root.body)
  for (const [index, { kind, at, text }] of mutations.entries()) {
    const place = places[at % places.length]
    const mark = `@@${index}@@`
    if (!place) continue
    const [holder, name] = place
    if (kind === 'drop') delete holder[name]
    else if (kind === 'set' || Array.isArray(holder)) holder[name] = mark
    else holder[mark] = kind === 'twice' ? name : ''
    marks.push(
      kind === 'set' || Array.isArray(holder)
        ? [`"${mark}"`, kind === 'name' ? `{${text}}` : text]
        : kind === 'twice'
          ? [`"${mark}":${JSON.stringify(name)}`, `${JSON.stringify(name)}:${text}`]
          : [`"${mark}":""`, text],
    )
  }
  return marks.reduce((json, [mark, text]) => json.split(mark).join(text), JSON.stringify(root.body) ?? '')
}

/** One request, before ids, tokens and, if `isReal`, values of existing records are filled in. */
export type FuzzRequest = {
  method: string
  query: string
  ids: Record<string, string | null>
  body: unknown
  isReal: boolean
  mutations: Mutation[]
  shape: string | null
  type: string
  token: string | null
  headers: [string, string][]
}

/** Mostly the usual, and now and then one of the others. */
const usually = <T>(weight: number, usual: Arbitrary<T>, ...others: Arbitrary<T>[]) =>
  fc.oneof({ weight, arbitrary: usual }, ...others)

const path = fc.webPath().map(text => text.slice(1))
const drawIds = ({ params, accepted }: FuzzedOperation) =>
  fc.record(
    Object.fromEntries(
      params.map(name => [
        name,
        usually<string | null>(
          accepted.length ? 6 : 2,
          fc.constant(null),
          fc.constantFrom(...oddLines.pathIds),
          path,
        ),
      ]),
    ),
  )

function drawQuery({ query }: Operation) {
  const odd = usually(query.length ? 2 : 8, fc.constant(''), fc.constantFrom(...oddLines.queryStrings))
  if (!query.length) return odd
  const names = query.flatMap(({ name }) => [name, name, `${name}[]`, `${name}[$ne]`])
  const values = fc.oneof(fc.constantFrom(...oddLines.queryValues), fc.webFragments())
  const pairs = fc.array(fc.tuple(fc.constantFrom(...names), values), { minLength: 1, maxLength: 4 })
  return usually(
    3,
    pairs.map(each => each.map(pair => pair.join('=')).join('&')),
    odd,
  )
}

export const fuzzRequest = (operation: FuzzedOperation): Arbitrary<FuzzRequest> =>
  fc.record({
    method: usually(12, fc.constant(operation.method), fc.constantFrom(...oddLines.methods)),
    ids: drawIds(operation),
    query: drawQuery(operation),
    body: fc.constantFrom(...(operation.accepted.length ? operation.accepted : [{}])),
    isReal: usually(4, fc.constant(true), fc.constant(false)),
    mutations: usually<Mutation[]>(
      4,
      fc.array(mutation, { minLength: 1, maxLength: 3 }),
      fc.constant<Mutation[]>([]),
    ),
    shape: usually<string | null>(
      12,
      fc.constant(null),
      fc.constantFrom(...oddBodies),
      fc.string({ unit: 'binary' }),
      fc.json(),
    ),
    type: usually(10, fc.constant('application/json'), fc.constantFrom(...oddLines.contentTypes)),
    token: usually<string | null>(10, fc.constant(null), fc.constantFrom(...oddLines.authorizations)),
    headers: usually(
      5,
      fc.constant<[string, string][]>([]),
      fc.array(fc.constantFrom(...oddHeaders), { maxLength: 2 }),
    ),
  })
