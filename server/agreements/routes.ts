import { Elysia } from 'elysia'
import {
  Agreement,
  AgreementAnswer,
  AgreementChange,
  AgreementPage,
  AgreementQuery,
  DocumentQuery,
  Message,
  NewAgreement,
  Sign,
  SignatureCancelledAnswer,
  Signatures,
  SignaturesAnswer,
  SigningAnswer,
  Terminate,
  TimelineAnswer,
} from '@kiraya/sdk/contract'
import { Type } from '@sinclair/typebox'
import type { Deps } from '../deps'
import { acting, asking, idOf } from '../http/actor'
import { created } from '../http/created'
import { once } from '../http/once'
import { inQuery } from '../http/query'
import { written } from '../http/written'
import { certificateOf, pdfAnswer, signedDocument } from './documents'
import { agreementById, agreementPage, signing } from './queries'
import {
  completeAgreement,
  createAgreement,
  deleteAgreement,
  reviseAgreement,
  terminateAgreement,
  updateAgreement,
} from './service'
import { cancelSigning, startSigning } from './sign'
import { timelineOf, withProof } from './timeline'

const Pdf = Type.Any({ contentMediaType: 'application/pdf' })
const Deleted = Type.Object({ message: Type.String(), data: Message })

export const agreementRoutes = (deps: Deps) =>
  new Elysia({ prefix: '/agreements', tags: ['Agreements'] })
    .use(
      new Elysia()
        .use(asking(deps))
        .get(
          '',
          async ({ asker, query }) => ({
            message: 'Agreements',
            ...(await asker.page(AgreementPage, agreementPage, query, query)),
          }),
          {
            ...inQuery(AgreementQuery),
            response: { 200: written(AgreementPage) },
            detail: { summary: 'Agreements that the caller is a party of or manages' },
          },
        )
        .get(
          '/:id',
          async ({ asker, params }) => ({
            message: 'Agreement',
            data: await asker.one('Agreement', Agreement, agreementById, idOf(params.id, 'Agreement')),
          }),
          { response: { 200: written(AgreementAnswer) }, detail: { summary: 'One agreement' } },
        )
        .get(
          '/:id/timeline',
          async ({ asker, params }) => ({
            message: 'Timeline',
            data: withProof(await asker.row('Agreement', timelineOf, idOf(params.id, 'Agreement'))),
          }),
          { response: { 200: TimelineAnswer }, detail: { summary: 'Who did what when' } },
        )
        .get(
          '/:id/document',
          async ({ asker, params, query }) => {
            const { agreement_number, content, sha256 } = await signedDocument(deps, asker, params.id, query)
            return pdfAnswer(agreement_number, content, sha256)
          },
          { ...inQuery(DocumentQuery), response: { 200: Pdf }, detail: { summary: 'The signed PDF' } },
        )
        .get(
          '/:id/certificate',
          async ({ asker, params }) => {
            const { agreement_number, content } = await certificateOf(deps, asker, params.id)
            return pdfAnswer(`${agreement_number} certificate`, content)
          },
          { response: { 200: Pdf }, detail: { summary: 'The certificate of completion, a PDF' } },
        )
        .get(
          '/:id/signatures',
          async ({ asker, params }) => ({
            message: 'Signatures',
            data: await asker.one('Agreement', Signatures, signing, {
              of: idOf(params.id, 'Agreement'),
              now: deps.now(),
            }),
          }),
          { response: { 200: written(SignaturesAnswer) }, detail: { summary: 'Who has signed' } },
        ),
    )
    .use(created)
    .use(acting(deps))
    .post(
      '',
      ({ request, actor, body }) =>
        once(deps, { request, actor, body }, () => createAgreement(deps, actor, body)),
      {
        created: true,
        body: NewAgreement,
        response: { 201: AgreementAnswer },
        detail: { summary: 'Draw up an agreement' },
      },
    )
    .patch('/:id', ({ body, actor, params }) => updateAgreement(deps, actor, params.id, body), {
      body: AgreementChange,
      response: { 200: AgreementAnswer },
      detail: { summary: 'Change a draft' },
    })
    .delete('/:id', ({ actor, params }) => deleteAgreement(deps, actor, params.id), {
      response: { 200: Deleted },
      detail: { summary: 'Delete a draft' },
    })
    .post(
      '/:id/sign',
      ({ request, actor, params, body }) =>
        once(deps, { request, actor, body }, () => startSigning(deps, actor, params.id, body)),
      { body: Sign, response: { 200: SigningAnswer }, detail: { summary: 'Start the signing of one party' } },
    )
    .post(
      '/:id/signatures/:signatureId/cancel',
      ({ actor, params }) => cancelSigning(deps, actor, params.id, params.signatureId),
      {
        response: { 200: SignatureCancelledAnswer },
        detail: { summary: 'Cancel the open signature of one party; the others stay' },
      },
    )
    .post(
      '/:id/revise',
      ({ request, actor, params, body }) =>
        once(deps, { request, actor, body }, () => reviseAgreement(deps, actor, params.id, body)),
      {
        created: true,
        body: AgreementChange,
        response: { 201: AgreementAnswer },
        detail: { summary: 'Withdraw an agreement that is being signed and draw up its next version' },
      },
    )
    .post('/:id/terminate', ({ body, actor, params }) => terminateAgreement(deps, actor, params.id, body), {
      body: Terminate,
      response: { 200: AgreementAnswer },
      detail: { summary: 'End a lease, or the signing of one' },
    })
    .post('/:id/complete', ({ actor, params }) => completeAgreement(deps, actor, params.id), {
      response: { 200: AgreementAnswer },
      detail: { summary: 'Close a terminated agreement' },
    })
