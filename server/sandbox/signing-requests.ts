import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import type { SigningOutcome, SandboxSignature } from '@kiraya/sdk/contract'
import { query } from '../../db/orm'
import { signWebhook } from '../providers/signing/setu/signature'
import { createRecordStore } from './record-store'
import type { SandboxCore } from './index'

const VALID_MS = 72 * 3_600_000
const PERSON_MS = 200

export type Signer = {
  id: string
  identifier: string
  displayName: string
  status: 'pending' | 'in_progress' | 'signed'
  errCode: string | null
  signedAt: string | null
}
/** `document` is one that was uploaded; else the provider was given an address. */
export type SandboxRequest = {
  id: string
  documentId: string
  documentUrl: string | null
  document: { name: string; size: number; sha256: string } | null
  flexiOptions: Record<string, unknown> | null
  signers: Signer[]
  validUpto: string
  cancelled: boolean
}
export type NewSandboxRequest = Pick<
  SandboxRequest,
  'documentId' | 'documentUrl' | 'document' | 'flexiOptions'
> & {
  signers: Pick<Signer, 'identifier' | 'displayName'>[]
}
/** What somebody's address leads to. */
export type RequestSigner = { request: SandboxRequest; signer: Signer }

export const toRequestStatus = ({ signers }: SandboxRequest) =>
  signers.every(({ status }) => status === 'signed')
    ? 'sign_complete'
    : signers.some(({ status }) => status !== 'pending')
      ? 'sign_in_progress'
      : 'sign_initiated'

/** Why nobody can sign here any more; undefined while it is open. */
export const getClosingReason = (request: SandboxRequest, signer: Signer, now: Date) =>
  signer.status === 'signed'
    ? 'signed'
    : signer.errCode === 'signer_declined'
      ? 'declined'
      : request.cancelled
        ? 'cancelled'
        : new Date(request.validUpto) <= now
          ? 'expired'
          : undefined

/** What pressing a button means: for the one who pressed it, or, when the time is over, for all who have not signed. */
const outcomes: Record<
  SigningOutcome,
  { event: string; change: (signer: Signer, at: string) => Signer; forAll?: true }
> = {
  sign: {
    event: 'ESIGN_COMPLETE',
    change: (signer, signedAt) => ({ ...signer, status: 'signed', errCode: null, signedAt }),
  },
  decline: { event: 'ESIGN_FAILED', change: signer => ({ ...signer, errCode: 'signer_declined' }) },
  'fail-otp': {
    event: 'ESIGN_OTP_FAILED',
    change: signer => ({ ...signer, status: 'in_progress', errCode: 'invaild_otp' }),
  },
  expire: {
    event: 'ESIGN_EXPIRED',
    change: signer => ({ ...signer, errCode: 'session_expired' }),
    forAll: true,
  },
}
const byItself = {
  succeed: 'sign',
  decline: 'decline',
  'fail-otp': 'fail-otp',
  expire: 'expire',
} as const satisfies Record<string, SigningOutcome>
export const isSigningOutcome = (text: string): text is SigningOutcome => Object.hasOwn(outcomes, text)

/** The requests for signatures that the sandbox has been asked for, and what people do with them. */
export const createSigningRequests = ({
  deps,
  clock,
  faultRules: faults,
  scheduler: later,
  webhooks,
}: SandboxCore) => {
  const requests = createRecordStore<SandboxRequest>(deps.orm, 'esign')
  const parts = createRecordStore<{ request: string }>(deps.orm, 'signer')
  const table = () => query(deps.orm).selectFrom('sandbox_records').where('kind', '=', 'esign')
  const addressOf = (id: string) => `${deps.publicUrl()}/sandbox/sign/${id}`
  const idOf = ({ request, signer }: RequestSigner) => (request.signers.length > 1 ? signer.id : request.id)
  const aboutOf = ({ id, documentId, signers }: SandboxRequest) => [
    id,
    documentId,
    ...signers.flatMap(signer => [signer.id, signer.identifier]),
  ]

  const answer = (request: SandboxRequest) => ({
    id: request.id,
    documentId: request.documentId,
    status: toRequestStatus(request),
    signers: request.signers.map(signer => ({
      id: signer.id,
      identifier: signer.identifier,
      displayName: signer.displayName,
      status: signer.status,
      url: addressOf(idOf({ request, signer })),
      errCode: signer.errCode,
    })),
    validUpto: request.validUpto,
  })

  /** By the request's id or a signer's; the request's own leads to the first who has yet to sign. */
  async function find(id: string): Promise<RequestSigner | undefined> {
    const request = (await requests.get(id)) ?? (await requests.get((await parts.get(id))?.request ?? ''))
    const signer =
      request?.signers.find(one => one.id === id) ??
      request?.signers.find(({ status, errCode }) => status !== 'signed' && errCode !== 'signer_declined') ??
      request?.signers.at(-1)
    return request && signer && { request, signer }
  }

  async function tell(request: SandboxRequest, event: string, at: Date) {
    const { id, documentId, status, signers } = answer(request)
    const body = JSON.stringify({
      event,
      timeStamp: at.toISOString(),
      data: { esign: { id, documentId, status, signers } },
    })
    await webhooks.send({
      provider: 'esign',
      path: '/webhooks/esign',
      body,
      headers: {
        [deps.config.ESIGN_WEBHOOK_HEADER]: signWebhook(body, deps.config.ESIGN_WEBHOOK_SECRET),
      },
      about: aboutOf(request),
    })
  }

  /** Changes a signer's part where it is still open, and tells of it; `by` is why it was not. */
  async function change(
    id: string,
    event: (changed: SandboxRequest) => string,
    to: (part: RequestSigner, at: string) => Partial<SandboxRequest> | undefined,
  ) {
    const found = await find(id)
    if (!found) return undefined
    const at = await clock.now()
    let by: string | undefined
    let changed = false
    const request = await requests.change(found.request.id, before => {
      const signer = before.signers.find(one => one.id === found.signer.id)!
      by = getClosingReason(before, signer, at)
      const change = by ? undefined : to({ request: before, signer }, at.toISOString())
      changed = change !== undefined
      return { ...before, ...change }
    })
    if (!request) return undefined
    if (changed) await tell(request, event(request), at)
    return { request, signer: request.signers.find(one => one.id === found.signer.id)!, by }
  }

  /** What a person does on the page. Undefined where there is no such request; `by` says why it was closed already. */
  const applyOutcome = (id: string, outcome: SigningOutcome) => {
    const { event, change: become, forAll } = outcomes[outcome]
    return change(
      id,
      request =>
        outcome === 'sign' && toRequestStatus(request) !== 'sign_complete'
          ? 'ESIGN_WEBHOOK_NOTIFICATION'
          : event,
      ({ request, signer }, at) => ({
        signers: request.signers.map(one =>
          one.id === signer.id || (forAll && one.status !== 'signed') ? become(one, at) : one,
        ),
        ...(forAll && { validUpto: at }),
      }),
    )
  }
  later.on<{ id: string; outcome: SigningOutcome }>(
    'press',
    async ({ id, outcome }) => void (await applyOutcome(id, outcome)),
  )

  /** What the control says of one signer is for that one, anything else for all signers of the request. */
  async function settleByItself(request: SandboxRequest) {
    let shared: Awaited<ReturnType<typeof faults.take<'outcome'>>>
    for (const signer of request.signers) {
      const fault =
        shared ??
        (await faults.take('esign', 'create', 'outcome', [request.id, request.documentId, signer.identifier]))
      if (!fault) continue
      if (fault.match !== signer.identifier) shared = fault
      await later.add(
        'press',
        { id: idOf({ request, signer }), outcome: byItself[fault.behaviour as keyof typeof byItself] },
        fault.delay_ms ?? PERSON_MS,
      )
    }
  }

  return {
    find,
    answer,
    applyOutcome,
    aboutOf,
    addressOf: (part: RequestSigner) => addressOf(idOf(part)),
    /** The signer has opened the page: told once. */
    view: (id: string) =>
      change(
        id,
        () => 'ESIGN_WEBHOOK_NOTIFICATION',
        ({ request, signer }) =>
          signer.status === 'pending'
            ? {
                signers: request.signers.map(one =>
                  one.id === signer.id ? { ...one, status: 'in_progress' } : one,
                ),
              }
            : undefined,
      ),

    create: async (asked: NewSandboxRequest) => {
      const now = await clock.now()
      const id = randomUUID()
      const validUpto = new Date(now.getTime() + VALID_MS).toISOString()
      const signers = asked.signers.map(({ identifier, displayName }): Signer => ({
        id: randomUUID(),
        identifier,
        displayName,
        status: 'pending',
        errCode: null,
        signedAt: null,
      }))
      const request = await requests.add(id, { id, ...asked, signers, validUpto, cancelled: false }, now)
      if (signers.length > 1) for (const signer of signers) await parts.add(signer.id, { request: id }, now)
      await settleByItself(request)
      return request
    },

    cancel: (id: string) => requests.change(id, request => ({ ...request, cancelled: true })),

    /** The newest parts that wait for a person. */
    open: async (most: number): Promise<SandboxSignature[]> => {
      const now = await clock.now()
      const rows = await table()
        .where(sql<boolean>`not (data->>'cancelled')::boolean and data->>'validUpto' > ${now.toISOString()}`)
        .orderBy('created_at', 'desc')
        .orderBy('id')
        .limit(most)
        .select('data')
        .execute()
      return rows
        .flatMap(({ data }) =>
          (data as SandboxRequest).signers.map(signer => ({ request: data as SandboxRequest, signer })),
        )
        .filter(({ request, signer }) => !getClosingReason(request, signer, now))
        .slice(0, most)
        .map(toView)
    },
    toView,

    /** The clock has gone past the end of some: their signers are told to be late. */
    expireBetween: async (from: string, to: string) => {
      const over = await table()
        .where(
          sql<boolean>`not (data->>'cancelled')::boolean and data->>'validUpto' > ${from} and data->>'validUpto' <= ${to}`,
        )
        .orderBy('created_at')
        .select('id')
        .execute()
      for (const { id } of over) {
        const request = await requests.change(id, before => ({
          ...before,
          signers: before.signers.map(signer =>
            signer.status === 'signed' ? signer : { ...signer, errCode: 'session_expired' },
          ),
        }))
        if (request && toRequestStatus(request) !== 'sign_complete')
          await tell(request, 'ESIGN_EXPIRED', new Date(to))
      }
    },
  }

  function toView(part: RequestSigner): SandboxSignature {
    const { request, signer } = part
    return {
      id: idOf(part),
      request_id: request.id,
      document_id: request.documentId,
      phone: signer.identifier,
      name: signer.displayName,
      status: signer.status,
      error: signer.errCode,
      url: addressOf(idOf(part)),
      valid_until: request.validUpto,
    }
  }
}
export type SigningRequests = ReturnType<typeof createSigningRequests>
