import { Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import {
  Message,
  NewSandboxFault,
  PressCheck,
  PressSigning,
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
import { created } from '../http/created'
import { inQuery } from '../http/query'
import { same } from '../http/secrets'
import { newestMessages } from './messages'
import type { Sandbox } from './sandbox'

const NEWEST = 50

/** Where SANDBOX_TOKEN is set, it is asked for as the bearer token; a browser sends it as the password of HTTP Basic. */
export function mayControl({ config: { SANDBOX_TOKEN } }: Deps, request: Request, inBrowser = false) {
  const authorization = request.headers.get('authorization') ?? ''
  const [, basic] = /^Basic (.*)$/i.exec(authorization) ?? []
  const given =
    inBrowser && basic !== undefined
      ? Buffer.from(basic, 'base64')
          .toString()
          .replace(/^[^:]*:/, '')
      : authorization.replace(/^Bearer /i, '')
  return !SANDBOX_TOKEN || same(given, SANDBOX_TOKEN)
}

/** What is to come, and what waits for a person. */
export const stateOf = async ({ clock, faults, later, signings, checks }: Sandbox): Promise<SandboxState> => {
  const [now, list, held_webhooks, signatures, open] = await Promise.all([
    clock.state(),
    faults.list(),
    later.count('webhook'),
    signings.open(NEWEST),
    checks.open(NEWEST),
  ])
  return { clock: now, faults: list, held_webhooks, signatures, checks: open }
}

/** Moves the clock; what is due or over by then comes to pass before this returns. */
export async function moveClock({ clock, later, signings }: Sandbox, change: SandboxClockChange) {
  const before = await clock.now()
  const moved = await clock.move(change)
  await later.wake()
  await signings.lapse(before.toISOString(), moved.now)
  return moved
}

/** The control for scripts. */
export const sandboxControl = (sandbox: Sandbox) => {
  const { deps, faults, signings, checks } = sandbox
  return (
    new Elysia({ prefix: '/sandbox', tags: ['Sandbox'] })
      .use(created)
      // Before what was sent is looked at.
      .onTransform(({ request }) => {
        if (!mayControl(deps, request))
          throw unauthorized('The sandbox asks for SANDBOX_TOKEN as its bearer token')
      })
      .get('/control', () => stateOf(sandbox), {
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
            ? await signings.press(params.id, body.outcome)
            : undefined
          if (!pressed) throw notFound('Signing request')
          if (pressed.by) throw badRequest(`The signing request is closed: ${pressed.by}`)
          return signings.described(pressed)
        },
        {
          body: PressSigning,
          response: { 200: SandboxSignature },
          detail: { summary: 'Do what a signer does' },
        },
      )
      .post(
        '/control/checks/:id',
        async ({ params, body }) => {
          const pressed = deps.config.sandbox.kyc ? await checks.press(params.id, body.outcome) : undefined
          if (!pressed) throw notFound('Identity check')
          if (!pressed.counted) throw badRequest('The identity check is finished')
          return checks.described(pressed.check)
        },
        {
          body: PressCheck,
          response: { 200: SandboxCheck },
          detail: { summary: 'Do what a person does at an identity check' },
        },
      )
      .use(deps.config.sandbox.messages ? inbox(deps) : new Elysia())
  )
}

const inbox = (deps: Deps) =>
  new Elysia().get('/messages', ({ query }) => newestMessages(deps, query), {
    ...inQuery(SandboxMessageQuery),
    response: { 200: Type.Array(SandboxMessage) },
    detail: { summary: 'The newest messages, newest first' },
  })
