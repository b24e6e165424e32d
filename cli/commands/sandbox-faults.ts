import { Message } from '@kiraya/sdk/contract/common'
import { NewSandboxFault, SandboxFault } from '@kiraya/sdk/contract/sandbox'
import { parseDurationMs } from '../input/duration'
import { pickFlags, toFieldFlags } from '../input/flags'
import { submit } from '../input/values'
import type { Context } from '../runtime/context'
import { createSandbox } from '../runtime/sandbox'
import { createVerb, send, type Verbs } from '../runtime/verbs'

/** Provider and behaviour are arguments, and `--delay` takes a duration with its unit. */
type FaultOptions = Omit<NewSandboxFault, 'provider' | 'behaviour' | 'delay_ms'>

const fields = toFieldFlags(NewSandboxFault, { retry_after_s: { alias: 'retry-after' } })
const faultFields = pickFlags(fields, 'on', 'times', 'status', 'retry_after_s', 'match')

const behavioursHelp = [
  'for calls: error, timeout, slow, garbage, malformed, lost, link',
  'for webhooks: late, twice, forged, never',
  'for new requests: succeed, decline, fail-otp, expire, fail',
].join('; ')

export const faultColumns = ['id', 'provider', 'on', 'behaviour', 'times', 'delay_ms', 'status', 'match']

export const faultVerbs: Verbs = {
  add: command =>
    command
      .description('Add a fault rule')
      .argument('<provider>', 'esign, ekyc or messages')
      .argument('<behaviour>', behavioursHelp)
      .addFieldFlags(faultFields)
      .option('--delay <time>', 'delay, such as 30s or 2h', parseDurationMs)
      .addExamples(
        'kiraya sandbox fault add esign error --on create --times 3 --status 503',
        'kiraya sandbox fault add esign late --delay 2h --match 9876543210',
        'kiraya sandbox fault add ekyc fail',
      )
      .addResult(Object.keys(SandboxFault.properties))
      .run(addFault),
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

/** The API's words are in lower case. */
const toWord = <Word extends string>(word: Word) => word.toLowerCase() as Word

async function addFault(
  context: Context,
  provider: NewSandboxFault['provider'],
  behaviour: NewSandboxFault['behaviour'],
  options: { delay?: number },
) {
  const client = await createSandbox(context)
  const rule = { provider: toWord(provider), behaviour: toWord(behaviour), delay_ms: options.delay }
  const add = (input: FaultOptions) => client.addFault({ ...input, ...rule })
  context.show(await submit(context, faultFields, options, add))
}
