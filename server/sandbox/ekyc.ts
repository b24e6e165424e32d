import { randomUUID } from 'node:crypto'
import { Elysia } from 'elysia'
import type { Deps } from '../deps'
import { actions, page, paragraph } from '../pages'
import { createRecords } from './records'
import { deliver, isCaller } from './wire'

type Check = { id: string; status: 'CREATED' | 'KYC_REQUESTED' | 'SUCCESS' | 'ERROR'; redirectUrl: string; touched: boolean }

const wireError = (status: number, errorCode: string, errorMsg: string) => Response.json({ errorCode, errorMsg }, { status })
const outcomes = { approve: { status: 'SUCCESS', said: 'Your identity is verified' }, fail: { status: 'ERROR', said: 'The check has failed' } } as const

/** Stands in for the eKYC provider: its HTTP interface, its consent page and its webhook. */
export const sandboxKyc = (deps: Deps) => {
  const checks = createRecords<Check>(deps.orm, 'ekyc')
  const answer = ({ id, status }: Check) => ({
    id,
    status,
    kycURL: `${deps.publicUrl()}/sandbox/verify/${id}`,
    data: status === 'SUCCESS' ? { aadhaar: { name: 'Sandbox Resident', aadhaarNumber: 'XXXXXXXX0000', generatedAt: deps.now().toISOString() }, xml: null } : null,
    ...status === 'ERROR' && { errorCode: 'upstream_service_error', errorMsg: 'The resident declined' },
  })
  const api = new Elysia({ prefix: '/sandbox/ekyc' })
    .post('/api/ekyc/', async ({ request, body }) => {
      if (!isCaller(deps, request)) return wireError(401, 'unauthorized', 'The credentials are not valid')
      const redirectUrl = (body as Record<string, unknown> | null)?.redirection_url
      if (typeof redirectUrl !== 'string') return wireError(400, 'invalid_request', 'redirection_url is required')
      const id = randomUUID()
      return Response.json(answer(await checks.add(id, { id, status: 'CREATED', redirectUrl, touched: false }, deps.now())), { status: 201 })
    })
    .get('/api/ekyc/:id', async ({ request, params }) => {
      if (!isCaller(deps, request)) return wireError(401, 'unauthorized', 'The credentials are not valid')
      // Nobody sits before the page in a script's run, so a check that nobody touched succeeds when it is asked for.
      const found = await checks.change(params.id, check => deps.config.SANDBOX_EKYC === 'auto' && !check.touched ? { ...check, status: 'SUCCESS' } : check)
      return found ? Response.json(answer(found)) : wireError(404, 'not_found', 'No such request')
    })

  const people = new Elysia({ prefix: '/sandbox/verify' })
    .get('/:id', async ({ params }) => {
      const check = await checks.get(params.id)
      if (!check) return page('No such verification', paragraph('The address is not complete, or the request is gone.'), 404)
      const open = check.status === 'CREATED' || check.status === 'KYC_REQUESTED'
      return page('Share your identity with Kiraya', [
        paragraph('Kiraya asks for your name and the last four digits of your Aadhaar number. Nothing else is kept.'),
        open ? actions(`/sandbox/verify/${check.id}`, { approve: 'Approve', fail: 'Fail' }) : paragraph('This verification is finished.'),
        paragraph('This is the sandbox: no real identity is read.', true),
      ].join('\n'))
    })
    .post('/:id/:outcome', async ({ params }) => {
      if (!Object.hasOwn(outcomes, params.outcome)) return page('Nothing to do', paragraph('There is no such action.'), 404)
      const { status, said } = outcomes[params.outcome as keyof typeof outcomes]
      let wasOpen = false
      const check = await checks.change(params.id, before => {
        wasOpen = before.status === 'CREATED' || before.status === 'KYC_REQUESTED'
        return wasOpen ? { ...before, status, touched: true } : before
      })
      if (!check) return page('No such verification', paragraph('The address is not complete, or the request is gone.'), 404)
      if (!wasOpen) return page('This verification is finished', paragraph('Its outcome stands.'), 400)
      await deliver(deps, '/webhooks/ekyc', JSON.stringify({ event: 'EKYC_DATA', data: { id: check.id, status: check.status } }))
      return page(said, paragraph('You can close this page.'))
    })
  return new Elysia().use(api).use(people)
}
