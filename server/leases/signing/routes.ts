import { Elysia } from 'elysia'
import {
  CancelledSignatureResponse,
  DeclineInput,
  DeclinedSignatureResponse,
  SignaturesResponse,
  SignInput,
  StartedSigningResponse,
} from '@kiraya/sdk/contract'
import type { Deps } from '../../deps'
import { parseRecordId } from '../../domain/record-id'
import { rawJson } from '../../http/reads/raw-json'
import { actorRoutes, readerRoutes } from '../../http/routes'
import { results } from '../../messages/results'
import { selectSignatures } from '../queries'
import { SIGNING } from '../reasons'
import { declineAgreement } from './refusal'
import { changeAndCancel } from './status'
import { cancelSignature, startSigning } from './start'

const AGREEMENT = '/agreements/:id'

export const signingRoutes = (deps: Deps) =>
  new Elysia().use(signatureReads(deps)).use(starts(deps)).use(ends(deps))

const signatureReads = (deps: Deps) =>
  readerRoutes(deps).get(
    `${AGREEMENT}/signatures`,
    async ({ reader, params }) => {
      const given = { agreementId: parseRecordId(params.id, 'agreement_not_found'), now: deps.now() }
      const data = await reader.one(selectSignatures, given, 'agreement_not_found')
      return { message: results.signatures, data }
    },
    {
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
    `${AGREEMENT}/sign`,
    async ({ actor, change, params, body }) => {
      const started = await startSigning(deps, actor, params.id, body)
      return change(async () => started)
    },
    {
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
          'document_refused',
          'not_a_party',
          'not_own_signing',
          'not_your_turn',
          'signer_not_found',
          'signing_in_progress',
          'tenants_declined',
          'tenants_erased',
          'too_many_messages',
          'unit_overlap',
          'wrong_status',
        ],
      },
    },
  )

const ends = (deps: Deps) =>
  actorRoutes(deps)
    .post(
      `${AGREEMENT}/decline`,
      ({ actor, change, params, body }) => declineAgreement(deps, { actor, change }, params.id, body),
      {
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
      `${AGREEMENT}/signatures/:signatureId/cancel`,
      ({ change, params }) => changeAndCancel(deps, change, cancelSignature, params.id, params.signatureId),
      {
        response: { 200: CancelledSignatureResponse },
        detail: {
          operationId: 'cancelSignature',
          summary: 'Cancel the open signature of one party; the others stay',
          description:
            'Withdraws the request to one party, so that they can be asked again. The other signatures stay.',
          reasons: [...SIGNING, 'not_unit_side', 'signature_not_found', 'signature_not_open'],
        },
      },
    )
