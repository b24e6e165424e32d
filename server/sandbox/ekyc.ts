import { Elysia } from 'elysia'
import { isInternalCall, type ErrorFormat } from './call-simulator'
import type { SandboxCore } from './core'
import { createKycCheck, readKycCheck, toCheckView, type KycCheck } from './kyc-checks'

/** Simulates the eKYC provider's HTTP interface. */
export const ekycRoutes = (sandbox: SandboxCore) =>
  new Elysia({ prefix: '/sandbox/ekyc' })
    .post('/api/ekyc/', ({ request, body }) => {
      if (!isInternalCall(sandbox.deps, request)) return unauthorized()
      const redirectUrl = (body as Record<string, unknown> | null)?.redirection_url
      if (typeof redirectUrl !== 'string')
        return toEkycError(400, 'invalid_request', 'redirection_url is required')
      return sandbox.simulateCall(
        { provider: 'ekyc', call: 'create', subjects: [], request, toError: toSimulatedError },
        async () => {
          const check = await createKycCheck(sandbox, redirectUrl)
          return Response.json(toProviderCheck(sandbox, check), { status: 201 })
        },
      )
    })
    .get('/api/ekyc/:id', ({ request, params }) => {
      if (!isInternalCall(sandbox.deps, request)) return unauthorized()
      return sandbox.simulateCall(
        { provider: 'ekyc', call: 'status', subjects: [params.id], request, toError: toSimulatedError },
        async () => {
          const check = await readKycCheck(sandbox, params.id)
          if (!check) return toEkycError(404, 'not_found', 'No such request')
          return Response.json(toProviderCheck(sandbox, check))
        },
      )
    })

const toEkycError = (status: number, errorCode: string, errorMsg: string) =>
  Response.json({ errorCode, errorMsg }, { status })

const unauthorized = () => toEkycError(401, 'unauthorized', 'The credentials are not valid')

const toSimulatedError: ErrorFormat = status =>
  toEkycError(
    status,
    status === 429 ? 'too_many_requests' : 'internal_server_error',
    'A simulated failure caused this error',
  )

/** Maps a check to the provider's wire format. */
function toProviderCheck(sandbox: SandboxCore, check: KycCheck) {
  const { id, status, url } = toCheckView(sandbox, check)
  const aadhaar = { name: 'Sandbox Resident', aadhaarNumber: 'XXXXXXXX0000', generatedAt: check.finishedAt }
  return {
    id,
    status,
    kycURL: url,
    data: status === 'SUCCESS' ? { aadhaar, xml: null } : null,
    ...(status === 'ERROR' && { errorCode: 'upstream_service_error', errorMsg: 'The resident declined' }),
  }
}
