import { rm, writeFile } from 'node:fs/promises'
import type { CliCommand } from '../command'
import type { Context } from '../context'
import { parseCount } from '../counts'
import { findSandbox, type SandboxAccess } from '../sandbox-pages'
import { failStep, runFlow, type Flow, type FlowResult, type StepResult } from '../smoke/flow'
import { toJunitXml } from '../smoke/junit'
import { getStep, selectSteps, smokeSteps } from '../smoke/steps'

const SANDBOX_OTP = '123456'
const MAX_FLOWS = 50

type Options = { otp?: string; junit?: string; only?: string; parallel: number }

export function addSmokeCommand(program: CliCommand) {
  program
    .command('smoke')
    .description('Test a server from sign-in to the refund of the deposit, and remove what the test made')
    .option('--otp <digits>', "the sandbox's one-time password (default: 123456)")
    .option('--only <steps>', 'only these steps, separated by commas, and those that they need')
    .option('--parallel <number>', 'whole flows at once, each with its own users', parseCount(MAX_FLOWS), 1)
    .option('--junit <file>', 'write a JUnit report for CI')
    .addHelpText('after', `\nSteps: ${smokeSteps.map(({ name }) => name).join(', ')}`)
    .addExamples('kiraya smoke --parallel 4 --junit smoke.xml', 'kiraya smoke --only certificate --json')
    .run(runSmokeTest)
}

async function runSmokeTest(context: Context, options: Options) {
  const steps = selectSteps(options.only)
  if (context.isDryRun) return context.show({ steps: steps.map(({ name }) => name), dry_run: true })
  // CI must not read the report of an earlier run.
  if (options.junit) await rm(options.junit, { force: true })
  const report = createReporter(context, options.parallel)
  const flowResults = await findSandbox(context).then(
    sandbox => Promise.all(createFlows(context, options, sandbox).map(flow => runFlow(flow, steps, report))),
    (error: unknown) => [failStep(getStep('health'), error, report)],
  )
  await finish(context, options, flowResults)
}

const createFlows = (context: Context, { otp, parallel }: Options, sandbox: SandboxAccess) =>
  Array.from({ length: parallel }, (_, index): Flow => ({
    context,
    number: index + 1,
    otp: otp ?? SANDBOX_OTP,
    sandbox,
    hasOwnUsers: sandbox !== 'absent' || otp !== undefined,
  }))

/** Prints each result as it arrives; `--json` prints them all at the end. */
function createReporter(context: Context, flowCount: number) {
  return ({ flow, title, status, ms, reason }: StepResult) => {
    if (status === 'failed') context.terminal.err(`${title}: failed`)
    else if (!context.isJsonFlagSet) {
      const prefix = flowCount > 1 ? `[${flow}] ` : ''
      const end = reason === undefined ? `${String(ms).padStart(6)} ms` : `skipped: ${reason}`
      context.terminal.out(`${prefix}${title.padEnd(36)} ${end}`)
    }
  }
}

/** Writes the reports, then throws the first error, which decides the exit code. */
async function finish(context: Context, { junit }: Options, flowResults: FlowResult[]) {
  const steps = flowResults.flatMap(({ results }) => results)
  const failed = steps.find(({ status }) => status === 'failed')
  const count = (status: StepResult['status']) => steps.filter(step => step.status === status).length

  if (context.isJsonFlagSet) context.show({ passed: !failed, failed_step: failed?.step ?? null, steps })
  if (junit) await writeFile(junit, await toJunitXml(steps))
  if (failed) throw flowResults.find(({ error }) => error !== undefined)?.error
  context.printNote(`All ${count('passed')} steps passed`)
  if (count('skipped') > 0) context.printNote(`${count('skipped')} steps were skipped`)
}
