import { randomUUID } from 'node:crypto'
import { Type, type Static } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import { Elysia } from 'elysia'
import type { Deps } from '../deps'
import { actions, facts, link, page, paragraph } from '../pages'
import { webhookSignature } from '../signing/webhook'
import { createRecords } from './records'
import { deliver, isCaller, wireError } from './wire'

const VALID_MS = 72 * 3_600_000

const Initiate = Type.Object({
  documentId: Type.String(),
  documentUrl: Type.String(),
  signer: Type.Object({ identifier: Type.String(), displayName: Type.String() }),
  redirectUrl: Type.String(),
  flexiOptions: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
})
type Envelope = Static<typeof Initiate> & { id: string; signerId: string; status: string; signerStatus: string; errCode: string | null; validUpto: string; cancelled: boolean }

/** What pressing a button means on the wire. */
const outcomes = {
  'sign': { event: 'ESIGN_COMPLETE', change: { status: 'sign_complete', signerStatus: 'signed', errCode: null }, said: 'You have signed' },
  'decline': { event: 'ESIGN_FAILED', change: { errCode: 'signer_declined' }, said: 'You have declined to sign' },
  'fail-otp': { event: 'ESIGN_OTP_FAILED', change: { status: 'sign_in_progress', signerStatus: 'in_progress', errCode: 'invaild_otp' }, said: 'The one-time password was wrong; you can try again' },
  'expire': { event: 'ESIGN_EXPIRED', change: { errCode: 'session_expired' }, said: 'The time to sign has run out' },
} as const

/** Stands in for the e-signing provider: its HTTP interface, its page for the signer and its webhooks. */
export const sandboxSigning = (deps: Deps) => {
  const envelopes = createRecords<Envelope>(deps.orm, 'esign')
  const addressOf = (id: string) => `${deps.publicUrl()}/sandbox/sign/${id}`
  const answer = (envelope: Envelope) => ({
    id: envelope.id,
    documentId: envelope.documentId,
    status: envelope.status,
    signers: [{ id: envelope.signerId, identifier: envelope.signer.identifier, displayName: envelope.signer.displayName, status: envelope.signerStatus, url: addressOf(envelope.id), errCode: envelope.errCode }],
    validUpto: envelope.validUpto,
  })
  const isOpen = (envelope: Envelope) => !envelope.cancelled && envelope.signerStatus !== 'signed' && envelope.errCode !== 'signer_declined' && new Date(envelope.validUpto) > deps.now()
  const api = new Elysia({ prefix: '/sandbox/esign' })
    .post('/api/esign', async ({ request, body }) => {
      if (!isCaller(deps, request)) return wireError(401, 'unauthorized', 'The credentials are not valid')
      if (!Value.Check(Initiate, body)) return wireError(400, 'invalid_request', `${Value.Errors(Initiate, body).First()?.path} is not valid`)
      const now = deps.now(), id = randomUUID()
      const { documentId, documentUrl, signer, redirectUrl, flexiOptions } = body
      return Response.json(answer(await envelopes.add(id, { id, documentId, documentUrl, signer, redirectUrl, flexiOptions, signerId: randomUUID(), status: 'sign_initiated', signerStatus: 'pending', errCode: null, validUpto: new Date(now.getTime() + VALID_MS).toISOString(), cancelled: false }, now)))
    })
    .get('/api/esign/:id', async ({ request, params }) => {
      if (!isCaller(deps, request)) return wireError(401, 'unauthorized', 'The credentials are not valid')
      const envelope = await envelopes.get(params.id)
      return envelope && !envelope.cancelled ? Response.json(answer(envelope)) : wireError(404, 'not_found', 'No such request')
    })
    .post('/api/esign/:id/delete/', async ({ request, params }) => {
      if (!isCaller(deps, request)) return wireError(401, 'unauthorized', 'The credentials are not valid')
      return await envelopes.change(params.id, envelope => ({ ...envelope, cancelled: true })) ? new Response(null, { status: 204 }) : wireError(404, 'not_found', 'No such request')
    })

  const people = new Elysia({ prefix: '/sandbox/sign' })
    .get('/:id', async ({ params }) => {
      const envelope = await envelopes.get(params.id)
      if (!envelope) return page('No such document', paragraph('The address is not complete, or the request is gone.'), 404)
      return page('Sign your rental agreement', [
        facts({ Signer: Bun.escapeHTML(envelope.signer.displayName), Document: link(envelope.documentUrl), 'Open until': Bun.escapeHTML(envelope.validUpto) }),
        isOpen(envelope) ? actions(`/sandbox/sign/${envelope.id}`, { 'sign': 'Sign', 'decline': 'Decline', 'fail-otp': 'Fail OTP', 'expire': 'Expire' }) : paragraph('This request is closed.'),
        paragraph('This is the sandbox: nothing here is legally binding.', true),
      ].join('\n'))
    })
    .post('/:id/:outcome', async ({ params }) => {
      if (!Object.hasOwn(outcomes, params.outcome)) return page('Nothing to do', paragraph('There is no such action.'), 404)
      const { event, change, said } = outcomes[params.outcome as keyof typeof outcomes]
      let wasOpen = false
      const envelope = await envelopes.change(params.id, before => {
        wasOpen = isOpen(before)
        return wasOpen ? { ...before, ...change, ...event === 'ESIGN_EXPIRED' && { validUpto: deps.now().toISOString() } } : before
      })
      if (!envelope) return page('No such document', paragraph('The address is not complete, or the request is gone.'), 404)
      if (!wasOpen) return page('This request is closed', paragraph('It was signed, declined, cancelled or has expired.'), 400)
      const { id, documentId, status, signers } = answer(envelope)
      const payload = JSON.stringify({ event, timeStamp: deps.now().toISOString(), data: { esign: { id, documentId, status, signers } } })
      await deliver(deps, '/webhooks/esign', payload, { [deps.config.ESIGN_WEBHOOK_HEADER]: webhookSignature(payload, deps.config.ESIGN_WEBHOOK_SECRET) })
      return deps.config.ESIGN_REDIRECT_URL ? Response.redirect(deps.config.ESIGN_REDIRECT_URL, 303) : page(said, paragraph('You can close this page.'))
    })
  return new Elysia().use(api).use(people)
}
