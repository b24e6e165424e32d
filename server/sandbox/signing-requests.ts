import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import type { SandboxSignature, SigningOutcome } from '@kiraya/sdk/contract'
import { signWebhook, WEBHOOK_HEADER } from '../providers/signing/setu/signature'
import type { SandboxCore } from './core'
import type { Behaviour, SimulatedFailure } from './simulated-failures'
import { createRecordStore } from './record-store'
import {
  applyToRequest,
  getClosingReason,
  getSigner,
  getSigningId,
  getSubjects,
  isComplete,
  signingOutcomes,
  type ClosingReason,
  type NewSigner,
  type NewSigningRequest,
  type RequestSigner,
  type SigningRequest,
} from './signing-model'
import { toProviderRequest, toSignatureView } from './signing-views'

const VALIDITY_MS = 72 * 3_600_000
const AUTOMATIC_OUTCOME_DELAY_MS = 200
const OUTCOME_TASK = 'signing-outcome'

const getRequestStore = ({ deps }: SandboxCore) => createRecordStore<SigningRequest>(deps.db, 'esign')
/** Leads from a signer's id to their request. */
const getSignerStore = ({ deps }: SandboxCore) => createRecordStore<{ request: string }>(deps.db, 'signer')

const isUncancelled = sql`not (data->>'cancelled')::boolean`

type OutcomeTask = { id: string; outcome: SigningOutcome }

export function handleSigningTasks(sandbox: SandboxCore) {
  sandbox.scheduler.handle<OutcomeTask>(OUTCOME_TASK, async ({ id, outcome }) => {
    await applySigningOutcome(sandbox, id, outcome)
  })
}

export async function createSigningRequest(sandbox: SandboxCore, input: NewSigningRequest) {
  const now = await sandbox.clock.now()
  const id = randomUUID()
  const validUpto = new Date(now.getTime() + VALIDITY_MS).toISOString()
  const signers = input.signers.map(toSigner)
  const request = await getRequestStore(sandbox).add(
    id,
    { ...input, id, signers, validUpto, cancelled: false },
    now,
  )
  if (signers.length > 1) {
    for (const signer of signers) await getSignerStore(sandbox).add(signer.id, { request: id }, now)
  }
  await scheduleAutomaticOutcomes(sandbox, request)
  return request
}

const toSigner = ({ identifier, displayName }: NewSigner) => ({
  id: randomUUID(),
  identifier,
  displayName,
  status: 'pending' as const,
  errCode: null,
  signedAt: null,
})

/** A failure that matches a signer's phone number is for that signer; any other is for all of the request. */
async function scheduleAutomaticOutcomes(sandbox: SandboxCore, request: SigningRequest) {
  let sharedFailure: SimulatedFailure<'outcome'> | undefined
  for (const signer of request.signers) {
    const subjects = [request.id, request.documentId, signer.identifier]
    const failure = sharedFailure ?? (await sandbox.failures.consume('outcome', 'esign', 'create', subjects))
    if (!failure) continue
    if (failure.match !== signer.identifier) sharedFailure = failure

    const task: OutcomeTask = {
      id: getSigningId({ request, signer }),
      outcome: toOutcome(failure.behaviour),
    }
    await sandbox.scheduler.schedule(OUTCOME_TASK, task, failure.delay_ms ?? AUTOMATIC_OUTCOME_DELAY_MS)
  }
}

const toOutcome = (behaviour: Behaviour<'outcome'>) =>
  behaviour === 'succeed' ? 'sign' : (behaviour as SigningOutcome)

/** Finds a request by its own id. */
export const findRequest = (sandbox: SandboxCore, id: string) => getRequestStore(sandbox).find(id)

/**
 * Finds a request and its signer by a signing address. The id of a request with several signers is no address, since
 * each knows it.
 */
export async function findSigner(sandbox: SandboxCore, id: string): Promise<RequestSigner | undefined> {
  const link = await getSignerStore(sandbox).find(id)
  const request = await findRequest(sandbox, link?.request ?? id)
  const signer = request?.signers.find(each => getSigningId({ request, signer: each }) === id)
  return request && signer && { request, signer }
}

export function cancelSigningRequest(sandbox: SandboxCore, id: string) {
  return getRequestStore(sandbox).update(id, request => ({ ...request, cancelled: true }))
}

/** Does what a signer does on the page; `closedBy` says why nothing changed. */
export function applySigningOutcome(sandbox: SandboxCore, id: string, outcome: SigningOutcome) {
  const toEvent = (request: SigningRequest) =>
    outcome === 'sign' && !isComplete(request) ? 'ESIGN_WEBHOOK_NOTIFICATION' : signingOutcomes[outcome].event
  return changeRequest(sandbox, id, toEvent, (part, at) => applyToRequest(outcome, part, at))
}

/** Records that a signer opened the page; only the first time sends a webhook. */
export function markOpened(sandbox: SandboxCore, id: string) {
  return changeRequest(
    sandbox,
    id,
    () => 'ESIGN_WEBHOOK_NOTIFICATION',
    ({ request, signer }) => {
      if (signer.status !== 'pending') return undefined
      const opened = { ...signer, status: 'in_progress' as const }
      return { signers: request.signers.map(other => (other.id === signer.id ? opened : other)) }
    },
  )
}

/** Changes a request that is open for the signer, and sends a webhook if anything changed. */
async function changeRequest(
  sandbox: SandboxCore,
  id: string,
  toEvent: (changed: SigningRequest) => string,
  toChange: (part: RequestSigner, at: string) => Partial<SigningRequest> | undefined,
) {
  const found = await findSigner(sandbox, id)
  if (!found) return undefined

  const now = await sandbox.clock.now()
  const signerId = found.signer.id
  let closedBy: ClosingReason | undefined
  let hasChanged = false
  const request = await getRequestStore(sandbox).update(found.request.id, before => {
    const part = { request: before, signer: getSigner(before, signerId) }
    closedBy = getClosingReason(part, now)
    const change = closedBy ? undefined : toChange(part, now.toISOString())
    hasChanged = change !== undefined
    return { ...before, ...change }
  })
  if (!request) return undefined
  if (hasChanged) await sendSigningWebhook(sandbox, request, toEvent(request), now)
  return { request, signer: getSigner(request, signerId), closedBy }
}

/** Expires the requests whose validity ends in the period that a clock move skipped. */
export async function expireBetween(sandbox: SandboxCore, from: string, to: string) {
  const requests = getRequestStore(sandbox)
  const isDue = sql`${isUncancelled} and data->>'validUpto' > ${from} and data->>'validUpto' <= ${to}`
  for (const { id } of await requests.list(isDue)) {
    const request = await requests.update(id, expireUnsigned)
    if (request && !isComplete(request))
      await sendSigningWebhook(sandbox, request, 'ESIGN_EXPIRED', new Date(to))
  }
}

function expireUnsigned(request: SigningRequest): SigningRequest {
  const signers = request.signers.map(signer =>
    signer.status === 'signed' ? signer : { ...signer, errCode: 'session_expired' },
  )
  return { ...request, signers }
}

async function sendSigningWebhook(sandbox: SandboxCore, request: SigningRequest, event: string, at: Date) {
  const { config } = sandbox.deps
  const { id, documentId, status, signers } = toProviderRequest(sandbox, request)
  const body = JSON.stringify({
    event,
    timeStamp: at.toISOString(),
    data: { esign: { id, documentId, status, signers } },
  })
  await sandbox.webhooks.send({
    provider: 'esign',
    path: '/webhooks/esign',
    body,
    headers: { [WEBHOOK_HEADER]: signWebhook(body, config.ESIGN_WEBHOOK_SECRET) },
    subjects: getSubjects(request),
  })
}

/** Lists the newest signers who can still act. */
export async function listOpenSignatures(sandbox: SandboxCore, limit: number): Promise<SandboxSignature[]> {
  const now = await sandbox.clock.now()
  const isValid = sql`${isUncancelled} and data->>'validUpto' > ${now.toISOString()}`
  const requests = await getRequestStore(sandbox).list(isValid, limit)
  const parts = requests.flatMap(request => request.signers.map(signer => ({ request, signer })))
  const open = parts.filter(part => !getClosingReason(part, now))
  return open.slice(0, limit).map(part => toSignatureView(sandbox, part, now))
}
