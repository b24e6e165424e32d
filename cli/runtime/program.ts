import type { KirayaError } from '@kiraya/sdk'
import { Option, type Command } from 'commander'
import { addNouns } from '../commands'
import { version } from '../package.json'
import { advise } from './advice'
import { CliCommand } from './command'
import { getCommandName, type GlobalOptions } from './context'
import { readCredentials } from './credentials'
import { exitCodesHelp } from './errors'
import { reportError } from './report'
import type { Terminal } from './terminal'

export async function runCli(args: string[], terminal: Terminal): Promise<number> {
  const isJson = args.some(arg => /^--(json|query)(=|$)/.test(arg))
  const program = await createProgram(terminal, isJson, args)
  try {
    await program.parseAsync(markFlagsWithoutFields(program, args), { from: 'user' })
    return 0
  } catch (error) {
    const { profile, url } = program.opts<GlobalOptions>()
    adviseOnProfile(error, profile ?? terminal.env.KIRAYA_PROFILE, terminal)
    return reportError(error, terminal, isJson, getCommandName(terminal.env, { profile, url }))
  }
}

/** A name that was mistyped has no sign-in. */
function adviseOnProfile(error: unknown, profile: string | undefined, { env }: Terminal) {
  if (!profile || (error as KirayaError).reason !== 'sign_in_required') return
  if (!readCredentials(env)[profile])
    advise(
      error as KirayaError,
      `No sign-in is stored as ${profile}; "profile list" shows those that are. Sign in: {command} login --phone <number>`,
    )
}

const FIELD_LIST = /^[a-z]\w*(,[a-z]\w*)*$/i

const FLAGS_WITH_VALUE = new Set(['--url', '--profile', '--query', '--language'])

/** `--json` may stand alone: what follows belongs to it only after a whole command, and if it names fields. */
function markFlagsWithoutFields(program: CliCommand, args: string[]) {
  if (args[0] === 'complete') return args
  let command: Command = program
  return args.map((arg, index) => {
    const isValue = FLAGS_WITH_VALUE.has(args[index - 1] ?? '')
    const child = isValue ? undefined : command.commands.find(one => one.name() === arg)
    command = child ?? command
    const hasFields = command.commands.length === 0 && FIELD_LIST.test(args[index + 1] ?? '')
    return arg === '--json' && !hasFields ? '--json=' : arg
  })
}

/** Describes the commands, of a command line those that it names. `isJson` keeps commander's own messages from stderr. */
export async function createProgram(terminal: Terminal, isJson: boolean, words?: string[]) {
  const program = new CliCommand('kiraya', terminal)
    .description('Rental management for landlords in India')
    .version(version)
    .option('--url <address>', 'address of the server (KIRAYA_URL; default http://localhost:3000)')
    .option('--profile <name>', 'name of the stored sign-in (KIRAYA_PROFILE; see "profile use")')
    .addOption(
      new Option('--language <code>', "language of the server's messages")
        .choices(['en', 'hi'])
        .default('en'),
    )
    .option('--json [fields]', 'print only the data, as JSON; a list such as id,status chooses fields')
    .option('--query <expression>', 'print what a JMESPath expression selects from the data')
    .option('--dry-run', 'show the request that would change something, and do not send it')
    .option('--verbose', 'report each request on stderr, with its id and its time')
    .showHelpAfterError('(add --help for the flags)')
    .configureHelp({ showGlobalOptions: true })
    .configureOutput({
      getOutHelpWidth: () => terminal.columns,
      getErrHelpWidth: () => terminal.columns,
      writeOut: text => terminal.out(text.trimEnd()),
      writeErr: text => isJson || terminal.err(text.trimEnd()),
    })
    .addExamples(
      'kiraya onboard --phone 9876543210',
      'kiraya property create --pin-code 560048 --property-type apartment --alias-name "White House"',
      'kiraya agreement list --status active --json agreement_number,status',
      'kiraya smoke',
    )
    .addHelpText('after', `\n${exitCodesHelp}`)
    .exitOverride()
  await addNouns(program, words)
  // After the commands have taken over the settings: here their names suffice, and their own help has the rest.
  return program.configureHelp({ showGlobalOptions: true, subcommandTerm: command => command.name() })
}
