import { InvalidArgumentError, type Command } from 'commander'
import type { CheckOutcome, NewSandboxFault, SigningOutcome } from '@kiraya/sdk'
import type { AddAction, Context } from '../context'
import { toRequestBody, addFieldFlags, type Fields } from '../field-flags'

const fields: Fields = {
  on: {
    kind: 'text',
    about: 'which call: create, upload, status, cancel, pdf or webhook; any that it fits by default',
  },
  times: { kind: 'integer', about: 'how often; once by default' },
  status: { kind: 'integer', about: 'the HTTP status of an error; 500 by default' },
  retry_after_s: { kind: 'integer', as: 'retry-after', about: 'seconds that an error asks to wait' },
  match: { kind: 'text', about: 'only for this phone number, document or request' },
}
const columns = ['id', 'provider', 'on', 'behaviour', 'times', 'delay_ms', 'status', 'match']
const unitMs: Record<string, number> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 }

const duration = (text: string) => {
  const [, number, unit] = /^(-?\d+(?:\.\d+)?)(ms|s|m|h|d)$/.exec(text) ?? []
  if (!number) throw new InvalidArgumentError('must be a time such as 500ms, 30s, 15m, 2h or 4d')
  return Math.round(Number(number) * unitMs[unit!]!)
}
/** The last part of an address, or the id that it is. */
const idOf = (given: string) =>
  given
    .replace(/[?#].*$/, '')
    .replace(/\/+$/, '')
    .split('/')
    .pop()!

const sandboxOf = async ({ baseUrl, io }: Context) => {
  const { createSandboxClient } = await import('@kiraya/sdk/sandbox')
  return createSandboxClient({ baseUrl, token: io.env.KIRAYA_SANDBOX_TOKEN })
}

export const addSandboxCommands = (program: Command, act: AddAction) => {
  const noun = program
    .command('sandbox')
    .description(
      "The stand-in for the providers; KIRAYA_SANDBOX_TOKEN holds the server's SANDBOX_TOKEN, where it has one",
    )
    .addHelpText(
      'after',
      '\nExamples:\n  kiraya sandbox fault add esign never --times 2\n  kiraya sandbox clock advance 4d\n  kiraya sandbox sign http://localhost:3000/sandbox/sign/…',
    )
  act(
    noun.command('state').description('Its clock, what is to go wrong, and what waits for a person'),
    async context => {
      const { clock, faults, held_webhooks, signatures, checks } = await (await sandboxOf(context)).state()
      if (context.isJsonOutput) return context.show({ clock, faults, held_webhooks, signatures, checks })
      context.show({ ...clock, held_webhooks })
      context.printNote('\nNext calls')
      context.show(faults, columns)
      context.printNote('\nOpen signing requests')
      context.show(signatures, ['phone', 'name', 'status', 'error', 'url'])
      context.printNote('\nOpen identity checks')
      context.show(checks, ['status', 'url'])
    },
  )
  act(
    noun
      .command('messages')
      .description('The newest messages')
      .option('--phone <number>', 'those to this number')
      .addHelpText('after', '\nExample:\n  kiraya sandbox messages --phone 9876543210'),
    async (context, options: { phone?: string }) =>
      context.show(await (await sandboxOf(context)).messages(options), ['sent_at', 'phone', 'otp', 'text']),
  )

  const fault = noun.command('fault').description('What goes differently at the next calls and webhooks')
  act(
    addFieldFlags(
      fault
        .command('add')
        .description('Let the next calls or webhooks go differently')
        .argument('<provider>', 'esign, ekyc or messages')
        .argument(
          '<behaviour>',
          'error, timeout, slow, garbage, malformed, lost, link; of a webhook late, twice, shuffled, forged, never; of what is created succeed, decline, fail-otp, expire, fail',
        ),
      fields,
    )
      .option('--delay <time>', 'how late, such as 30s or 2h', duration)
      .addHelpText(
        'after',
        '\nExamples:\n  kiraya sandbox fault add esign error --on create --times 3 --status 503\n  kiraya sandbox fault add esign late --delay 2h --match 9876543210\n  kiraya sandbox fault add ekyc fail',
      ),
    async (context, provider: string, behaviour: string, options: { delay?: number }) =>
      context.show(
        await (
          await sandboxOf(context)
        ).addFault({
          ...toRequestBody<object>(fields, { ...options }),
          provider,
          behaviour,
          delay_ms: options.delay,
        } as NewSandboxFault),
      ),
  )
  act(fault.command('list').description('What is still to come to pass'), async context =>
    context.show((await (await sandboxOf(context)).state()).faults, columns),
  )
  act(
    fault.command('remove').description('Take one back').argument('<fault>', 'its id'),
    async (context, id: string) => context.show(await (await sandboxOf(context)).removeFault(id)),
  )
  act(fault.command('clear').description('Let all go well again'), async context =>
    context.show(await (await sandboxOf(context)).clearFaults()),
  )

  const clock = noun.command('clock').description('The clock of the sandbox; that of the server stays')
  act(
    clock
      .command('advance')
      .description('Move it on')
      .argument('<time>', 'such as 30s, 2h or 4d', duration)
      .addHelpText('after', '\nExample:\n  kiraya sandbox clock advance 4d'),
    async (context, advance_ms: number) =>
      context.show(await (await sandboxOf(context)).moveClock({ advance_ms })),
  )
  act(
    clock.command('set').description('Set it').argument('<moment>', 'such as 2027-01-01T09:00:00+05:30'),
    async (context, at: string) => context.show(await (await sandboxOf(context)).moveClock({ at })),
  )
  act(clock.command('reset').description("Back to the server's"), async context =>
    context.show(await (await sandboxOf(context)).moveClock({ reset: true })),
  )

  const signing: Record<SigningOutcome, string> = {
    sign: 'Sign, as the signer does on the page',
    decline: 'Decline to sign',
    'fail-otp': 'Fail the one-time password',
    expire: 'Let the time to sign run out',
  }
  for (const [outcome, about] of Object.entries(signing) as [SigningOutcome, string][]) {
    act(
      noun
        .command(outcome)
        .description(about)
        .argument('<request>', 'the signing address, or the id at its end')
        .addHelpText('after', `\nExample:\n  kiraya sandbox ${outcome} http://localhost:3000/sandbox/sign/…`),
      async (context, request: string) =>
        context.show(await (await sandboxOf(context)).sign(idOf(request), outcome)),
    )
  }
  const checking: Record<CheckOutcome, string> = {
    approve: 'Approve an identity check, as the person does on the page',
    fail: 'Fail an identity check',
  }
  for (const [outcome, about] of Object.entries(checking) as [CheckOutcome, string][]) {
    act(
      noun
        .command(`${outcome}-kyc`)
        .description(about)
        .argument('<check>', 'the verification address, or the id at its end')
        .addHelpText(
          'after',
          `\nExample:\n  kiraya sandbox ${outcome}-kyc http://localhost:3000/sandbox/verify/…`,
        ),
      async (context, check: string) =>
        context.show(await (await sandboxOf(context)).check(idOf(check), outcome)),
    )
  }
}
