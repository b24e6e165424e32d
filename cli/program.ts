import { Command, CommanderError } from 'commander'
import type { KirayaError } from '@kiraya/sdk'
import { addAgreementCommands } from './commands/agreement'
import { addOperationsCommands } from './commands/operations'
import { addProfileCommands } from './commands/profile'
import { addPropertyCommands } from './commands/property'
import { addSandboxCommands } from './commands/sandbox'
import { addAuthCommands } from './commands/auth'
import { addSmokeCommand } from './commands/smoke'
import { addTenantCommands } from './commands/tenant'
import { addUnitCommands } from './commands/unit'
import { createContext, UsageError, type AddAction } from './context'
import { MissingFlagsError } from './field-flags'
import { sanitizeText, type Terminal } from './terminal'

/** Runs one command line and returns the exit code. */
export async function runCli(args: string[], io: Terminal): Promise<number> {
  const program = new Command('kiraya')
    .description('Rental management for landlords in India')
    .option('--url <address>', 'the server (KIRAYA_URL; http://localhost:3000)')
    .option('--json', 'the data of the answer and nothing else')
    .option('--profile <name>', 'which of several stored sign-ins', 'default')
    .showHelpAfterError('(add --help for the flags)')
    .configureHelp({ showGlobalOptions: true })
    .configureOutput({ writeOut: text => io.out(text.trimEnd()), writeErr: text => io.err(text.trimEnd()) })
    .addHelpText('after', examples)
    .exitOverride()
  const act: AddAction = (command, work) =>
    command.action(async (...parsed) => work(createContext(io, program.opts()), ...parsed))
  for (const noun of [
    addAuthCommands,
    addProfileCommands,
    addPropertyCommands,
    addUnitCommands,
    addTenantCommands,
    addAgreementCommands,
    addSmokeCommand,
    addOperationsCommands,
    addSandboxCommands,
  ])
    noun(program, act)
  for (const command of everyCommand(program))
    command
      .exitOverride()
      .configureOutput({ writeOut: text => io.out(text.trimEnd()), writeErr: text => io.err(text.trimEnd()) })
  try {
    await program.parseAsync(args, { from: 'user' })
    return 0
  } catch (error) {
    return failed(error, io)
  }
}

const everyCommand = (command: Command): Command[] =>
  command.commands.flatMap(child => [child, ...everyCommand(child)])

const examples = `
Examples:
  kiraya onboard --phone 9876543210
  kiraya property create --pin-code 560048 --property-type apartment --alias-name "White House"
  kiraya agreement list --status ACTIVE --json
  kiraya smoke

Exit codes: 0 ok, 1 failure, 2 usage, 4 not signed in, 5 not found, 6 invalid, 7 refused, 8 unreachable`

/** An exit code for each kind of failure, and what to do next. */
const outcomes: Record<KirayaError['code'], { exit: number; next?: string }> = {
  UNAUTHORIZED: { exit: 4, next: 'Sign in: kiraya login --phone <number>' },
  NOT_FOUND: { exit: 5, next: 'Look the id up with the list command' },
  VALIDATION_ERROR: { exit: 6, next: 'Correct the input and try again' },
  BAD_REQUEST: { exit: 6 },
  FORBIDDEN: { exit: 7 },
  NETWORK_ERROR: { exit: 8, next: 'Is the server running? --url or KIRAYA_URL says where it is' },
  TIMEOUT: { exit: 8, next: 'Try again; --url or KIRAYA_URL says where the server is' },
  SERVICE_UNAVAILABLE: { exit: 8, next: 'Try again in a while' },
  TOO_MANY_REQUESTS: { exit: 1 },
  INTERNAL_SERVER_ERROR: { exit: 1, next: 'Tell the operator the request id' },
}

function failed(error: unknown, io: Terminal): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2 // commander has said it already
  if (error instanceof UsageError || error instanceof MissingFlagsError) {
    io.err(error.message)
    return 2
  }
  if (isKirayaError(error)) {
    const { exit, next } = outcomes[error.code]
    const why = [error.code, error.requestId && `request ${error.requestId}`].filter(Boolean).join(', ')
    io.err(sanitizeText(`${error.message} (${why})`))
    const advice = error.retryAfter !== undefined && exit === 1 ? `Wait ${error.retryAfter} seconds` : next
    if (advice) io.err(advice)
    return exit
  }
  io.err(sanitizeText(error instanceof Error ? error.message : String(error)))
  return 1
}

/** Told by its code, so that the SDK need not be loaded to print a help text. */
const isKirayaError = (error: unknown): error is KirayaError =>
  error instanceof Error && 'code' in error && String(error.code) in outcomes
