import { setTimeout } from 'node:timers/promises'
import type { Agreement, Kiraya } from '@kiraya/sdk'
import type { CliCommand } from '../command'
import type { Context } from '../context'
import { parseDurationMs } from '../duration'
import { ExitError, REFUSED, TIMED_OUT } from '../exit-codes'
import type { FieldFlags } from '../field-flags'
import { readQuery } from '../inputs'
import { loadPeopleLabels } from '../labels'
import { startSpinner } from '../requests'

type Status = Agreement['status']
const DEFAULT_TIMEOUT_MS = 600_000

/** The order in which an agreement passes its states; none returns to an earlier one. */
const course = ['DRAFT', 'PENDING', 'ACTIVE', 'TERMINATED', 'COMPLETED'] as const

const fields: FieldFlags<{ status: Status }> = {
  status: { kind: 'choice', choices: course, isRequired: true },
}

type Options = { timeout: number; interval: number }

export function addWaitCommands(program: CliCommand) {
  const wait = program.command('wait').description('Wait until a record is in a state')

  wait
    .command('agreement')
    .description('Wait until an agreement has a status; exits with 9 if it does not get it in time')
    .addRecord('agreement')
    .addFieldFlags(fields)
    .option('--timeout <time>', 'longest wait, such as 90s or 10m', parseDurationMs, DEFAULT_TIMEOUT_MS)
    .option('--interval <time>', 'time between two looks', parseDurationMs, 2_000)
    .addExamples('kiraya wait agreement AGR-2026-000001 --status active --timeout 5m')
    .run(async (context, id: string, options: Options) => {
      const { status } = await readQuery<{ status: Status }>(context, fields, options)
      const stop = startSpinner(context.terminal, `Waiting for ${status}`)
      try {
        context.show(await waitForStatus(context, id, status, options))
      } finally {
        stop()
      }
    })
}

async function waitForStatus(context: Context, id: string, status: Status, { timeout, interval }: Options) {
  const client = await context.client()
  const deadline = performance.now() + timeout
  for (;;) {
    const agreement = await client.agreements.get(id)
    if (agreement.status === status) return agreement
    if (course.indexOf(agreement.status) > course.indexOf(status))
      throw new ExitError(
        `The agreement is ${agreement.status} and cannot become ${status} any more`,
        REFUSED,
      )
    if (agreement.status === 'PENDING' && status === 'ACTIVE') await requireOpenSignatures(client, id)
    const remaining = deadline - performance.now()
    if (remaining <= 0) throw new ExitError(`The agreement is still ${agreement.status}`, TIMED_OUT)
    await setTimeout(Math.min(interval, remaining))
  }
}

/** A signature that is declined or expired comes to nothing unless the landlord's side starts it again. */
async function requireOpenSignatures(client: Kiraya, id: string) {
  const { signatures } = await client.agreements.signatures(id)
  const ended = signatures.find(({ status }) => status === 'declined' || status === 'expired')
  if (!ended) return
  const people = await loadPeopleLabels(client)
  const signer = people.get(ended.signer_id) ?? `user ${ended.signer_id}`
  throw new ExitError(
    `The signature of ${signer} is ${ended.status}: start it again with kiraya agreement sign ${id} --signer <person>`,
    REFUSED,
  )
}
