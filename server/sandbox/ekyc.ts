import { Elysia } from 'elysia'
import type { Check } from './checks'
import type { Sandbox } from './sandbox'
import { isCaller } from './wire'

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
export const sandboxKyc = ({ deps, checks, clock, answering }: Sandbox) => {
  const answer = async (check: Check) => {
    const { id, status, url } = checks.described(check)
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
      if (!isCaller(deps, request)) return wireError(401, 'unauthorized', 'The credentials are not valid')
      const redirectUrl = (body as Record<string, unknown> | null)?.redirection_url
      if (typeof redirectUrl !== 'string')
        return wireError(400, 'invalid_request', 'redirection_url is required')
      return answering('ekyc', 'create', [], request, failing, async () =>
        Response.json(await answer(await checks.create(redirectUrl)), { status: 201 }),
      )
    })
    .get('/api/ekyc/:id', ({ request, params }) => {
      if (!isCaller(deps, request)) return wireError(401, 'unauthorized', 'The credentials are not valid')
      return answering('ekyc', 'status', [params.id], request, failing, async () => {
        const found = await checks.read(params.id)
        return found ? Response.json(await answer(found)) : wireError(404, 'not_found', 'No such request')
      })
    })
}
