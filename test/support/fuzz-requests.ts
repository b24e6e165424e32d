import * as fc from 'fast-check'
import type { Arbitrary } from 'fast-check'
import { fileStarts, oddBodies, oddHeaders, oddJson, oddLines } from './fuzz-values'
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

/** What takes the place of a value; without a text it is left out. */
type Mutation = { at: number; text: string | undefined }
const mutation: Arbitrary<Mutation> = fc.record({
  at: fc.nat(99),
  text: fc.option(piece, { freq: 5, nil: undefined }),
})

type Place = [holder: Record<string, unknown>, name: string]

const listPlaces = (value: unknown): Place[] =>
  typeof value === 'object' && value !== null
    ? Object.keys(value).flatMap(name => {
        const holder = value as Record<string, unknown>
        return [[holder, name] as Place, ...listPlaces(holder[name])]
      })
    : []

/** The JSON text of `body` after the mutations. */
export function applyMutation(body: unknown, mutations: Mutation[]): string {
  const root = { body: structuredClone(body) }
  const places = listPlaces(root)
  for (const [index, { at, text }] of mutations.entries()) {
    const [holder, name] = places[at % places.length]!
    if (text === undefined) delete holder[name]
    else holder[name] = `@@${index}@@`
  }
  const json = JSON.stringify(root.body) ?? ''
  return mutations.reduce((text, each, index) => text.split(`"@@${index}@@"`).join(each.text ?? ''), json)
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
  /** Of an operation that takes one, if `isReal`. */
  file: Uint8Array | null
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

const oddFile = fc
  .tuple(fc.constantFrom(...fileStarts), fc.uint8Array({ maxLength: 200 }))
  .map(([start, rest]) => Buffer.concat([start, rest]))

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
    file: operation.takesFile ? oddFile : fc.constant(null),
    type: usually(10, fc.constant('application/json'), fc.constantFrom(...oddLines.contentTypes)),
    token: usually<string | null>(10, fc.constant(null), fc.constantFrom(...oddLines.authorizations)),
    headers: usually(
      5,
      fc.constant<[string, string][]>([]),
      fc.array(fc.constantFrom(...oddHeaders), { maxLength: 2 }),
    ),
  })
