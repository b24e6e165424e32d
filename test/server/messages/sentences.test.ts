import { expect, test } from 'bun:test'
import type { WarningCode } from '@kiraya/sdk/contract'
import { toRuleText, toText, type NamedReason, type Rule, type Text } from '../../../server/messages'
import { en } from '../../../server/messages/en'
import { describe } from '../../../server/messages/schema-words'
import { toWarning, translateWarnings, warnings } from '../../../server/messages/warnings'
import { described, examples, furtherExamples } from './examples'

// RECORD=sentences writes what clients are told now, for you to read what changed.
const FILE = `${import.meta.dir}/sentences.txt`
const isRecording = process.env.RECORD === 'sentences'

/** A sentence in each language. */
const toLines = (name: string, text: Text) => [`${name}: ${text('en')}`, `  ${text('hi')}`]

const rules: Rule[] = [
  { kind: 'request' },
  { kind: 'max_length', limit: 255 },
  { kind: 'min_length', limit: 8 },
  { kind: 'max_items', limit: 100 },
  { kind: 'min_items', limit: 1 },
  { kind: 'unique_items' },
  { kind: 'missing' },
  { kind: 'minimum', limit: 1 },
  { kind: 'maximum', limit: 100 },
  { kind: 'missing_value', schema: { type: 'number' } },
  { kind: 'value', schema: { type: 'number' } },
  { kind: 'value', schema: { anyOf: [{ type: 'string' }, { type: 'null' }] } },
  { kind: 'invalid' },
]

function toReasonLines(reason: NamedReason) {
  const given = [examples, furtherExamples] as Record<string, unknown>[]
  return given
    .flatMap(group => group[reason] ?? [])
    .flatMap(params => toLines(reason, toText(reason, params as never)))
}

function toWarningText(code: WarningCode): Text {
  return language => translateWarnings({ warnings: [toWarning(code)] }, language).warnings[0]!.message
}

const documentRules = [
  'A document must have an https address',
  'A document must lie at a public host',
  'A document must have at most 10 MiB',
  'A document must be a PDF',
  'The address of the document cannot be reached',
  'The address of the document cannot be reached: HTTP 500',
  'The address of the document leads through more than 5 redirects',
  'The address of the document answered 404',
  'The address of the document redirects to an invalid address',
]

test('sentences that are put together are as they were read and recorded, in both languages', async () => {
  const schemas = [...described]
    .filter(([text]) => !text.startsWith('one of '))
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
  const sentences = [
    ...rules.flatMap(rule => toLines(`rule ${rule.kind}`, toRuleText(rule))),
    ...schemas.flatMap(([text, schema]) => [text, `  ${describe(schema, 'hi')}`]),
    ...documentRules.flatMap(rule => toLines('document_refused', toText('document_refused', { rule }))),
    ...Object.keys(en).flatMap(reason => toReasonLines(reason as NamedReason)),
    ...Object.keys(warnings.en).flatMap(code =>
      toLines(`warning ${code}`, toWarningText(code as WarningCode)),
    ),
  ]
  const text = `${sentences.join('\n')}\n`
  if (isRecording) await Bun.write(FILE, text)
  expect(text).toBe(await Bun.file(FILE).text())
})
