import type { CheckOutcome, SandboxEkyc, SandboxMessageQuery, SigningOutcome } from '@kiraya/sdk'
import type { CliCommand } from '../runtime/command'
import type { Context } from '../runtime/context'
import { parseDurationMs } from '../input/duration'
import type { FieldFlags } from '../input/flags'
import { readQuery } from '../input/values'
import { createSandbox } from '../runtime/sandbox'
import { addFaultCommands, faultColumns } from './sandbox-faults'

const messageFields: FieldFlags<SandboxMessageQuery> = {
  phone: { kind: 'phone', description: 'only messages to this number' },
}

const signingCommands: Record<SigningOutcome, string> = {
  sign: 'Sign, as the signer does on the page',
  decline: 'Decline to sign',
  'fail-otp': 'Enter a wrong one-time password',
  expire: 'Let the request expire',
}

const checkCommands: Record<CheckOutcome, string> = {
  approve: 'Approve an identity check, as the person does on the page',
  fail: 'Fail an identity check',
}

export function addSandboxCommands(program: CliCommand) {
  const sandbox = program
    .command('sandbox')
    .description("The simulated providers; KIRAYA_SANDBOX_TOKEN is the server's SANDBOX_TOKEN, if it has one")
    .addExamples(
      'kiraya sandbox fault add esign never --times 2',
      'kiraya sandbox clock advance 4d',
      'kiraya sandbox sign http://localhost:3000/sandbox/sign/…',
    )
  addStateCommands(sandbox)
  addFaultCommands(sandbox)
  addClockCommands(sandbox)
  addEkycCommand(sandbox)
  addSigningCommands(sandbox)
  addCheckCommands(sandbox)
}

function addStateCommands(sandbox: CliCommand) {
  sandbox
    .command('state')
    .description('Show the clock, the fault rules, and what waits for a person')
    .run(showState)

  sandbox
    .command('messages')
    .description('List the newest messages')
    .addFieldFlags(messageFields)
    .addExamples('kiraya sandbox messages --phone 9876543210')
    .run(async (context, options: object) => {
      const query = await readQuery<SandboxMessageQuery>(context, messageFields, options)
      const client = await createSandbox(context)
      const messages = await client.messages(query)
      context.show(messages, ['sent_at', 'phone', 'otp', 'text'])
    })
}

async function showState(context: Context) {
  const client = await createSandbox(context)
  const state = await client.state()
  if (context.isJsonOutput) return context.show(state)
  context.show({ ...state.clock, ekyc: state.ekyc.mode, held_webhooks: state.held_webhooks })
  context.printNote('\nFault rules')
  context.show(state.faults, faultColumns)
  context.printNote('\nOpen signing requests')
  context.show(state.signatures, ['phone', 'name', 'status', 'error', 'url'])
  context.printNote('\nOpen identity checks')
  context.show(state.checks, ['status', 'url'])
}

function addClockCommands(sandbox: CliCommand) {
  const clock = sandbox
    .command('clock')
    .description(
      "The sandbox's clock; outside of production the whole server goes by it, the books and sessions too",
    )

  clock
    .command('advance')
    .description('Move the clock on')
    .argument('<time>', 'such as 30s, 2h or 4d', parseDurationMs)
    .addExamples('kiraya sandbox clock advance 4d')
    .run(async (context, advance_ms: number) => {
      const client = await createSandbox(context)
      const moved = await client.moveClock({ advance_ms })
      context.show(moved)
    })

  clock
    .command('set')
    .description('Set the clock')
    .argument('<timestamp>', 'such as 2027-01-01T09:00:00+05:30')
    .run(async (context, at: string) => {
      const client = await createSandbox(context)
      const moved = await client.moveClock({ at })
      context.show(moved)
    })

  clock
    .command('reset')
    .description("Set the clock back to the server's")
    .run(async context => {
      const client = await createSandbox(context)
      const moved = await client.moveClock({ reset: true })
      context.show(moved)
    })
}

function addEkycCommand(sandbox: CliCommand) {
  sandbox
    .command('ekyc')
    .description('Let identity checks succeed when they are completed (auto), or wait for a person (manual)')
    .argument('<mode>', 'auto or manual')
    .addExamples('kiraya sandbox ekyc manual')
    .run(async (context, mode: SandboxEkyc['mode']) => {
      const client = await createSandbox(context)
      const switched = await client.setEkyc({ mode })
      context.show(switched)
    })
}

function addSigningCommands(sandbox: CliCommand) {
  forEachOutcome(signingCommands, (outcome, description) => {
    sandbox
      .command(outcome)
      .description(description)
      .argument('<request>', 'signing address, or the id at its end')
      .addExamples(`kiraya sandbox ${outcome} http://localhost:3000/sandbox/sign/…`)
      .run(async (context, address: string) => {
        const client = await createSandbox(context)
        const signature = await client.sign(parseLastSegment(address), outcome)
        context.show(signature)
      })
  })
}

function addCheckCommands(sandbox: CliCommand) {
  forEachOutcome(checkCommands, (outcome, description) => {
    sandbox
      .command(`${outcome}-kyc`)
      .description(description)
      .argument('<check>', 'verification address, or the id at its end')
      .addExamples(`kiraya sandbox ${outcome}-kyc http://localhost:3000/sandbox/verify/…`)
      .run(async (context, address: string) => {
        const client = await createSandbox(context)
        const check = await client.check(parseLastSegment(address), outcome)
        context.show(check)
      })
  })
}

/** `for … in` over a type parameter keeps the type of the keys. */
function forEachOutcome<Outcome extends string>(
  descriptions: Record<Outcome, string>,
  add: (outcome: Outcome, description: string) => void,
) {
  for (const outcome in descriptions) add(outcome, descriptions[outcome])
}

/** Returns the last segment of an address; an id alone stays as it is. */
function parseLastSegment(address: string) {
  const path = address.replace(/[?#].*$/, '').replace(/\/+$/, '')
  return path.slice(path.lastIndexOf('/') + 1)
}
