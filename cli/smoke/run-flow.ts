import type { KirayaError } from '@kiraya/sdk'
import { toMessage } from '../runtime/errors'
import { cleanUp } from './clean-up'
import { hasOwnUsers, StepSkipped, type Flow, type Step, type StepResult } from './flow'

/** Runs the steps until one fails or cannot run, then removes what they made. `error` is the first failure. */
export async function runFlow(flow: Flow, steps: Step[], report: (result: StepResult) => void) {
  const results: StepResult[] = []
  const failures: unknown[] = []
  const run = async (step: string, work: () => Promise<unknown>) => {
    const { error, ...outcome } = await measure(work)
    const result = { step, ...outcome, ...(error !== undefined && { error: toJsonError(error) }) }
    results.push(result)
    report(result)
    if (error !== undefined) failures.push(error)
    return result.status === 'passed'
  }

  for (const step of steps) {
    const isPassed = await run(step.title, () => runStep(flow, step))
    if (!isPassed) break
  }
  await run('clean up', () => cleanUp(flow))
  return { results, error: failures[0] }
}

async function runStep(flow: Flow, { needs, run }: Step) {
  const isMet = needs === 'users of its own' ? hasOwnUsers(flow) : !needs || flow.sandbox !== 'absent'
  if (!isMet) throw new StepSkipped(`needs ${needs}`)
  await run(flow)
}

type Outcome = Pick<StepResult, 'status' | 'ms' | 'reason'> & { error?: unknown }

async function measure(work: () => Promise<unknown>): Promise<Outcome> {
  const startedAt = performance.now()
  const getMs = () => Math.round(performance.now() - startedAt)
  try {
    await work()
    return { status: 'passed', ms: getMs() }
  } catch (error) {
    if (error instanceof StepSkipped) return { status: 'skipped', ms: getMs(), reason: error.message }
    return { status: 'failed', ms: getMs(), error }
  }
}

function toJsonError(error: unknown) {
  const { code, requestId } = error as Partial<KirayaError>
  return { code: code ?? 'FAILED', message: toMessage(error), request_id: requestId }
}
