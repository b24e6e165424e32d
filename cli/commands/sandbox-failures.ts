import type { RecordId } from '@kiraya/sdk'
import { Message } from '@kiraya/sdk/contract/common'
import { NewSandboxFailure, SandboxFailure } from '@kiraya/sdk/contract/sandbox'
import { createSandbox } from '../runtime/sandbox'
import { createVerb, send, type Verbs } from '../runtime/verbs'

export const failureColumns = ['id', 'provider', 'on', 'behaviour', 'times', 'delay_ms', 'status', 'match']

/** The API's words are in lower case. */
const toWord = <Word extends string>(text: RecordId) => String(text).toLowerCase() as Word

export const failureVerbs: Verbs = {
  add: send({
    summary: 'Add a simulated failure',
    records: ['provider', 'behaviour'],
    input: NewSandboxFailure,
    words: {
      provider: { kind: undefined },
      behaviour: { kind: undefined },
      delay_ms: { kind: 'duration', alias: 'delay', description: 'such as 30s or 2h' },
      retry_after_s: { alias: 'retry-after' },
    },
    examples: [
      'kiraya sandbox failure add esign error --on create --times 3 --status 503',
      'kiraya sandbox failure add esign late --delay 2h --match 9876543210',
      'kiraya sandbox failure add ekyc fail',
    ],
    result: SandboxFailure,
    connect: createSandbox,
    call: client => (provider, behaviour, input) =>
      client.addFailure({ ...input, provider: toWord(provider), behaviour: toWord(behaviour) }),
  }),
  list: createVerb({ summary: 'List the simulated failures' }, async context => {
    const client = await createSandbox(context)
    const { failures } = await client.state()
    context.show(failures, failureColumns)
  }),
  remove: send({
    summary: 'Remove a simulated failure',
    records: ['failure'],
    result: Message,
    connect: createSandbox,
    call: client => id => client.removeFailure(String(id)),
  }),
  clear: send({
    summary: 'Remove all simulated failures',
    result: Message,
    connect: createSandbox,
    call: client => client.clearFailures,
  }),
}
