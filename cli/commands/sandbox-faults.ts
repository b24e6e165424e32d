import type { RecordId } from '@kiraya/sdk'
import { Message } from '@kiraya/sdk/contract/common'
import { NewSandboxFault, SandboxFault } from '@kiraya/sdk/contract/sandbox'
import { createSandbox } from '../runtime/sandbox'
import { createVerb, send, type Verbs } from '../runtime/verbs'

export const faultColumns = ['id', 'provider', 'on', 'behaviour', 'times', 'delay_ms', 'status', 'match']

/** The API's words are in lower case. */
const toWord = <Word extends string>(text: RecordId) => String(text).toLowerCase() as Word

export const faultVerbs: Verbs = {
  add: send({
    summary: 'Add a fault rule',
    records: ['provider', 'behaviour'],
    input: NewSandboxFault,
    words: {
      provider: { kind: undefined },
      behaviour: { kind: undefined },
      delay_ms: { kind: 'duration', alias: 'delay', description: 'such as 30s or 2h' },
      retry_after_s: { alias: 'retry-after' },
    },
    examples: [
      'kiraya sandbox fault add esign error --on create --times 3 --status 503',
      'kiraya sandbox fault add esign late --delay 2h --match 9876543210',
      'kiraya sandbox fault add ekyc fail',
    ],
    result: SandboxFault,
    connect: createSandbox,
    call: client => (provider, behaviour, input) =>
      client.addFault({ ...input, provider: toWord(provider), behaviour: toWord(behaviour) }),
  }),
  list: createVerb({ summary: 'List the fault rules' }, async context => {
    const client = await createSandbox(context)
    const { faults } = await client.state()
    context.show(faults, faultColumns)
  }),
  remove: send({
    summary: 'Remove a fault rule',
    records: ['fault'],
    result: Message,
    connect: createSandbox,
    call: client => id => client.removeFault(String(id)),
  }),
  clear: send({
    summary: 'Remove all fault rules',
    records: [],
    result: Message,
    connect: createSandbox,
    call: client => client.clearFaults,
  }),
}
