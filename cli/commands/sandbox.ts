import type { SandboxClockChange, SandboxState, SigningOutcome, CheckOutcome } from '@kiraya/sdk'
import {
  SandboxCheck,
  SandboxClock,
  SandboxEkyc,
  SandboxMessageQuery,
  SandboxSignature,
} from '@kiraya/sdk/contract/sandbox'
import { parseDurationMs } from '../input/duration'
import type { Context } from '../runtime/context'
import { createSandbox } from '../runtime/sandbox'
import { addVerbs, read, send, type Verb, type Verbs } from '../runtime/verbs'
import { failureColumns, failureVerbs } from './sandbox-failures'

/** Does what the signer does on the page. */
const pressForSigner = (outcome: SigningOutcome, summary: string) =>
  send({
    summary,
    records: ['request'],
    examples: [`kiraya sandbox ${outcome} http://localhost:3000/sandbox/sign/…`],
    result: SandboxSignature,
    connect: createSandbox,
    call: client => address => client.sign(parseLastSegment(String(address)), outcome),
  })

const pressForCheck = (outcome: CheckOutcome, summary: string) =>
  send({
    summary,
    records: ['check'],
    examples: [`kiraya sandbox ${outcome}-kyc http://localhost:3000/sandbox/verify/…`],
    result: SandboxCheck,
    connect: createSandbox,
    call: client => address => client.check(parseLastSegment(String(address)), outcome),
  })

const clockVerbs: Verbs = {
  advance: command =>
    command
      .description('Move the clock on')
      .argument('<time>', 'such as 30s, 2h or 4d', parseDurationMs)
      .addExamples('kiraya sandbox clock advance 4d')
      .run((context, advance_ms: number) => moveClock(context, { advance_ms })),
  set: command =>
    command
      .description('Set the clock')
      .argument('<timestamp>', 'such as 2027-01-01T09:00:00+05:30')
      .run((context, at: string) => moveClock(context, { at })),
  reset: send({
    summary: "Set the clock back to the server's",
    result: SandboxClock,
    connect: createSandbox,
    call: client => () => client.moveClock({ reset: true }),
  }),
}

const verbs: Verbs = {
  state: read({
    summary: 'Show the clock, the simulated failures, and what waits for a person',
    connect: createSandbox,
    call: client => client.state,
    show: showState,
  }),
  messages: read({
    summary: 'List the newest messages',
    input: SandboxMessageQuery,
    words: { phone: { kind: 'phone', description: 'only messages to this number' } },
    examples: ['kiraya sandbox messages --phone 9876543210'],
    connect: createSandbox,
    call: client => client.messages,
    show: (context, messages) => context.show(messages, ['sent_at', 'phone', 'otp', 'text']),
  }),
  failure: command => addVerbs(command.description('Failures of the next calls and webhooks'), failureVerbs),
  clock: command => {
    command.description(
      "The sandbox's clock; outside of production the whole server goes by it, the books and sessions too",
    )
    addVerbs(command, clockVerbs)
  },
  ekyc: send({
    summary: 'Let identity checks succeed when they are completed (auto), or wait for a person (manual)',
    records: ['mode'],
    examples: ['kiraya sandbox ekyc manual'],
    result: SandboxEkyc,
    connect: createSandbox,
    call: client => mode => client.setEkyc({ mode: mode as SandboxEkyc['mode'] }),
  }),
  sign: pressForSigner('sign', 'Sign, as the signer does on the page'),
  decline: pressForSigner('decline', 'Decline to sign'),
  'fail-otp': pressForSigner('fail-otp', 'Enter a wrong one-time password'),
  expire: pressForSigner('expire', 'Let the request expire'),
  'approve-kyc': pressForCheck('approve', 'Approve an identity check, as the person does on the page'),
  'fail-kyc': pressForCheck('fail', 'Fail an identity check'),
}

export const verb: Verb = command => {
  command.addExamples(
    'kiraya sandbox failure add esign never --times 2',
    'kiraya sandbox clock advance 4d',
    'kiraya sandbox sign http://localhost:3000/sandbox/sign/…',
  )
  addVerbs(command, verbs)
}

function showState(
  context: Context,
  { clock, ekyc, held_webhooks, failures, signatures, checks }: SandboxState,
) {
  context.show({ ...clock, ekyc: ekyc.mode, held_webhooks })
  context.printNote('\nSimulated failures')
  context.show(failures, failureColumns)
  context.printNote('\nOpen signing requests')
  context.show(signatures, ['phone', 'name', 'status', 'error', 'url'])
  context.printNote('\nOpen identity checks')
  context.show(checks, ['status', 'url'])
}

async function moveClock(context: Context, change: SandboxClockChange) {
  const client = await createSandbox(context)
  context.show(await client.moveClock(change))
}

/** Returns the last segment of an address; an id alone stays as it is. */
function parseLastSegment(address: string) {
  const path = address.replace(/[?#].*$/, '').replace(/\/+$/, '')
  return path.slice(path.lastIndexOf('/') + 1)
}
