import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import type { CheckOutcome, SandboxCheck, SandboxEkyc } from '@kiraya/sdk/contract'
import { isAutomaticKyc, MANUAL_KYC } from '../accounts/profile/kyc'
import type { SandboxCore } from './core'
import { createRecordStore } from './record-store'

const AUTOMATIC_OUTCOME_DELAY_MS = 200
const OUTCOME_TASK = 'kyc-outcome'

/** `touched`: a person or a simulated failure decides this check, so it does not succeed automatically. */
export type KycCheck = {
  id: string
  status: 'CREATED' | 'KYC_REQUESTED' | 'SUCCESS' | 'ERROR'
  redirectUrl: string
  touched: boolean
  finishedAt: string | null
}
type OutcomeTask = { id: string; outcome: CheckOutcome }

const outcomeStatuses = { approve: 'SUCCESS', fail: 'ERROR' } as const satisfies Record<
  CheckOutcome,
  KycCheck['status']
>
export const isCheckOutcome = (text: string): text is CheckOutcome => Object.hasOwn(outcomeStatuses, text)
export const isCheckOpen = ({ status }: KycCheck) => status === 'CREATED' || status === 'KYC_REQUESTED'

const getStore = ({ deps }: SandboxCore) => createRecordStore<KycCheck>(deps.db, 'ekyc')

export function handleKycTasks(sandbox: SandboxCore) {
  sandbox.scheduler.handle<OutcomeTask>(OUTCOME_TASK, async ({ id, outcome }) => {
    const now = await sandbox.clock.now()
    const check = await getStore(sandbox).update(id, before => finish(before, outcome, now))
    if (check) await sendKycWebhook(sandbox, check)
  })
}

export async function createKycCheck(sandbox: SandboxCore, redirectUrl: string) {
  const now = await sandbox.clock.now()
  const id = randomUUID()
  const failure = await sandbox.failures.consume('outcome', 'ekyc', 'create', [])
  const touched = failure !== undefined
  const check: KycCheck = { id, status: 'CREATED', redirectUrl, touched, finishedAt: null }
  const outcome = failure?.behaviour === 'succeed' ? 'approve' : 'fail'
  const isFinished = failure?.delay_ms === null
  await getStore(sandbox).add(id, isFinished ? finish(check, outcome, now) : check, now)
  if (failure) {
    const task: OutcomeTask = { id, outcome }
    await sandbox.scheduler.schedule(OUTCOME_TASK, task, failure.delay_ms ?? AUTOMATIC_OUTCOME_DELAY_MS)
  }
  return check
}

/** Reads a check for the provider's client; an untouched one can succeed here, for scripts without people. */
export async function readKycCheck(sandbox: SandboxCore, id: string) {
  const now = await sandbox.clock.now()
  const isAutomatic = await isAutomaticKyc(sandbox.deps)
  return getStore(sandbox).update(id, check =>
    isAutomatic && !check.touched ? finish(check, 'approve', now) : check,
  )
}

/** Lets identity checks succeed when they are read, or wait for a person. */
export async function setKycMode({ deps, clock }: SandboxCore, { mode }: SandboxEkyc) {
  const switches = createRecordStore(deps.db, 'switch')
  if (mode === 'manual') await switches.add(MANUAL_KYC, {}, await clock.now())
  else await switches.remove(MANUAL_KYC)
  return { mode }
}

export async function getKycMode({ deps }: SandboxCore): Promise<SandboxEkyc> {
  return { mode: (await isAutomaticKyc(deps)) ? 'auto' : 'manual' }
}

/** Records that the person opened the page. */
export function markCheckOpened(sandbox: SandboxCore, id: string) {
  return getStore(sandbox).update(id, check =>
    check.status === 'CREATED' ? { ...check, status: 'KYC_REQUESTED' } : check,
  )
}

/** Does what a person does on the page; `hasChanged` is false if the check was already finished. */
export async function applyCheckOutcome(sandbox: SandboxCore, id: string, outcome: CheckOutcome) {
  const now = await sandbox.clock.now()
  let hasChanged = false
  const check = await getStore(sandbox).update(id, before => {
    hasChanged = isCheckOpen(before)
    return finish(before, outcome, now)
  })
  if (check && hasChanged) await sendKycWebhook(sandbox, check)
  return check && { check, hasChanged }
}

function finish(check: KycCheck, outcome: CheckOutcome, now: Date): KycCheck {
  if (!isCheckOpen(check)) return check
  return { ...check, status: outcomeStatuses[outcome], touched: true, finishedAt: now.toISOString() }
}

function sendKycWebhook({ webhooks }: SandboxCore, { id, status }: KycCheck) {
  return webhooks.send({
    provider: 'ekyc',
    path: '/webhooks/ekyc',
    body: JSON.stringify({ event: 'EKYC_DATA', data: { id, status } }),
    headers: {},
    subjects: [id],
  })
}

/** Lists the newest checks that a person can still decide. */
export async function listOpenChecks(sandbox: SandboxCore, limit: number) {
  const isOpen = sql`data->>'status' in ('CREATED', 'KYC_REQUESTED')`
  const checks = await getStore(sandbox).list(isOpen, limit)
  return checks.map(check => toCheckView(sandbox, check))
}

export function toCheckView({ deps }: SandboxCore, { id, status }: KycCheck): SandboxCheck {
  return { id, status, url: `${deps.publicUrl()}/sandbox/verify/${id}` }
}
