import type { KirayaError } from '@kiraya/sdk'
import { toMessage } from '../runtime/report'
import { NotSandboxError } from '../runtime/sandbox'
import { cleanUp } from './clean-up'
import type { Flow } from './flow'

const isMet = {
  'the sandbox': ({ sandbox }) => sandbox !== 'absent',
  'users of its own': ({ hasOwnUsers }) => hasOwnUsers,
  'the sandbox, --otp or a stored sign-in': ({ hasOwnUsers, context }) => hasOwnUsers || !!context.token,
} satisfies Record<string, (flow: Flow) => boolean>

export type Step = { title: string; needs?: keyof typeof isMet; run: (flow: Flow) => Promise<unknown> }

/** `reason` is why a step was skipped. */
type Outcome = {
  status: 'passed' | 'failed' | 'skipped'
  reason?: string
  error?: { code: string; message: string; request_id?: string }
}
export type StepResult = Outcome & { step: string; ms: number }

/** Runs the steps until one fails or cannot run, then removes what they made. `error` is the first failure. */
export async function runFlow(start: Partial<Flow>, steps: Step[], report: (result: StepResult) => void) {
  const flow = start as Flow
  const results: StepResult[] = []
  const failures: unknown[] = []
  const run = async (step: Step) => {
    const startedAt = performance.now()
    const outcome = await runStep(flow, step).catch((error: Partial<KirayaError>): Outcome => {
      failures.push(error)
      const { code = 'FAILED', requestId } = error
      return { status: 'failed', error: { code, message: toMessage(error), request_id: requestId } }
    })
    const result = { step: step.title, ms: Math.round(performance.now() - startedAt), ...outcome }
    results.push(result)
    report(result)
    return outcome.status === 'passed'
  }
  for (const step of steps) if (!(await run(step))) break
  await run({ title: 'clean up', run: cleanUp })
  return { results, error: failures[0] }
}

async function runStep(flow: Flow, { needs, run }: Step): Promise<Outcome> {
  if (needs && !isMet[needs](flow)) return { status: 'skipped', reason: `needs ${needs}` }
  try {
    await run(flow)
    return { status: 'passed' }
  } catch (error) {
    if (error instanceof NotSandboxError) return { status: 'skipped', reason: error.message }
    throw error
  }
}
