import { Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import {
  CheckOutcomeInput,
  Message,
  NewSandboxFailure,
  SandboxCheck,
  SandboxClock,
  SandboxClockChange,
  SandboxEkyc,
  SandboxFailure,
  SandboxMessage,
  SandboxMessageQuery,
  SandboxSignature,
  SandboxState,
  SigningOutcomeInput,
  type CheckOutcome,
  type SigningOutcome,
} from '@kiraya/sdk/contract'
import type { Config } from '../config'
import type { Deps } from '../deps'
import { refuse } from '../errors'
import { equalsInConstantTime, getBearerToken } from '../http/constant-time'
import { created } from '../http/routes'
import { endTenures } from '../leases/agreements/tenures'
import { postCharges } from '../books/charges/daily-posting'
import type { SandboxCore } from './core'
import { applyCheckOutcome, getKycMode, listOpenChecks, setKycMode, toCheckView } from './kyc-checks'
import { applySigningOutcome, expireBetween, listOpenSignatures } from './signing-requests'
import { toSignatureView } from './signing-views'
import { listNewestMessages } from './whatsapp'
import examples from './examples.json'

const MAX_OPEN_ITEMS = 50

/** Checks SANDBOX_TOKEN, if it is set. A browser can send it as the password of HTTP Basic. */
export function hasControlAccess({ config }: Deps, request: Request, allowsBasic = false) {
  if (!config.SANDBOX_TOKEN) return true
  const password = allowsBasic ? getBasicPassword(request) : undefined
  return equalsInConstantTime(password ?? getBearerToken(request), config.SANDBOX_TOKEN)
}

function getBasicPassword(request: Request) {
  const [, encoded] = /^Basic (.*)$/i.exec(request.headers.get('authorization') ?? '') ?? []
  if (encoded === undefined) return undefined
  const userAndPassword = Buffer.from(encoded, 'base64').toString()
  return userAndPassword.replace(/^[^:]*:/, '')
}

/** Loads the clock, the simulated failures, and what a person can act on. */
export async function loadSandboxState(sandbox: SandboxCore): Promise<SandboxState> {
  const [clock, ekyc, failures, held_webhooks, signatures, checks] = await Promise.all([
    sandbox.clock.getView(),
    getKycMode(sandbox),
    sandbox.failures.list(),
    sandbox.webhooks.countScheduled(),
    listOpenSignatures(sandbox, MAX_OPEN_ITEMS),
    listOpenChecks(sandbox, MAX_OPEN_ITEMS),
  ])
  return { clock, ekyc, failures, held_webhooks, signatures, checks }
}

/**
 * Moves the clock; due webhooks and expiries happen before this resolves. So does what falls due in the books, but in
 * production: there the time of the server stays.
 */
export async function moveClock(sandbox: SandboxCore, change: SandboxClockChange) {
  const before = await sandbox.clock.now()
  const moved = await sandbox.clock.move(change)
  await sandbox.scheduler.runDue()
  await expireBetween(sandbox, before.toISOString(), moved.now)
  if (sandbox.deps.config.isProduction) return moved
  await endTenures(sandbox.deps)
  await postCharges(sandbox.deps)
  return moved
}

async function signAsPerson(sandbox: SandboxCore, id: string, outcome: SigningOutcome) {
  if (!sandbox.deps.config.sandbox.signing) throw refuse('sandbox_request_not_found')
  const part = await applySigningOutcome(sandbox, id, outcome)
  if (!part) throw refuse('sandbox_request_not_found')
  if (part.closedBy) throw refuse('sandbox_request_closed', { by: part.closedBy })
  return toSignatureView(sandbox, part, await sandbox.clock.now())
}

async function decideAsPerson(sandbox: SandboxCore, id: string, outcome: CheckOutcome) {
  if (!sandbox.deps.config.sandbox.kyc) throw refuse('sandbox_check_not_found')
  const result = await applyCheckOutcome(sandbox, id, outcome)
  if (!result) throw refuse('sandbox_check_not_found')
  if (!result.hasChanged) throw refuse('sandbox_check_finished')
  return toCheckView(sandbox, result.check)
}

const toSecurity = ({ SANDBOX_TOKEN }: Config) => (SANDBOX_TOKEN ? [{ sandbox: [] }] : [])

/** The sandbox's control for scripts. */
export const controlRoutes = (sandbox: SandboxCore) =>
  new Elysia({
    prefix: '/sandbox',
    tags: ['Sandbox'],
    detail: { security: toSecurity(sandbox.deps.config), examples },
  })
    // Before the body is validated.
    .onTransform(({ request }) => {
      if (!hasControlAccess(sandbox.deps, request)) throw refuse('sandbox_token_required')
    })
    .use(stateRoutes(sandbox))
    .use(personRoutes(sandbox))
    .use(failureRoutes(sandbox))
    .use(sandbox.deps.config.sandbox.messages ? messageRoutes(sandbox) : new Elysia())

const stateRoutes = (sandbox: SandboxCore) =>
  new Elysia()
    .get('/control', () => loadSandboxState(sandbox), {
      response: { 200: SandboxState },
      detail: {
        operationId: 'getSandbox',
        summary: 'Get the clock, the simulated failures and what is open',
        description:
          'Returns the clock of the sandbox, its simulated failures, and the signatures and identity checks that wait for a person.',
      },
    })
    .post('/control/clock', ({ body }) => moveClock(sandbox, body), {
      body: SandboxClockChange,
      response: { 200: SandboxClock },
      detail: {
        operationId: 'moveSandboxClock',
        summary: 'Move the sandbox clock',
        description:
          'Moves the clock: late webhooks arrive, requests expire, and the books have what falls due before the response. Outside of production the whole server goes by it, sessions too. Send exactly one field.',
        reasons: ['sandbox_clock_change_ambiguous', 'sandbox_clock_out_of_range'],
      },
    })
    .post('/control/ekyc', ({ body }) => setKycMode(sandbox, body), {
      body: SandboxEkyc,
      response: { 200: SandboxEkyc },
      detail: {
        operationId: 'setSandboxEkyc',
        summary: 'Choose how identity checks end',
        description:
          'Lets identity checks succeed when they are completed (`auto`, as at the start), or wait for a person (`manual`).',
      },
    })

const personRoutes = (sandbox: SandboxCore) =>
  new Elysia()
    .post('/control/signatures/:id', ({ params, body }) => signAsPerson(sandbox, params.id, body.outcome), {
      body: SigningOutcomeInput,
      response: { 200: SandboxSignature },
      detail: {
        operationId: 'actAsSigner',
        summary: 'Act as a signer',
        description:
          'Does what a signer would do on the page at `signing_url`. `id` is the last part of that address.',
        reasons: ['sandbox_request_closed', 'sandbox_request_not_found'],
      },
    })
    .post('/control/checks/:id', ({ params, body }) => decideAsPerson(sandbox, params.id, body.outcome), {
      body: CheckOutcomeInput,
      response: { 200: SandboxCheck },
      detail: {
        operationId: 'decideIdentityCheck',
        summary: 'Act as the person of an identity check',
        description:
          'Does what a person would do on the page at `verification_url`. `id` is the last part of that address.',
        reasons: ['sandbox_check_finished', 'sandbox_check_not_found'],
      },
    })

const failureRoutes = ({ failures }: SandboxCore) =>
  new Elysia()
    .post('/control/failures', ({ body }) => failures.add(body), {
      body: NewSandboxFailure,
      response: created(SandboxFailure),
      detail: {
        operationId: 'addSandboxFailure',
        summary: 'Add a simulated failure for the next calls or webhooks',
        description: 'Makes the next calls to a simulated provider, or its next webhooks, fail or come late.',
        reasons: [
          'sandbox_behaviour_unsupported',
          'sandbox_call_unsupported',
          'sandbox_provider_not_simulated',
        ],
      },
    })
    .delete('/control/failures/:id', ({ params }) => failures.remove(params.id), {
      response: { 200: Message },
      detail: {
        operationId: 'removeSandboxFailure',
        summary: 'Remove a simulated failure',
        description: 'Removes one simulated failure, whether or not it was used up.',
        reasons: ['sandbox_failure_not_found'],
      },
    })
    .delete('/control/failures', () => failures.clear(), {
      response: { 200: Message },
      detail: {
        operationId: 'clearSandboxFailures',
        summary: 'Clear all simulated failures',
        description: 'Removes every simulated failure.',
      },
    })

const messageRoutes = ({ deps }: SandboxCore) =>
  new Elysia().get('/messages', ({ query }) => listNewestMessages(deps, query), {
    query: SandboxMessageQuery,
    response: { 200: Type.Array(SandboxMessage) },
    detail: {
      operationId: 'listSandboxMessages',
      summary: 'List the newest messages, newest first',
      description:
        'Lists the newest fifty messages that the sandbox stored instead of sending them, newest first.',
    },
  })
