import type { AgreementStatus, KirayaError, RecordId } from '@kiraya/sdk'
import { AgreementQuery } from '@kiraya/sdk/contract/agreements'
import { parseDurationMs } from '../input/duration'
import { pickFlags, toFieldFlags } from '../input/flags'
import { readQuery } from '../input/values'
import { startSpinner } from '../output/progress'
import { advise } from '../runtime/advice'
import { ExitError, TIMED_OUT } from '../runtime/errors'
import { createVerb, type Verbs } from '../runtime/verbs'

const DEFAULT_TIMEOUT_MS = 600_000

const words = { status: { isRequired: true, description: undefined } }
const fields = pickFlags(toFieldFlags(AgreementQuery, words), 'status')

export const verbs: Verbs = {
  agreement: createVerb(
    {
      summary: 'Wait until an agreement has a status; exits with 9 if it does not get it in time',
      records: ['agreement'],
      fields,
      addFlags: command =>
        command.option(
          '--timeout <time>',
          'longest wait, such as 90s or 10m',
          parseDurationMs,
          DEFAULT_TIMEOUT_MS,
        ),
      examples: ['kiraya wait agreement AGR-2026-000001 --status active --timeout 5m'],
    },
    async (context, [id], { timeout, ...options }: { timeout: number }) => {
      const { status } = await readQuery<{ status: AgreementStatus }>(context, fields, options)
      const { agreements } = await context.client()
      const stop = startSpinner(context.terminal, `Waiting for ${status}`)
      const waited = agreements.waitFor(id, status, { timeoutMs: timeout })
      context.show(await waited.catch(error => explainEnd(error, id, status)).finally(stop))
    },
  ),
}

/** Throws what ended a wait, with what to do about it. */
function explainEnd(error: KirayaError, id: RecordId, awaited: AgreementStatus): never {
  if (error.code === 'TIMEOUT') throw new ExitError(`The agreement is not ${awaited} yet`, TIMED_OUT)
  const { signer_id } = Object(error.details) as { signer_id?: number }
  if (signer_id) advise(error, `Start it again: {command} agreement sign ${id} --signer ${signer_id}`)
  throw error
}
