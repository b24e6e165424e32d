import { CliCommand } from './command'
import { addAgreementCommands } from './commands/agreement'
import { addAuthCommands } from './commands/auth'
import { addDashboardCommand } from './commands/dashboard'
import { addExportCommands } from './commands/export'
import { addImportCommands } from './commands/import'
import { addKycCommands } from './commands/kyc'
import { addOnboardCommand } from './commands/onboard'
import { addOperationsCommands } from './commands/operations'
import { addProfileCommands } from './commands/profile'
import { addPropertyCommands } from './commands/property'
import { addSandboxCommands } from './commands/sandbox'
import { addSeedCommand } from './commands/seed'
import { addSmokeCommand } from './commands/smoke'
import { addTenantCommands } from './commands/tenant'
import { addUnitCommands } from './commands/unit'
import { exitCodesHelp, reportError } from './exit-codes'
import type { Terminal } from './terminal'

/** Runs one command line and returns the exit code. */
export async function runCli(args: string[], terminal: Terminal): Promise<number> {
  const program = createProgram(terminal)
  try {
    await program.parseAsync(args, { from: 'user' })
    return 0
  } catch (error) {
    return reportError(error, terminal)
  }
}

function createProgram(terminal: Terminal) {
  const program = new CliCommand('kiraya', terminal)
    .description('Rental management for landlords in India')
    .option('--url <address>', 'address of the server (KIRAYA_URL; default http://localhost:3000)')
    .option('--json', 'print only the data, as JSON')
    .option('--profile <name>', 'name of the stored sign-in', 'default')
    .showHelpAfterError('(add --help for the flags)')
    .configureHelp({ showGlobalOptions: true })
    .configureOutput({
      writeOut: text => terminal.out(text.trimEnd()),
      writeErr: text => terminal.err(text.trimEnd()),
    })
    .addExamples(
      'kiraya onboard --phone 9876543210',
      'kiraya property create --pin-code 560048 --property-type apartment --alias-name "White House"',
      'kiraya agreement list --status ACTIVE --json',
      'kiraya smoke',
    )
    .addHelpText('after', `\n${exitCodesHelp}`)
    .exitOverride()

  addAuthCommands(program)
  addOnboardCommand(program)
  addProfileCommands(program)
  addKycCommands(program)
  addDashboardCommand(program)
  addPropertyCommands(program)
  addUnitCommands(program)
  addTenantCommands(program)
  addAgreementCommands(program)
  addSmokeCommand(program)
  addSeedCommand(program)
  addImportCommands(program)
  addExportCommands(program)
  addOperationsCommands(program)
  addSandboxCommands(program)
  return program
}
