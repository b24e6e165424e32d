import type { Agreement, KirayaError, PropertyWithUnits } from '@kiraya/sdk'
import type { Context } from '../context'
import { toMessage } from '../exit-codes'
import type { Person } from '../people'
import type { SandboxAccess } from '../sandbox-pages'
import { cleanUp } from './clean-up'
import type { Step, StepName } from './steps'

/** What the steps of one flow share. */
export type Flow = {
  context: Context
  /** Counts from 1; several flows run in parallel. */
  number: number
  otp: string
  sandbox: SandboxAccess
  /** Whether the flow may sign up users; otherwise the stored sign-in is the landlord. */
  hasOwnUsers: boolean
  landlord?: Person
  tenant?: Person
  property?: PropertyWithUnits
  agreement?: Agreement
}

export type StepResult = {
  flow: number
  step: StepName | 'clean-up'
  title: string
  status: 'passed' | 'failed' | 'skipped'
  ms: number
  /** Why it was skipped. */
  reason?: string
  error?: { code: string; message: string; request_id?: string }
}

export type FlowResult = { results: StepResult[]; error?: unknown }
type Report = (result: StepResult) => void

/** Thrown by a step that cannot run against this server. */
export class StepSkipped extends Error {}

/** Runs the steps until one fails, then removes what they made. */
export async function runFlow(flow: Flow, steps: Step[], report: Report): Promise<FlowResult> {
  const results: StepResult[] = []
  const failures: unknown[] = []
  const add = (result: StepResult) => {
    results.push(result)
    report(result)
  }
  const run = async (step: Pick<StepResult, 'step' | 'title'>, work: () => Promise<unknown>) => {
    const { error, ...outcome } = await measure(work)
    add({ flow: flow.number, ...step, ...outcome, ...(error !== undefined && { error: toJsonError(error) }) })
    if (error !== undefined) failures.push(error)
  }

  for (const step of steps) {
    await run({ step: step.name, title: step.title }, () => runStep(flow, step, results))
    if (failures.length > 0) break
  }
  await run({ step: 'clean-up', title: 'clean up' }, () => cleanUp(flow))
  return { results, error: failures[0] }
}

/** Reports a step of the first flow that failed before any flow began. */
export function failStep({ name, title }: Step, error: unknown, report: Report): FlowResult {
  const failed = { flow: 1, step: name, title, status: 'failed', ms: 0 } as const
  const result = { ...failed, error: toJsonError(error) }
  report(result)
  return { results: [result], error }
}

function runStep(flow: Flow, step: Step, results: StepResult[]) {
  const skipped = results.find(result => result.status === 'skipped' && isNeed(step, result.step))
  if (skipped) throw new StepSkipped(`needs the step ${skipped.step}`)
  if (step.requires === 'own users' && !flow.hasOwnUsers)
    throw new StepSkipped('needs users of its own: the server has no sandbox')
  if (step.requires === 'sandbox' && flow.sandbox === 'absent') throw new StepSkipped('needs the sandbox')
  return step.run(flow)
}

const isNeed = ({ needs }: Step, name: StepResult['step']) => needs.some(need => need === name)

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
