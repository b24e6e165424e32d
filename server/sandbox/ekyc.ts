import { Elysia } from 'elysia'
import type { KycCheck } from './kyc-checks'
import type { Sandbox } from './index'
import { isInternalCall } from './call-simulator'

const wireError = (
  status: number,
  errorCode: string,
  errorMsg: string,
  headers: Record<string, string> = {},
) => Response.json({ errorCode, errorMsg }, { status, headers })
const failing = (status: number, headers: Record<string, string>) =>
  wireError(
    status,
    status === 429 ? 'too_many_requests' : 'internal_server_error',
    'The sandbox was told to fail',
    headers,
  )

/** Stands in for the eKYC provider's HTTP interface. */
export const ekycRoutes = ({ deps, kycChecks, clock, simulateCall }: Sandbox) => {
  const answer = async (check: KycCheck) => {
    const { id, status, url } = kycChecks.toView(check)
    return {
      id,
      status,
      kycURL: url,
      data:
        status === 'SUCCESS'
          ? {
              aadhaar: {
                name: 'Sandbox Resident',
                aadhaarNumber: 'XXXXXXXX0000',
                generatedAt: check.finishedAt ?? (await clock.now()).toISOString(),
              },
              xml: null,
            }
          : null,
      ...(status === 'ERROR' && { errorCode: 'upstream_service_error', errorMsg: 'The resident declined' }),
    }
  }
  return new Elysia({ prefix: '/sandbox/ekyc' })
    .post('/api/ekyc/', ({ request, body }) => {
      if (!isInternalCall(deps, request))
        return wireError(401, 'unauthorized', 'The credentials are not valid')
      const redirectUrl = (body as Record<string, unknown> | null)?.redirection_url
      if (typeof redirectUrl !== 'string')
        return wireError(400, 'invalid_request', 'redirection_url is required')
      return simulateCall('ekyc', 'create', [], request, failing, async () =>
        Response.json(await answer(await kycChecks.create(redirectUrl)), { status: 201 }),
      )
    })
    .get('/api/ekyc/:id', ({ request, params }) => {
      if (!isInternalCall(deps, request))
        return wireError(401, 'unauthorized', 'The credentials are not valid')
      return simulateCall('ekyc', 'status', [params.id], request, failing, async () => {
        const found = await kycChecks.read(params.id)
        return found ? Response.json(await answer(found)) : wireError(404, 'not_found', 'No such request')
      })
    })
}
