import type { NewSandboxFault, SandboxFault } from '@kiraya/sdk'
import type { CliCommand } from '../runtime/command'
import type { Context } from '../runtime/context'
import { parseDurationMs } from '../input/duration'
import type { FieldFlags } from '../input/flags'
import { submit } from '../input/values'
import { faultResultFields, messageResultFields } from '../output/result-fields'
import { createSandbox } from '../runtime/sandbox'

/** Provider and behaviour are arguments, and `--delay` takes a duration with its unit. */
type FaultOptions = Omit<NewSandboxFault, 'provider' | 'behaviour' | 'delay_ms'>

const faultFields: FieldFlags<FaultOptions> = {
  on: {
    kind: 'choice',
    description: 'call; default: any to which it applies;',
    choices: ['any', 'create', 'upload', 'status', 'cancel', 'pdf', 'webhook'],
  },
  times: { kind: 'integer', description: 'how often; default: 1' },
  status: { kind: 'integer', description: 'HTTP status of an error; default: 500' },
  retry_after_s: {
    kind: 'integer',
    alias: 'retry-after',
    description: 'seconds in the Retry-After header of an error',
  },
  match: { kind: 'text', description: 'only for this phone number, document or request' },
}

const behavioursHelp = [
  'for calls: error, timeout, slow, garbage, malformed, lost, link',
  'for webhooks: late, twice, forged, never',
  'for new requests: succeed, decline, fail-otp, expire, fail',
].join('; ')

export const faultColumns = ['id', 'provider', 'on', 'behaviour', 'times', 'delay_ms', 'status', 'match']

export function addFaultCommands(sandbox: CliCommand) {
  const fault = sandbox.command('fault').description('Rules that make the next calls and webhooks fail')

  fault
    .command('add')
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
    .addResult(faultResultFields)
    .run(addFault)

  fault
    .command('list')
    .description('List the fault rules')
    .run(async context => {
      const client = await createSandbox(context)
      const { faults } = await client.state()
      context.show(faults, faultColumns)
    })

  fault
    .command('remove')
    .description('Remove a fault rule')
    .argument('<fault>', 'its id')
    .addResult(messageResultFields)
    .run(async (context, id: string) => {
      const client = await createSandbox(context)
      const response = await client.removeFault(id)
      context.show(response)
    })

  fault
    .command('clear')
    .description('Remove all fault rules')
    .addResult(messageResultFields)
    .run(async context => {
      const client = await createSandbox(context)
      const response = await client.clearFaults()
      context.show(response)
    })
}

/** The API's words are in lower case. */
const toWord = <Word extends string>(word: Word) => word.toLowerCase() as Word

type Provider = NewSandboxFault['provider']
type Behaviour = NewSandboxFault['behaviour']

async function addFault(
  context: Context,
  provider: Provider,
  behaviour: Behaviour,
  options: { delay?: number },
) {
  const client = await createSandbox(context)
  const delay_ms = options.delay
  const fault = await submit<FaultOptions, SandboxFault>(context, faultFields, options, input =>
    client.addFault({ ...input, provider: toWord(provider), behaviour: toWord(behaviour), delay_ms }),
  )
  context.show(fault)
}
