import type { Agreement, KirayaError } from '@kiraya/sdk'
import { advise } from '../runtime/advice'
import type { CliCommand } from '../runtime/command'
import { parseDurationMs } from '../input/duration'
import { ExitError, TIMED_OUT } from '../runtime/errors'
import type { FieldFlags } from '../input/flags'
import { readQuery } from '../input/values'
import { startSpinner } from '../runtime/requests'

type Status = Agreement['status']
const DEFAULT_TIMEOUT_MS = 600_000

const fields: FieldFlags<{ status: Status }> = {
  status: {
    kind: 'choice',
    choices: ['DRAFT', 'PENDING', 'ACTIVE', 'TERMINATED', 'COMPLETED'],
    isRequired: true,
  },
}

export function addWaitCommands(program: CliCommand) {
  const wait = program.command('wait').description('Wait until a record is in a state')

  wait
    .command('agreement')
    .description('Wait until an agreement has a status; exits with 9 if it does not get it in time')
    .addRecord('agreement')
    .addFieldFlags(fields)
    .option('--timeout <time>', 'longest wait, such as 90s or 10m', parseDurationMs, DEFAULT_TIMEOUT_MS)
    .addExamples('kiraya wait agreement AGR-2026-000001 --status active --timeout 5m')
    .run(async (context, id: string, options: { timeout: number }) => {
      const { status } = await readQuery<{ status: Status }>(context, fields, options)
      const { agreements } = await context.client()
      const stop = startSpinner(context.terminal, `Waiting for ${status}`)
      const waited = agreements.waitFor(id, status, { timeoutMs: options.timeout })
      context.show(await waited.catch(error => explainEnd(error, id, status)).finally(stop))
    })
}

/** Throws what ended a wait, with what to do about it. */
function explainEnd(error: KirayaError, id: string, awaited: Status): never {
  if (error.code === 'TIMEOUT') throw new ExitError(`The agreement is not ${awaited} yet`, TIMED_OUT)
  const { signer_id } = Object(error.details) as { signer_id?: number }
  if (signer_id) advise(error, `Start it again: {command} agreement sign ${id} --signer ${signer_id}`)
  throw error
}
