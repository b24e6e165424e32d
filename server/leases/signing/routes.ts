import { Elysia } from 'elysia'
import {
  CancelledSignatureResponse,
  DeclineInput,
  DeclinedSignatureResponse,
  Message,
  SignaturesResponse,
  SignInput,
  StartedSigningResponse,
} from '@kiraya/sdk/contract'
import type { Deps } from '../../deps'
import { readBody } from '../../http/body/read'
import { toJsonContent, toStandardSchema } from '../../http/openapi/schemas'
import { rawJson } from '../../http/reads/raw-json'
import { actorRoutes, readerRoutes } from '../../http/routes'
import { results, toResult } from '../../messages/results'
import { listSigningProviders } from '../../providers/signing/lookup'
import { AgreementPath, selectSignatures } from '../queries'
import { SIGNING } from '../reasons'
import { cancelSignature, changeAndCancel, SignaturePath } from './endings'
import { receiveEsignWebhook } from './inbox'
import { declineAgreement } from './refusal'
import { startSigning } from './start'
import examples from './examples.json'

export const signingRoutes = (deps: Deps) =>
  new Elysia().use(signatureReads(deps)).use(starts(deps)).use(ends(deps))

const signatureReads = (deps: Deps) =>
  readerRoutes(deps).get(
    '/:id/signatures',
    ({ reader, params }) => {
      const given = { agreementId: params.id, now: deps.now() }
      return toResult(results.signatures, reader.one(selectSignatures, given, 'agreement_not_found'))
    },
    {
      params: AgreementPath,
      response: { 200: rawJson(SignaturesResponse) },
      detail: {
        operationId: 'listSignatures',
        summary: 'List the latest signature of each party',
        description:
          'Returns the latest signature of each party who was asked. `allSigned` is true when every required party ' +
          "has signed: the landlord's side and all tenants.",
      },
    },
  )

const starts = (deps: Deps) =>
  actorRoutes(deps).post(
    '/:id/sign',
    async ({ actor, change, params, body }) => {
      const started = await startSigning(deps, actor, params.id, body)
      return change(async () => started)
    },
    {
      params: AgreementPath,
      body: SignInput,
      response: { 200: StartedSigningResponse },
      detail: {
        operationId: 'startSigning',
        summary: 'Start the signing of one party',
        description:
          'Asks one party to sign and returns the address where they do. The first call makes a draft PENDING and ' +
          'fixes its parties. A request that is still open is returned again. The agreement becomes ACTIVE when ' +
          "the landlord's side and all tenants have signed.",
        reasons: [
          ...SIGNING,
          'already_signed',
          'document_missing',
          'document_not_made',
          'document_refused',
          'documents_busy',
          'file_not_read',
          'not_a_party',
          'not_own_signing',
          'not_your_turn',
          'signer_not_found',
          'signing_in_progress',
          'storage_full',
          'tenants_declined',
          'tenants_erased',
          'too_many_messages',
          'too_many_starts',
          'unit_overlap',
          'wrong_status',
        ],
      },
    },
  )

const ends = (deps: Deps) =>
  actorRoutes(deps)
    .post(
      '/:id/decline',
      ({ actor, change, params, body }) => declineAgreement(deps, { actor, change }, params.id, body),
      {
        params: AgreementPath,
        body: DeclineInput,
        response: { 200: DeclinedSignatureResponse },
        detail: {
          operationId: 'declineAgreement',
          summary: 'Refuse to sign, as a party who has not signed',
          description: 'Records that the caller, a party who has not signed, refuses to sign.',
          reasons: ['already_signed', 'not_a_party', 'wrong_status'],
        },
      },
    )
    .post(
      '/:id/signatures/:signatureId/cancel',
      ({ change, params }) => changeAndCancel(deps, change, cancelSignature, params),
      {
        params: SignaturePath,
        response: { 200: CancelledSignatureResponse },
        detail: {
          operationId: 'cancelSignature',
          summary: 'Cancel the open signature of one party; the others stay',
          description:
            'Withdraws the request to one party, so that they can be asked again. The other signatures stay.',
          reasons: [...SIGNING, 'not_unit_side', 'signature_not_open'],
        },
      },
    )

/** The body is read as bytes, because the signature covers each of them: a text loses its byte order mark. */
export const esignWebhookRoutes = (deps: Deps) =>
  new Elysia({ prefix: '/webhooks', tags: ['Webhooks'], detail: { security: [], examples } }).post(
    '/esign',
    ({ body, request }) => receiveEsignWebhook(deps, body as Uint8Array, request.headers),
    {
      parse: ({ request }) => readBody(request),
      response: { 200: Message },
      detail: {
        operationId: 'receiveEsignWebhook',
        summary: 'Receive a webhook of the e-signing provider',
        description:
          'The e-signing provider sends changes of a signature here. The signature of the bytes is verified; a ' +
          'webhook is stored, and one that comes twice counts once. What it says is read back from the provider ' +
          'before it counts.',
        reasons: [...SIGNING, 'provider_request_unknown', 'webhook_signature_invalid'],
        parameters: describeSignatures(deps),
        requestBody: describePayload(deps),
      },
    },
  )

function describeSignatures(deps: Deps) {
  const headers = new Set(listSigningProviders(deps).map(({ webhookHeader }) => webhookHeader))
  return [...headers].map(name => ({
    name,
    in: 'header',
    required: headers.size === 1,
    description: "The provider's signature of the body's bytes",
    schema: { type: 'string' as const },
  }))
}

function describePayload(deps: Deps) {
  const schemas = new Set(listSigningProviders(deps).map(({ webhookSchema }) => webhookSchema))
  const [schema, ...others] = [...schemas].map(toStandardSchema)
  return { required: true, content: toJsonContent(others.length ? { anyOf: [schema, ...others] } : schema!) }
}
