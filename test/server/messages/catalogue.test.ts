import { describe, expect, test } from 'bun:test'
import { refuse } from '../../../server/faults'
import { toText, type NamedReason, type ParamsOf } from '../../../server/messages'
import { en } from '../../../server/messages/en'
import { results, translateResult } from '../../../server/messages/results'
import { describeValue } from '../../../server/messages/violations'
import { described, examples } from './examples'

const DEVANAGARI = /\p{Script=Devanagari}/u
const ENGLISH = /^[\x20-\x7e]+$/

/** Numbers, dates and words in capitals are the same in every language. */
const toFixedParts = (sentence: string) => (sentence.match(/\b[A-Z]+(_[A-Z]+)+\b|\d[\d-]*/g) ?? []).toSorted()

describe('each sentence', () => {
  test.each(Object.keys(en) as NamedReason[])('of %s is there in both languages', reason => {
    const params = (examples as Record<string, unknown>)[reason]
    const text = toText(reason, params as ParamsOf<typeof reason>)
    expect(text('en')).toMatch(ENGLISH)
    expect(text('hi')).toMatch(DEVANAGARI)
    expect(text('hi')).not.toContain('undefined')
    expect(toFixedParts(text('hi'))).toEqual(toFixedParts(text('en')))
  })

  test.each(Object.values(results))('of a result is there in both languages: %s', message => {
    expect(message).toMatch(ENGLISH)
    expect(translateResult({ message }, 'hi').message).toMatch(DEVANAGARI)
  })

  test('of different results are different in Hindi too', () => {
    const hindi = Object.values(results).map(message => translateResult({ message }, 'hi').message)
    expect(hindi.filter((sentence, index) => hindi.indexOf(sentence) !== index)).toEqual([])
  })

  test('of a fault is English in the log', () => {
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
    const hindi = describeValue(schema, 'hi')
    expect(hindi).toMatch(DEVANAGARI)
    expect(hindi).not.toMatch(/\b(of|at least|at most|more|than|with|from|to|an?)\b/)
  })
})
