import { describe, expect, test } from 'bun:test'
import type { TSchema } from '@sinclair/typebox'
import { createApp } from '../../../server/app'
import { refuse } from '../../../server/errors'
import { toWords, type NamedReason, type ParamsOf } from '../../../server/messages'
import { errors } from '../../../server/messages/catalogue'
import { labelledNames, toLabel } from '../../../server/messages/labels'
import { results, translateResult } from '../../../server/messages/results'
import { describeValue } from '../../../server/messages/violations'
import { testServer } from '../../support/server'
import { described, examples } from './examples'

const DEVANAGARI = /\p{Script=Devanagari}/u
const ENGLISH = /^[\x20-\x7e]+$/

/** Numbers, dates and words in capitals are the same in every language. */
const toFixedParts = (sentence: string) => (sentence.match(/\b[A-Z]+(_[A-Z]+)+\b|\d[\d-]*/g) ?? []).toSorted()

describe('each sentence', () => {
  test.each(Object.keys(errors) as NamedReason[])('of %s is there in both languages', reason => {
    const params = (examples as Record<string, unknown>)[reason]
    const [english, hindi] = toWords(reason, params as ParamsOf<typeof reason>)
    expect(english).toMatch(ENGLISH)
    expect(hindi).toMatch(DEVANAGARI)
    expect(hindi).not.toContain('undefined')
    expect(toFixedParts(hindi)).toEqual(toFixedParts(english))
  })

  test.each(Object.values(results))('of a result is there in both languages: %s', message => {
    expect(message).toMatch(ENGLISH)
    expect(translateResult({ message }, 'hi').message).toMatch(DEVANAGARI)
  })

  test('of different results are different in Hindi too', () => {
    const hindi = Object.values(results).map(message => translateResult({ message }, 'hi').message)
    expect(hindi.filter((sentence, index) => hindi.indexOf(sentence) !== index)).toEqual([])
  })

  test('of an error is English in the log', () => {
    expect(refuse('provider_unreachable', { provider: 'eKYC' }).message).toBe(
      'The eKYC provider cannot be reached',
    )
  })
})

describe('the descriptions of the contract', () => {
  test('are found', () => {
    expect(described.size).toBeGreaterThan(30)
  })

  // A name or a value of the API is no sentence.
  test.each([...described].filter(([text]) => !['true', 'a UUID'].includes(text)))('%s', (_, schema) => {
    const [, hindi] = describeValue(schema)
    expect(hindi).toMatch(DEVANAGARI)
    expect(hindi).not.toMatch(/\b(of|at least|at most|more|than|with|from|to|an?)\b/)
  })
})

const server = testServer()

test('the values of all inputs are worded in both languages', () => {
  const inputs = createApp(server.deps).routes.flatMap(({ hooks }) => [hooks.body, hooks.query])
  const values = inputs.flatMap(listValues)
  expect(values.length).toBeGreaterThan(300)
  for (const value of values) {
    const [english, hindi] = describeValue(value)
    expect([value, english]).toEqual([value, expect.stringMatching(ENGLISH)])
    expect([value, hindi]).toEqual([value, expect.not.stringContaining('undefined')])
  }
})

test('each field of an input has a label in both languages, and no label is of none', () => {
  const inputs = createApp(server.deps).routes.flatMap(({ hooks }) => [hooks.body, hooks.query])
  const names = new Set(inputs.flatMap(listValues).flatMap(({ properties = {} }) => Object.keys(properties)))
  expect(labelledNames.toSorted()).toEqual([...names].toSorted())
  for (const name of names) {
    const [english, hindi] = toLabel(name)
    expect(english).toMatch(/^[A-Z][A-Za-z -]*$/)
    expect(hindi).toMatch(/^\p{Script=Devanagari}[\p{Script=Devanagari} ()]*$/u)
  }
})

test.each([
  ['', 'The request', 'अनुरोध'],
  ['property_units.0.unit_name', 'Unit name', 'यूनिट का नाम'],
  ['tenant_ids.1', 'Tenants', 'किरायेदार'],
  ['template_variables.Car number', 'Car number', 'Car number'],
  ['tds_certificate_number', 'TDS certificate number', 'टीडीएस प्रमाणपत्र नंबर'],
])('the label of %j is %s', (property, english, hindi) => {
  expect(toLabel(property)).toEqual([english, hindi])
})

/** A schema and those within it; of a nullable one only the other type is refused. */
function listValues(schema: TSchema | undefined): TSchema[] {
  if (!schema) return []
  const { anyOf, items, patternProperties, properties } = schema
  if (anyOf?.[1]?.type === 'null') return listValues(anyOf[0])
  const inner: TSchema[] = [items, ...Object.values({ ...properties, ...patternProperties })]
  return [schema, ...inner.flatMap(listValues)]
}
