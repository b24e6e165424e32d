import { randomUUID } from 'node:crypto'
import type { Static, TSchema } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import type { SandboxCall } from '@kiraya/sdk/contract'
import { isInternalCall, type ErrorFormat } from './call-simulator'
import type { SandboxCore } from './core'
import { getSubjects, type SigningRequest } from './signing-model'
import { findRequest } from './signing-requests'

export const toEsignError = (status: number, code: string, detail: string) =>
  Response.json({ error: { code, detail, traceId: randomUUID() } }, { status })

export const unauthorized = () => toEsignError(401, 'unauthorized', 'The credentials are not valid')
export const requestNotFound = () => toEsignError(404, 'not_found', 'No such request')

export const toSimulatedError: ErrorFormat = status =>
  toEsignError(
    status,
    status === 429 ? 'too_many_requests' : 'internal_error',
    'A simulated failure caused this error',
  )

export const pdfResponse = (bytes: Uint8Array, name: string) =>
  new Response(bytes as Uint8Array<ArrayBuffer>, {
    headers: {
      'content-type': 'application/pdf',
      'content-length': String(bytes.length),
      'content-disposition': `inline; filename="${name}"`,
    },
  })

/** Handles a call that creates something from a JSON body. */
export async function handleCreateCall<S extends TSchema>(
  sandbox: SandboxCore,
  { request, body, schema }: { request: Request; body: unknown; schema: S },
  toSubjects: (input: Static<S>) => string[],
  respond: (input: Static<S>) => Promise<Response>,
) {
  if (!isInternalCall(sandbox.deps, request)) return unauthorized()
  if (!Value.Check(schema, body)) {
    const field = Value.Errors(schema, body).First()?.path || 'the body'
    return toEsignError(400, 'invalid_request', `${field} is not valid`)
  }
  return sandbox.simulateCall(
    {
      provider: 'esign',
      call: 'create',
      subjects: toSubjects(body),
      request,
      toError: toSimulatedError,
    },
    () => respond(body),
  )
}

/** Handles a call about a signing request, which only the interface that created it can see. */
export async function handleRequestCall(
  sandbox: SandboxCore,
  { request, call, id, isNative }: { request: Request; call: SandboxCall; id: string; isNative: boolean },
  respond: (found: SigningRequest) => Promise<Response> | Response,
) {
  if (!isInternalCall(sandbox.deps, request)) return unauthorized()
  const found = await findVisibleRequest(sandbox, id, isNative)
  const subjects = found ? getSubjects(found) : [id]
  return sandbox.simulateCall(
    { provider: 'esign', call, subjects, request, toError: toSimulatedError },
    async () => {
      // A slow call answers with the state at its end.
      const current = await findVisibleRequest(sandbox, id, isNative)
      return current ? respond(current) : requestNotFound()
    },
  )
}

async function findVisibleRequest(sandbox: SandboxCore, id: string, isNative: boolean) {
  const request = await findRequest(sandbox, id)
  const isVisible = request && !!request.document === isNative && !request.cancelled
  return isVisible ? request : undefined
}
