import type { TSchema } from '@sinclair/typebox'
import { Errors } from '@sinclair/typebox/errors'
import type { ErrorReason } from '@kiraya/sdk/contract'
import { Fault, refuse } from '../../faults'
import { toText, type NamedReason } from '../../messages'
import { en } from '../../messages/en'
import { dialects } from '../dialect'
import { invalidInput } from '../violations'
import { getReasons } from './operation-reasons'
import type { InForms } from './schemas'

type Input = { body?: TSchema; query?: TSchema }

const unfinished = { status: 'NEEDS_VERIFICATION' }

/** Errors whose sentence depends on something, for operations that have no other of their status. */
const FAULTS = [
  refuse('body_too_large', { max_bytes: 64 * 1024 }),
  refuse('not_unit_landlord', { to: 'delete' }),
  refuse('onboarding_unfinished', unfinished, { details: unfinished }),
  refuse('wrong_status', { status: 'COMPLETED', to_be: 'changed' }),
]

/** An error as the operation answers it, in both forms. */
export function createErrorExample(operation: string, status: number, input: Input): InForms<unknown> {
  const inputFault = status === 400 ? createInputFault(input) : undefined
  const fault = inputFault ?? createFault(getReasons(operation, status))
  return {
    envelope: withoutUndefined(dialects.b.encodeFault(fault, 'en')),
    plain: dialects.a.encodeFault(fault, 'en'),
  }
}

/** The first fault whose sentence depends on nothing, if there is one. */
function createFault(reasons: ErrorReason[]) {
  const sentences: Partial<Record<ErrorReason, unknown>> = en
  const plain = reasons.find(reason => typeof sentences[reason] === 'string')
  if (plain) return new Fault(plain, toText(plain as NamedReason, undefined))
  const fault = FAULTS.find(({ reason }) => reasons.includes(reason))
  if (!fault) throw new Error(`No example of ${reasons.join(', ')}`)
  return fault
}

/** What a body without its first field is told, or a query with a wrong value. */
function createInputFault({ body, query }: Input) {
  const [required] = (body?.required ?? query?.required ?? []) as string[]
  const schema = body ?? query
  if (schema && required) return explain(schema, {}, required)
  const [optional] = Object.keys(schema?.properties ?? {})
  if (schema && optional) return explain(schema, { [optional]: {} }, optional)
  return undefined
}

function explain(schema: TSchema, value: unknown, field: string) {
  const errors = Errors(schema, [], value)
  return invalidInput(Iterator.from(errors).filter(({ path }) => path === `/${field}`))
}

const withoutUndefined = (value: object): unknown => JSON.parse(JSON.stringify(value))
