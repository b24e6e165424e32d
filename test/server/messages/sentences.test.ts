import { expect, test } from 'bun:test'
import { Type, type TSchema } from '@sinclair/typebox'
import { Password, PositiveId, text, Texts, type WarningCode } from '@kiraya/sdk/contract'
import {
  toWords,
  violations,
  wholeRequest,
  type NamedReason,
  type ViolatedRule,
  type Words,
} from '../../../server/messages'
import { errors, warnings } from '../../../server/messages/catalogue'
import { documentRules, toStatusRule } from '../../../server/messages/signing'
import { describeValue } from '../../../server/messages/violations'
import { toWarning, translateWarnings } from '../../../server/messages/warnings'
import { described, examples, furtherExamples } from './examples'

// RECORD=sentences writes what clients are told now, for you to read what changed.
const FILE = `${import.meta.dir}/sentences.txt`
const isRecording = process.env.RECORD === 'sentences'

/** A sentence in each language. */
const toLines = (name: string, [english, hindi]: Words) => [`${name}: ${english}`, `  ${hindi}`]

const rules: [ViolatedRule, TSchema][] = [
  ['max_length', text(255)],
  ['min_length', Password],
  ['max_items', Texts],
  ['min_items', Type.Array(PositiveId, { minItems: 1 })],
  ['unique_items', Texts],
  ['minimum', Type.Integer({ minimum: 1 })],
  ['maximum', Type.Integer({ maximum: 100 })],
  ['is_required', Type.Number()],
  ['wrong_value', Type.Number()],
  ['wrong_value', Type.Boolean()],
  ['wrong_value', Type.Integer({ minimum: 1, maximum: 31 })],
  ['wrong_value', Type.Object({})],
]

function toReasonLines(reason: NamedReason) {
  const given = [examples, furtherExamples] as Record<string, unknown>[]
  return given
    .flatMap(group => group[reason] ?? [])
    .flatMap(params => toLines(reason, toWords(reason, params as never)))
}

function toWarningWords(code: WarningCode): Words {
  const stored = { warnings: [toWarning(code)] }
  return [stored, translateWarnings(stored, 'hi')].map(result => result.warnings[0]!.message) as [
    string,
    string,
  ]
}

test('sentences that are put together are as they were read and recorded, in both languages', async () => {
  const schemas = [...described]
    .filter(([description]) => !description.startsWith('one of '))
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
  const sentences = [
    ...toLines('request', wholeRequest),
    ...rules.flatMap(([rule, schema]) => toLines(`rule ${rule}`, violations[rule](schema))),
    ...schemas.flatMap(([description, schema]) => [description, `  ${describeValue(schema)[1]}`]),
    ...[...Object.values(documentRules), toStatusRule(404)].flatMap(rule =>
      toLines('document_refused', toWords('document_refused', { rule })),
    ),
    ...Object.keys(errors).flatMap(reason => toReasonLines(reason as NamedReason)),
    ...Object.keys(warnings).flatMap(code => toLines(`warning ${code}`, toWarningWords(code as WarningCode))),
  ]
  const recorded = `${sentences.join('\n')}\n`
  if (isRecording) await Bun.write(FILE, recorded)
  expect(recorded).toBe(await Bun.file(FILE).text())
})
