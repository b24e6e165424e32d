import { Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import {
  Message,
  NewSandboxFault,
  CheckOutcomeInput,
  SigningOutcomeInput,
  SandboxCheck,
  SandboxClock,
  SandboxClockChange,
  SandboxFault,
  SandboxMessage,
  SandboxMessageQuery,
  SandboxSignature,
  SandboxState,
} from '@kiraya/sdk/contract'
import type { Deps } from '../deps'
import { badRequest, notFound, unauthorized } from '../faults'
import { createdStatus } from '../http/created'
import { coerceQuery } from '../http/query-params'
import { equalsInConstantTime } from '../http/constant-time'
import { listNewestMessages } from './whatsapp'
import type { Sandbox } from './index'

const NEWEST = 50

/** Where SANDBOX_TOKEN is set, it is asked for as the bearer token; a browser sends it as the password of HTTP Basic. */
export function hasControlAccess({ config: { SANDBOX_TOKEN } }: Deps, request: Request, inBrowser = false) {
  const authorization = request.headers.get('authorization') ?? ''
  const [, basic] = /^Basic (.*)$/i.exec(authorization) ?? []
  const given =
    inBrowser && basic !== undefined
      ? Buffer.from(basic, 'base64')
          .toString()
          .replace(/^[^:]*:/, '')
      : authorization.replace(/^Bearer /i, '')
  return !SANDBOX_TOKEN || equalsInConstantTime(given, SANDBOX_TOKEN)
}

/** What is to come, and what waits for a person. */
export const loadSandboxState = async ({
  clock,
  faultRules: faults,
  scheduler: later,
  signingRequests,
  kycChecks,
}: Sandbox): Promise<SandboxState> => {
  const [now, list, held_webhooks, signatures, open] = await Promise.all([
    clock.state(),
    faults.list(),
    later.count('webhook'),
    signingRequests.open(NEWEST),
    kycChecks.open(NEWEST),
  ])
  return { clock: now, faults: list, held_webhooks, signatures, checks: open }
}

/** Moves the clock; what is due or over by then comes to pass before this returns. */
export async function moveClock(
  { clock, scheduler: later, signingRequests }: Sandbox,
  change: SandboxClockChange,
) {
  const before = await clock.now()
  const moved = await clock.move(change)
  await later.runDue()
  await signingRequests.expireBetween(before.toISOString(), moved.now)
  return moved
}

/** The control for scripts. */
export const controlRoutes = (sandbox: Sandbox) => {
  const { deps, faultRules: faults, signingRequests, kycChecks } = sandbox
  return (
    new Elysia({ prefix: '/sandbox', tags: ['Sandbox'] })
      .use(createdStatus)
      // Before what was sent is looked at.
      .onTransform(({ request }) => {
        if (!hasControlAccess(deps, request))
          throw unauthorized('The sandbox asks for SANDBOX_TOKEN as its bearer token')
      })
      .get('/control', () => loadSandboxState(sandbox), {
        response: { 200: SandboxState },
        detail: { summary: 'The clock, what is to go wrong, and what waits for a person' },
      })
      .post('/control/faults', ({ body }) => faults.add(body), {
        created: true,
        body: NewSandboxFault,
        response: { 201: SandboxFault },
        detail: { summary: 'Let the next calls or webhooks go differently' },
      })
      .delete(
        '/control/faults/:id',
        async ({ params }) => {
          await faults.remove(params.id)
          return { message: 'The fault was removed' }
        },
        { response: { 200: Message }, detail: { summary: 'Take one back' } },
      )
      .delete(
        '/control/faults',
        async () => {
          await faults.clear()
          return { message: 'All goes well again' }
        },
        { response: { 200: Message }, detail: { summary: 'Let all go well again' } },
      )
      .post('/control/clock', ({ body }) => moveClock(sandbox, body), {
        body: SandboxClockChange,
        response: { 200: SandboxClock },
        detail: { summary: 'Move the clock of the sandbox' },
      })
      .post(
        '/control/signatures/:id',
        async ({ params, body }) => {
          const pressed = deps.config.sandbox.signing
            ? await signingRequests.applyOutcome(params.id, body.outcome)
            : undefined
          if (!pressed) throw notFound('Signing request')
          if (pressed.by) throw badRequest(`The signing request is closed: ${pressed.by}`)
          return signingRequests.toView(pressed)
        },
        {
          body: SigningOutcomeInput,
          response: { 200: SandboxSignature },
          detail: { summary: 'Do what a signer does' },
        },
      )
      .post(
        '/control/checks/:id',
        async ({ params, body }) => {
          const pressed = deps.config.sandbox.kyc
            ? await kycChecks.applyOutcome(params.id, body.outcome)
            : undefined
          if (!pressed) throw notFound('Identity check')
          if (!pressed.counted) throw badRequest('The identity check is finished')
          return kycChecks.toView(pressed.check)
        },
        {
          body: CheckOutcomeInput,
          response: { 200: SandboxCheck },
          detail: { summary: 'Do what a person does at an identity check' },
        },
      )
      .use(deps.config.sandbox.messages ? inbox(deps) : new Elysia())
  )
}

const inbox = (deps: Deps) =>
  new Elysia().get('/messages', ({ query }) => listNewestMessages(deps, query), {
    ...coerceQuery(SandboxMessageQuery),
    response: { 200: Type.Array(SandboxMessage) },
    detail: { summary: 'The newest messages, newest first' },
  })
