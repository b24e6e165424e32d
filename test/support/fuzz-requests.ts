import * as fc from 'fast-check'
import type { Arbitrary } from 'fast-check'
import type { Operation, Schema } from './operations'

// Requests that nobody sane sends, drawn from the description of the operations.

const date = fc
  .date({ min: new Date('2020-01-01'), max: new Date('2040-01-01'), noInvalidDate: true })
  .map(day => day.toISOString())
const words = fc.constantFrom('White House', 'x', 'करार', 'A-101', '26/7, MG Road', 'عقد', '💥 home')
const formats: Record<string, Arbitrary<string>> = {
  date: date.map(day => day.slice(0, 10)),
  'date-time': date,
  email: fc.emailAddress(),
  uri: fc.webUrl(),
  uuid: fc.uuid(),
}

/** A value that a schema allows, or one near to it. */
export function validBody(schema: Schema): Arbitrary<unknown> {
  const some = schema.oneOf ?? schema.anyOf
  if (some) return fc.oneof(...some.map(validBody))
  if (schema.enum) return fc.constantFrom(...schema.enum)
  if ('const' in schema) return fc.constant(schema.const)
  const [type] = [schema.type].flat()
  switch (type) {
    case 'null':
      return fc.constant(null)
    case 'boolean':
      return fc.boolean()
    case 'integer':
      return fc.integer({
        min: schema.minimum ?? 0,
        max: Math.min(schema.maximum ?? 1000, (schema.minimum ?? 0) + 100_000),
      })
    case 'number':
      return fc.integer({ min: 1, max: 1_000_000 }).map(hundredths => hundredths / 100)
    case 'string':
      return (
        formats[schema.format ?? ''] ??
        (schema.pattern
          ? fc.stringMatching(new RegExp(schema.pattern))
          : words.map(text => text.padEnd(schema.minLength ?? 0, '.')))
      )
    case 'array':
      return fc.uniqueArray(validBody(schema.items ?? {}), {
        minLength: schema.minItems ?? 0,
        maxLength: Math.max(schema.minItems ?? 0, 3),
        comparator: 'SameValueZero',
      })
    case 'object':
      return fc.record(
        Object.fromEntries(
          Object.entries(schema.properties ?? {}).map(([name, inner]) => [name, validBody(inner)]),
        ),
        { requiredKeys: schema.required ?? [] },
      )
    default:
      return fc.jsonValue({ maxDepth: 1 })
  }
}

const texts = [
  '',
  ' ',
  '0',
  '1',
  '-1',
  'true',
  'null',
  'NaN',
  '\0',
  'a\0b',
  'x\n',
  '\r\nx: y',
  '\u202egnp.exe',
  'a\u200bb',
  '\ufeffx',
  '\u0627\u0644',
  '١٢٣٤٥٦٧٨٩٠',
  '9876٥43210',
  '９８７６５４３２１０',
  '💥',
  'e\u0301',
  '2026-02-30',
  '2026-02-30\n',
  '0000-01-01',
  '9999-12-31',
  '+010000-01-01',
  '2026-02-29T23:59:60Z',
  '1e400',
  "'; drop table users; --",
  '${7*7}',
  '{{7*7}}',
  '%s%n',
  '%00',
  '../../etc/passwd',
  '<script>',
  'javascript:alert(1)',
  'http://[::1',
  'http://x:99999/',
  'https://a@b:c@d/',
  'a@b',
  'a@b.c\n',
  '__proto__',
  'constructor',
  'toString',
  'x'.repeat(256),
  'x'.repeat(5001),
  '\u{1F3E0}'.repeat(3000),
]
/** Pieces of JSON's text, since much of this is nothing that JavaScript could hold. */
const pieces = [
  ...texts.map(text => JSON.stringify(text)),
  'null',
  'true',
  'false',
  '0',
  '-0',
  '1',
  '-1',
  '0.1',
  '1.005',
  '2147483647',
  '2147483648',
  '-2147483649',
  '4294967296',
  '9007199254740991',
  '9007199254740993',
  '1e400',
  '-1e400',
  '1e-400',
  '1E5',
  '25000.555',
  '12345678901234567890123',
  '[]',
  '{}',
  '[null]',
  '[[]]',
  '[{}]',
  '[1,1]',
  '[1,"1"]',
  '{"a":1}',
  '{"$ne":null}',
  '{"length":1}',
  '{"toString":1}',
  '{"valueOf":null}',
  '{"toJSON":1}',
  '{"then":1}',
  '{"__proto__":null}',
  '{"__proto__":{"is_active":false}}',
  '{"constructor":{"prototype":{"polluted":1}}}',
  '[{"__proto__":{"unit_name":"x"}}]',
  '"\\ud800"',
  '"\\udc00x"',
  '"\\u0000"',
  '"\\u202e"',
  `[${'"x",'.repeat(9999)}"x"]`,
  `[${'1,'.repeat(9999)}1]`,
  `${'['.repeat(33)}${']'.repeat(33)}`,
  `${'{"a":'.repeat(2000)}1${'}'.repeat(2000)}`,
]
const names = [
  '"__proto__"',
  '"constructor"',
  '"prototype"',
  '"toString"',
  '"hasOwnProperty"',
  '"valueOf"',
  '"toJSON"',
  '"then"',
  '"length"',
  '"0"',
  '""',
  '"\\u0000"',
  '"\\ud800"',
  '"a.b"',
  '"a/b"',
  '"$where"',
  '"id"',
  '"status"',
  '"is_active"',
]
const piece = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom(...pieces) },
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
    text: fc.tuple(fc.constantFrom(...names), piece).map(([name, value]) => `${name}:${value}`),
  }),
)

/** JSON's text of `body`, with its places changed. */
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
  '-0',
  '"x"',
  "{'a':1}",
  '\ufeff{}',
  '[{}]',
  '{"a":}',
  '{"a":1}{"b":2}',
  '{"a":1,}',
  '// x\n{}',
  'NaN',
  'phone_number=9876543210',
  'a[b]=c&__proto__[x]=1',
  '<?xml version="1.0"?><!DOCTYPE x [<!ENTITY a SYSTEM "file:///etc/passwd">]><x>&a;</x>',
  '--x\r\nContent-Disposition: form-data; name="phone_number"\r\n\r\n9876543210\r\n--x--\r\n',
  '['.repeat(20_000),
  `"${'x'.repeat(66_000)}"`,
]
const types = [
  'text/plain',
  'application/x-www-form-urlencoded',
  'multipart/form-data; boundary=x',
  'multipart/form-data',
  'application/xml',
  'application/octet-stream',
  'application/jsonx',
  'nonsense',
  '',
  ';',
  'application/json; charset=utf-16',
  'application/json; charset=',
  'application/json,application/json',
  'Application/JSON',
  'application/vnd.api+json',
  'text/html; charset="',
  'application/json\xff',
  '__proto__',
]
const ids = [
  '0',
  '-1',
  '1.0',
  '1e1',
  '0x1',
  '01',
  '+1',
  '%31',
  '2147483647',
  '2147483648',
  '9007199254740993',
  '9'.repeat(400),
  'x'.repeat(3000),
  '%00',
  '1%00',
  '%0',
  '%',
  '%%',
  '%E0%A4%A',
  '%ED%A0%80',
  '%2F',
  '%2e%2e%2f',
  '..;',
  ';',
  ':id',
  '{id}',
  '*',
  '%20',
  '%0A',
  '1%0A',
  '%0d%0ax:%20y',
  '%F0%9F%92%A5',
  '%D9%A1',
  'undefined',
  'null',
  'NaN',
  '__proto__',
  'constructor',
  'toString',
  "'%20or%201=1--",
  '00000000-0000-0000-0000-000000000000',
  'FFFFFFFF-FFFF-FFFF-FFFF-FFFFFFFFFFFF',
  '%7B00000000-0000-4000-8000-000000000000%7D',
  '00000000000040008000000000000000',
  '\xff',
  '\xe2\x80\xae',
  '"',
  '[',
  '|',
  '\\',
  'a?b',
  'a&b',
  '1;select',
  '~',
  '.',
  '..',
  'a//b',
]
const queries = [
  '',
  '&',
  '=',
  '&&=&',
  '%',
  '%00',
  '%00=%00',
  '%zz=%zz',
  '__proto__=1',
  '__proto__[x]=1',
  'constructor[prototype][x]=1',
  'a='.repeat(500),
  '?',
  '#',
  '+',
  '[]=1',
  'x=\xff',
  'toString=1',
]
const asked = [
  '',
  '0',
  '-1',
  '1',
  '1.0',
  '1e2',
  '1e400',
  '0x1',
  '-0',
  '%00',
  'NaN',
  'Infinity',
  '999999',
  '1000000',
  '1000001',
  '99999999999999999999',
  '%D9%A1',
  '%ED%A0%80',
  '%F0%9F%92%A5',
  '%25%25%25',
  '%5C',
  '%5C'.repeat(100),
  'x'.repeat(101),
  'id',
  '-id',
  '--id',
  'id,id',
  '__proto__',
  'toString',
  'TRUE',
  'true',
  'null',
  'undefined',
  'DRAFT',
  'draft',
  '560048',
  '5.6e5',
  '%0A',
  "'",
  '%22',
  '%28select%201%29',
  'White%20House',
  '+',
  '[]',
  '{}',
  '00000000-0000-4000-8000-000000000000',
]
const methods = [
  'TRACE',
  'HEAD',
  'OPTIONS',
  'PATCH',
  'PUT',
  'POST',
  'GET',
  'DELETE',
  'QUERY',
  'PROPFIND',
  'CONNECT',
  'LOCK',
  'PURGE',
  'SUBSCRIBE',
]
const tokens = [
  '',
  ' ',
  'Bearer',
  'Bearer ',
  'Basic YTpi',
  'Bearer a.b.c',
  'Bearer ..',
  'Bearer null',
  'bearer TOKEN',
  'Bearer TOKEN x',
  'Bearer  TOKEN',
  'Bearer TOKEN=',
  'TOKEN',
  'Bearer TOKEN, Bearer TOKEN',
  'Bearer \xff',
  `Bearer ${'a'.repeat(5000)}`,
  'Bearer e30.e30.e30',
  `Bearer ${Buffer.from('{"alg":"none"}').toString('base64url')}.${Buffer.from('{"sub":"1","variant":"a"}').toString('base64url')}.`,
  `Bearer x.${Buffer.from('{"variant":"a"}').toString('base64url')}.x`,
  `Bearer x.${Buffer.from('null').toString('base64url')}.x`,
]
const headers: [string, string][] = [
  ...[
    '',
    ' ',
    'x',
    'a b',
    'é',
    '\xff',
    'x'.repeat(255),
    'x'.repeat(256),
    'x'.repeat(5000),
    '"quoted"',
    '__proto__',
    ',',
  ].map((value): [string, string] => ['idempotency-key', value]),
  ...[
    '',
    'x:99999999',
    '[::1',
    'a b',
    'http://x',
    '\xff',
    '%00',
    'x/../y',
    'user@x',
    'x?y',
    ':80',
    '..',
    '*',
    'localhost:1',
  ].map((value): [string, string] => ['host', value]),
  ['origin', 'null'],
  ['origin', 'https://evil.example.com'],
  ['origin', '\xff'],
  ['x-forwarded-for', "1.2.3.4, '; --"],
  ['x-forwarded-host', 'evil'],
  ['x-forwarded-proto', 'gopher'],
  ['content-encoding', 'gzip'],
  ['accept', 'text/html'],
  ['accept', '\xff'],
  ['accept-language', 'x'.repeat(2000)],
  ['x-request-id', 'mine'],
  ['cookie', '__proto__=1; a'],
  ['range', 'bytes=-1'],
  ['if-none-match', '*'],
  ['x-http-method-override', 'DELETE'],
  ['__proto__', 'x'],
  ['upgrade', 'websocket'],
  ['te', 'trailers'],
  ['x-setu-signature', '\xff'],
]

/** One request, before ids, tokens and real values are put in. `[field]` in `real` is taken from the world. */
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

export const fuzzRequest = ({ method, params, query, bodies }: Operation): Arbitrary<FuzzRequest> =>
  fc.record({
    method: fc.oneof({ weight: 12, arbitrary: fc.constant(method) }, fc.constantFrom(...methods)),
    ids: fc.record(
      Object.fromEntries(
        params.map(name => [
          name,
          fc.oneof(
            { weight: bodies.length ? 6 : 2, arbitrary: fc.constant(null) },
            fc.constantFrom(...ids),
            fc.webPath().map(path => path.slice(1)),
          ),
        ]),
      ),
    ),
    query: fc.oneof(
      { weight: query.length ? 2 : 8, arbitrary: fc.constant('') },
      fc.constantFrom(...queries),
      ...(query.length
        ? [
            {
              weight: 8,
              arbitrary: fc
                .array(
                  fc.tuple(
                    fc.constantFrom(
                      ...query.flatMap(({ name }) => [name, name, `${name}[]`, `${name}[$ne]`]),
                    ),
                    fc.oneof(fc.constantFrom(...asked), fc.webFragments()),
                  ),
                  { minLength: 1, maxLength: 4 },
                )
                .map(pairs => pairs.map(pair => pair.join('=')).join('&')),
            },
          ]
        : []),
    ),
    body: bodies.length ? fc.oneof(...bodies.map(validBody)) : fc.constant({}),
    isReal: fc.oneof({ weight: 4, arbitrary: fc.constant(true) }, fc.constant(false)),
    mutations: fc.oneof(
      { weight: 4, arbitrary: fc.array(mutation, { minLength: 1, maxLength: 3 }) },
      fc.constant<Mutation[]>([]),
    ),
    shape: fc.oneof(
      { weight: 12, arbitrary: fc.constant(null) },
      fc.constantFrom(...shapes),
      fc.string({ unit: 'binary' }),
      fc.json(),
    ),
    type: fc.oneof({ weight: 10, arbitrary: fc.constant('application/json') }, fc.constantFrom(...types)),
    token: fc.oneof({ weight: 10, arbitrary: fc.constant(null) }, fc.constantFrom(...tokens)),
    headers: fc.oneof(
      { weight: 5, arbitrary: fc.constant<[string, string][]>([]) },
      fc.array(fc.constantFrom(...headers), { maxLength: 2 }),
    ),
  })
