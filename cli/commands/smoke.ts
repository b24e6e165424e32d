import { rm, writeFile } from 'node:fs/promises'
import type { Context } from '../runtime/context'
import type { Verb } from '../runtime/verbs'
import { runFlow, type StepResult } from '../smoke/run-flow'
import { toJunitXml } from '../smoke/junit'
import { smokeSteps } from '../smoke/steps'

const SANDBOX_OTP = '123456'

type Options = { otp?: string; junit?: string }

export const verb: Verb = command =>
  command
    .option('--otp <digits>', `the sandbox's one-time password (default: ${SANDBOX_OTP})`)
    .option('--junit <file>', 'write a JUnit report for CI')
    .addExamples('kiraya smoke --junit smoke.xml')
    .run(runSmokeTest)

async function runSmokeTest(context: Context, { otp, junit }: Options) {
  if (context.isDryRun) return context.show({ steps: smokeSteps.map(({ title }) => title), dry_run: true })
  // CI must not read the report of an earlier run.
  if (junit) await rm(junit, { force: true })
  const flow = { context, otp: otp ?? SANDBOX_OTP, isOtpGiven: otp !== undefined }
  const { results, error } = await runFlow(flow, smokeSteps, result => report(context, result))

  const failed = results.find(({ status }) => status === 'failed')
  if (context.isJsonFlagSet)
    context.show({ passed: !failed, failed_step: failed?.step ?? null, steps: results })
  if (junit) await writeFile(junit, await toJunitXml(results))
  if (failed) throw error
  const passed = results.filter(({ status }) => status === 'passed').length
  const all = smokeSteps.length + 1
  context.printNote(passed === all ? `All ${all} steps passed` : `${passed} of ${all} steps passed`)
}

/** Prints a result as it arrives; `--json` prints them all at the end. */
function report({ terminal, isJsonFlagSet }: Context, { step, status, ms, reason }: StepResult) {
  if (status === 'failed') terminal.err(`${step}: failed`)
  else if (!isJsonFlagSet) {
    const end = status === 'skipped' ? `skipped: ${reason}` : `${String(ms).padStart(6)} ms`
    terminal.out(`${step.padEnd(36)} ${end}`)
  }
}
