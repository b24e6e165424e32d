import { Elysia } from 'elysia'
import {
  Agreement,
  AgreementResponse,
  AgreementChange,
  AgreementPage,
  AgreementQuery,
  DeclineInput,
  DeclinedSignatureResponse,
  DocumentQuery,
  DraftResponse,
  Message,
  NewAgreement,
  RenewInput,
  SignInput,
  CancelledSignatureResponse,
  Signatures,
  SignaturesResponse,
  StartedSigningResponse,
  TerminateInput,
  TimelineResponse,
} from '@kiraya/sdk/contract'
import { Type } from '@sinclair/typebox'
import type { Deps } from '../deps'
import { parseRecordId } from '../domain/record-id'
import { withActor, withReader } from '../http/authentication'
import { createdStatus } from '../http/created'
import { idempotencyParameters, withIdempotency } from '../http/idempotency'
import { Pdf, toPdfResponse } from '../http/pdf-response'
import { coerceQuery } from '../http/query-params'
import { toRawJsonSchema } from '../http/raw-json'
import { results } from '../messages/results'
import { loadCertificate } from './certificate'
import { selectAgreement, selectAgreementPage, selectSignatures } from './queries'
import { declineAgreement } from './refusal'
import { renewAgreement } from './renewal'
import { completeAgreement, createAgreement, deleteAgreement, updateAgreement } from './service'
import { loadSignedDocument } from './signed-documents'
import { cancelSignature, startSigning } from './signing'
import { selectTimeline, verifyTimeline } from './timeline'
import { reviseAgreement, terminateAgreement } from './withdrawal'

const Deleted = Type.Object({ message: Type.String(), data: Message })

export const agreementRoutes = (deps: Deps) =>
  new Elysia({ prefix: '/agreements', tags: ['Agreements'] })
    .use(agreementReads(deps))
    .use(evidenceReads(deps))
    .use(draftChanges(deps))
    .use(signingChanges(deps))
    .use(leaseChanges(deps))

const agreementReads = (deps: Deps) =>
  new Elysia()
    .use(withReader(deps))
    .get(
      '',
      async ({ reader, query }) => ({
        message: results.agreements,
        ...(await reader.page(AgreementPage, selectAgreementPage, query, query)),
      }),
      {
        ...coerceQuery(AgreementQuery),
        response: { 200: toRawJsonSchema(AgreementPage) },
        detail: { summary: 'List the agreements that the caller is a party of or manages' },
      },
    )
    .get(
      '/:id',
      async ({ reader, params }) => {
        const id = parseRecordId(params.id, 'agreement_not_found')
        return {
          message: results.agreement,
          data: await reader.one('agreement_not_found', Agreement, selectAgreement, id),
        }
      },
      { response: { 200: toRawJsonSchema(AgreementResponse) }, detail: { summary: 'Get an agreement' } },
    )
    .get(
      '/:id/signatures',
      async ({ reader, params }) => {
        const given = { agreementId: parseRecordId(params.id, 'agreement_not_found'), now: deps.now() }
        const data = await reader.one('agreement_not_found', Signatures, selectSignatures, given)
        return { message: results.signatures, data }
      },
      {
        response: { 200: toRawJsonSchema(SignaturesResponse) },
        detail: { summary: 'List the latest signature of each party' },
      },
    )

const evidenceReads = (deps: Deps) =>
  new Elysia()
    .use(withReader(deps))
    .get(
      '/:id/timeline',
      async ({ reader, params }) => {
        const id = parseRecordId(params.id, 'agreement_not_found')
        return reader.inTurn(async () => {
          const stored = await reader.row('agreement_not_found', selectTimeline, id)
          return { message: results.timeline, data: verifyTimeline(stored) }
        })
      },
      { response: { 200: TimelineResponse }, detail: { summary: 'List the events of an agreement' } },
    )
    .get(
      '/:id/document',
      async ({ reader, params, query }) => {
        const document = await loadSignedDocument(deps, reader, params.id, query)
        return toPdfResponse(document.agreement_number, document.content, document.sha256)
      },
      {
        ...coerceQuery(DocumentQuery),
        response: { 200: Pdf },
        detail: { summary: 'Download the signed PDF' },
      },
    )
    .get(
      '/:id/certificate',
      async ({ reader, params }) => {
        const { agreement_number, content } = await loadCertificate(deps, reader, params.id)
        return toPdfResponse(`${agreement_number} certificate`, content)
      },
      { response: { 200: Pdf }, detail: { summary: 'Download the certificate of completion, a PDF' } },
    )

const draftChanges = (deps: Deps) =>
  new Elysia()
    .use(createdStatus)
    .use(withActor(deps))
    .post(
      '',
      ({ request, actor, body }) =>
        withIdempotency(deps, { request, actor, body }, () => createAgreement(deps, actor, body)),
      {
        created: true,
        body: NewAgreement,
        response: { 201: DraftResponse },
        detail: { summary: 'Create an agreement, a draft', ...idempotencyParameters },
      },
    )
    .patch('/:id', ({ body, actor, params }) => updateAgreement(deps, actor, params.id, body), {
      body: AgreementChange,
      response: { 200: DraftResponse },
      detail: { summary: 'Change a draft' },
    })
    .delete('/:id', ({ actor, params }) => deleteAgreement(deps, actor, params.id), {
      response: { 200: Deleted },
      detail: { summary: 'Delete a draft' },
    })

const signingChanges = (deps: Deps) =>
  new Elysia()
    .use(createdStatus)
    .use(withActor(deps))
    .post(
      '/:id/sign',
      ({ request, actor, params, body }) =>
        withIdempotency(deps, { request, actor, body }, () =>
          deps.runSigning(actor.id, () => startSigning(deps, actor, params.id, body)),
        ),
      {
        body: SignInput,
        response: { 200: StartedSigningResponse },
        detail: { summary: 'Start the signing of one party', ...idempotencyParameters },
      },
    )
    .post(
      '/:id/decline',
      ({ request, actor, params, body }) =>
        withIdempotency(deps, { request, actor, body }, () => declineAgreement(deps, actor, params.id, body)),
      {
        body: DeclineInput,
        response: { 200: DeclinedSignatureResponse },
        detail: { summary: 'Refuse to sign, as a party who has not signed', ...idempotencyParameters },
      },
    )
    .post(
      '/:id/signatures/:signatureId/cancel',
      ({ request, actor, params, body }) =>
        withIdempotency(deps, { request, actor, body }, () =>
          cancelSignature(deps, actor, params.id, params.signatureId),
        ),
      {
        response: { 200: CancelledSignatureResponse },
        detail: {
          summary: 'Cancel the open signature of one party; the others stay',
          ...idempotencyParameters,
        },
      },
    )
    .post(
      '/:id/revise',
      ({ request, actor, params, body }) =>
        withIdempotency(deps, { request, actor, body }, () => reviseAgreement(deps, actor, params.id, body)),
      {
        created: true,
        body: AgreementChange,
        response: { 201: DraftResponse },
        detail: {
          summary: 'Withdraw an agreement that is being signed and create its next version',
          ...idempotencyParameters,
        },
      },
    )

const leaseChanges = (deps: Deps) =>
  new Elysia()
    .use(createdStatus)
    .use(withActor(deps))
    .post(
      '/:id/renew',
      ({ request, actor, params, body }) =>
        withIdempotency(deps, { request, actor, body }, () => renewAgreement(deps, actor, params.id, body)),
      {
        created: true,
        body: RenewInput,
        response: { 201: DraftResponse },
        detail: { summary: 'Draw up the next term of a lease, a draft', ...idempotencyParameters },
      },
    )
    .post(
      '/:id/terminate',
      ({ request, actor, params, body }) =>
        withIdempotency(deps, { request, actor, body }, () =>
          terminateAgreement(deps, actor, params.id, body),
        ),
      {
        body: TerminateInput,
        response: { 200: AgreementResponse },
        detail: { summary: 'End a lease, or its signing', ...idempotencyParameters },
      },
    )
    .post(
      '/:id/complete',
      ({ request, actor, params, body }) =>
        withIdempotency(deps, { request, actor, body }, () => completeAgreement(deps, actor, params.id)),
      {
        response: { 200: AgreementResponse },
        detail: { summary: 'Close a terminated agreement', ...idempotencyParameters },
      },
    )
