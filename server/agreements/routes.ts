import { Elysia } from 'elysia'
import {
  Agreement,
  AgreementResponse,
  AgreementChange,
  AgreementPage,
  AgreementQuery,
  DocumentQuery,
  Message,
  NewAgreement,
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
import { withActor, withReader } from '../http/authentication'
import { createdStatus } from '../http/created'
import { withIdempotency } from '../http/idempotency'
import { coerceQuery } from '../http/query-params'
import { toRawJsonSchema } from '../http/raw-json'
import { loadCertificate, toPdfResponse, loadSignedDocument } from './signed-documents'
import { selectAgreement, selectAgreementPage, selectSignatures } from './queries'
import {
  completeAgreement,
  createAgreement,
  deleteAgreement,
  reviseAgreement,
  terminateAgreement,
  updateAgreement,
} from './service'
import { cancelSignature, startSigning } from './signing'
import { selectTimeline, verifyTimeline } from './timeline'
import { parseRecordId } from '../domain/record-id'

const Pdf = Type.Any({ contentMediaType: 'application/pdf' })
const Deleted = Type.Object({ message: Type.String(), data: Message })

export const agreementRoutes = (deps: Deps) =>
  new Elysia({ prefix: '/agreements', tags: ['Agreements'] })
    .use(
      new Elysia()
        .use(withReader(deps))
        .get(
          '',
          async ({ asker, query }) => ({
            message: 'Agreements',
            ...(await asker.page(AgreementPage, selectAgreementPage, query, query)),
          }),
          {
            ...coerceQuery(AgreementQuery),
            response: { 200: toRawJsonSchema(AgreementPage) },
            detail: { summary: 'Agreements that the caller is a party of or manages' },
          },
        )
        .get(
          '/:id',
          async ({ asker, params }) => ({
            message: 'Agreement',
            data: await asker.one(
              'Agreement',
              Agreement,
              selectAgreement,
              parseRecordId(params.id, 'Agreement'),
            ),
          }),
          { response: { 200: toRawJsonSchema(AgreementResponse) }, detail: { summary: 'One agreement' } },
        )
        .get(
          '/:id/timeline',
          async ({ asker, params }) => ({
            message: 'Timeline',
            data: verifyTimeline(
              await asker.row('Agreement', selectTimeline, parseRecordId(params.id, 'Agreement')),
            ),
          }),
          { response: { 200: TimelineResponse }, detail: { summary: 'Who did what when' } },
        )
        .get(
          '/:id/document',
          async ({ asker, params, query }) => {
            const { agreement_number, content, sha256 } = await loadSignedDocument(
              deps,
              asker,
              params.id,
              query,
            )
            return toPdfResponse(agreement_number, content, sha256)
          },
          { ...coerceQuery(DocumentQuery), response: { 200: Pdf }, detail: { summary: 'The signed PDF' } },
        )
        .get(
          '/:id/certificate',
          async ({ asker, params }) => {
            const { agreement_number, content } = await loadCertificate(deps, asker, params.id)
            return toPdfResponse(`${agreement_number} certificate`, content)
          },
          { response: { 200: Pdf }, detail: { summary: 'The certificate of completion, a PDF' } },
        )
        .get(
          '/:id/signatures',
          async ({ asker, params }) => ({
            message: 'Signatures',
            data: await asker.one('Agreement', Signatures, selectSignatures, {
              of: parseRecordId(params.id, 'Agreement'),
              now: deps.now(),
            }),
          }),
          { response: { 200: toRawJsonSchema(SignaturesResponse) }, detail: { summary: 'Who has signed' } },
        ),
    )
    .use(createdStatus)
    .use(withActor(deps))
    .post(
      '',
      ({ request, actor, body }) =>
        withIdempotency(deps, { request, actor, body }, () => createAgreement(deps, actor, body)),
      {
        created: true,
        body: NewAgreement,
        response: { 201: AgreementResponse },
        detail: { summary: 'Draw up an agreement' },
      },
    )
    .patch('/:id', ({ body, actor, params }) => updateAgreement(deps, actor, params.id, body), {
      body: AgreementChange,
      response: { 200: AgreementResponse },
      detail: { summary: 'Change a draft' },
    })
    .delete('/:id', ({ actor, params }) => deleteAgreement(deps, actor, params.id), {
      response: { 200: Deleted },
      detail: { summary: 'Delete a draft' },
    })
    .post(
      '/:id/sign',
      ({ request, actor, params, body }) =>
        withIdempotency(deps, { request, actor, body }, () => startSigning(deps, actor, params.id, body)),
      {
        body: SignInput,
        response: { 200: StartedSigningResponse },
        detail: { summary: 'Start the signing of one party' },
      },
    )
    .post(
      '/:id/signatures/:signatureId/cancel',
      ({ actor, params }) => cancelSignature(deps, actor, params.id, params.signatureId),
      {
        response: { 200: CancelledSignatureResponse },
        detail: { summary: 'Cancel the open signature of one party; the others stay' },
      },
    )
    .post(
      '/:id/revise',
      ({ request, actor, params, body }) =>
        withIdempotency(deps, { request, actor, body }, () => reviseAgreement(deps, actor, params.id, body)),
      {
        created: true,
        body: AgreementChange,
        response: { 201: AgreementResponse },
        detail: { summary: 'Withdraw an agreement that is being signed and draw up its next version' },
      },
    )
    .post('/:id/terminate', ({ body, actor, params }) => terminateAgreement(deps, actor, params.id, body), {
      body: TerminateInput,
      response: { 200: AgreementResponse },
      detail: { summary: 'End a lease, or the signing of one' },
    })
    .post('/:id/complete', ({ actor, params }) => completeAgreement(deps, actor, params.id), {
      response: { 200: AgreementResponse },
      detail: { summary: 'Close a terminated agreement' },
    })
