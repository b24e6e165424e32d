import { Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import {
  AcceptanceInput,
  AgreementChange,
  AgreementPage,
  AgreementQuery,
  AgreementResponse,
  DraftResponse,
  Message,
  NewAgreement,
  RenewInput,
  TerminateInput,
} from '@kiraya/sdk/contract'
import type { Deps } from '../../deps'
import { rawJson } from '../../http/reads/raw-json'
import { actorRoutes, created, readerRoutes } from '../../http/routes'
import { results, toPageResult } from '../../messages/results'
import { draftRoutes } from '../documents/routes'
import { evidenceRoutes } from '../evidence/routes'
import { AgreementPath, selectAgreement, selectAgreementPage } from '../queries'
import { AGREEMENT_CHANGE, TERMS } from '../reasons'
import { reinstateAgreement } from './reinstatement'
import { renewAgreement } from './renewal'
import { completeAgreement, createAgreement, deleteAgreement, updateAgreement } from './service'
import { changeAndCancel } from '../signing/endings'
import { signingRoutes } from '../signing/routes'
import { warnOfObjections } from './warnings'
import { reviseAgreement, terminateAgreement } from './withdrawal'
import examples from './examples.json'

const Deleted = Type.Object({ message: Type.String(), data: Message })

export const agreementRoutes = (deps: Deps) =>
  new Elysia({ prefix: '/agreements', tags: ['Agreements'], detail: { examples } })
    .use(agreementReads(deps))
    .use(draftRoutes(deps))
    .use(evidenceRoutes(deps))
    .use(draftChanges(deps))
    .use(signingRoutes(deps))
    .use(successions(deps))
    .use(ends(deps))
    .use(reinstatement(deps))

const agreementReads = (deps: Deps) =>
  readerRoutes(deps)
    .get(
      '',
      ({ reader, query }) => toPageResult(results.agreements, reader.page(selectAgreementPage, query)),
      {
        query: AgreementQuery,
        response: { 200: rawJson(AgreementPage) },
        detail: {
          operationId: 'listAgreements',
          summary: 'List the agreements that the caller is a party of or manages',
          description:
            'Lists the agreements in which the caller is a party or the manager of the unit, page by page.',
        },
      },
    )
    .get(
      '/:id',
      async ({ reader, params }) => {
        const data = await reader.one(selectAgreement, params.id, 'agreement_not_found')
        return { message: results.agreement, data, ...warnOfObjections(JSON.parse(data.text)) }
      },
      {
        params: AgreementPath,
        response: { 200: rawJson(AgreementResponse) },
        detail: {
          operationId: 'getAgreement',
          summary: 'Get an agreement',
          description:
            'Returns an agreement of the caller, with a warning if a tenant objects to what was recorded.',
        },
      },
    )

const draftChanges = (deps: Deps) =>
  actorRoutes(deps)
    .post('', ({ change, body }) => change(createAgreement, body), {
      body: NewAgreement,
      response: created(DraftResponse),
      detail: {
        operationId: 'createAgreement',
        summary: 'Create an agreement, a draft',
        description:
          'Creates a draft for a unit that the caller owns or manages. The number is given by the server unless one ' +
          'is sent. A draft can be changed until the first party is asked to sign.',
        reasons: TERMS,
      },
    })
    .guard({ params: AgreementPath })
    .patch('/:id', ({ change, params, body }) => change(updateAgreement, params.id, body), {
      body: AgreementChange,
      response: { 200: DraftResponse },
      detail: {
        operationId: 'updateAgreement',
        summary: 'Change a draft',
        description:
          'Changes the fields of a draft that are sent; null clears an optional one. Another status than DRAFT is ' +
          '403.',
        reasons: [...AGREEMENT_CHANGE, ...TERMS, 'unit_of_other_landlord'],
      },
    })
    .delete('/:id', ({ change, params }) => change(deleteAgreement, params.id), {
      response: { 200: Deleted },
      detail: {
        operationId: 'deleteAgreement',
        summary: 'Delete a draft',
        description: 'Deletes a draft. Another status than DRAFT is 403.',
        reasons: AGREEMENT_CHANGE,
      },
    })

/** What makes a draft of an agreement that was sent. */
const successions = (deps: Deps) =>
  actorRoutes(deps)
    .guard({ params: AgreementPath, response: created(DraftResponse) })
    .post(
      '/:id/revise',
      ({ change, params, body }) => changeAndCancel(deps, change, reviseAgreement, params.id, body),
      {
        body: AgreementChange,
        detail: {
          operationId: 'reviseAgreement',
          summary: 'Withdraw an agreement that is being signed and create its next version',
          description:
            'Ends an agreement that is being signed as TERMINATED, and creates a draft with its terms and the changes ' +
            'that are sent. `revises_agreement_id` links back.',
          reasons: [...AGREEMENT_CHANGE, ...TERMS, 'unit_of_other_landlord'],
        },
      },
    )
    .post('/:id/renew', ({ change, params, body }) => change(renewAgreement, params.id, body), {
      body: RenewInput,
      detail: {
        operationId: 'renewAgreement',
        summary: 'Draw up the next term of a lease, a draft',
        description:
          'Draws up the next term of a lease as a draft with the same terms but what the body changes, such as ' +
          'another unit of the landlord. It begins on the day after the end (who moves earlier ends the lease first), ' +
          'with the rent that the lease would have then: an escalation that falls on that day is applied. When it ' +
          'becomes active, the deposit that is held moves over and only the difference is charged. For the ' +
          "landlord's side only.",
        reasons: [...AGREEMENT_CHANGE, ...TERMS, 'already_renewed', 'unit_of_other_landlord'],
      },
    })

const reinstatement = (deps: Deps) =>
  actorRoutes(deps).post(
    '/:id/reinstate',
    ({ change, params, body }) => changeAndCancel(deps, change, reinstateAgreement, params.id, body),
    {
      params: AgreementPath,
      body: AcceptanceInput,
      response: { 200: AgreementResponse },
      detail: {
        operationId: 'reinstateAgreement',
        summary: 'Undo the termination of a lease',
        description:
          'Undoes a termination by a person within 30 days, while all parties have accounts, the unit is free, the ' +
          "deposit is not settled and no renewal is drawn up. For 24 hours the landlord's side may alone; later with " +
          '`accepted_on_paper`, or once both sides have called this: the first one asks (`reinstatement_asked_by`). ' +
          'A proposed settlement is withdrawn, the rents go on, and the days between bring no late fee.',
        reasons: [
          ...AGREEMENT_CHANGE,
          'already_renewed',
          'date_in_future',
          'not_reinstatable',
          'settlement_wrong_status',
          'tenants_erased',
          'unit_overlap',
        ],
      },
    },
  )

const ends = (deps: Deps) =>
  actorRoutes(deps)
    .guard({ params: AgreementPath, response: { 200: AgreementResponse } })
    .post(
      '/:id/terminate',
      ({ change, params, body }) => changeAndCancel(deps, change, terminateAgreement, params.id, body),
      {
        body: TerminateInput,
        detail: {
          operationId: 'terminateAgreement',
          summary: 'End a lease, or its signing',
          description:
            'Ends a PENDING or ACTIVE agreement at once, and cancels the requests to sign that are open. ' +
            '`termination_date` is from the start of the agreement to today. With `void`, a lease on paper that was ' +
            'recorded wrongly is taken back while no person has posted money: its charges are credited, reported ' +
            'payments are rejected, and it is in no report.',
          reasons: [
            ...AGREEMENT_CHANGE,
            'money_posted',
            'not_recorded',
            'termination_before_start',
            'termination_in_future',
            'void_reason_missing',
          ],
        },
      },
    )
    .post('/:id/complete', ({ change, params }) => change(completeAgreement, params.id), {
      detail: {
        operationId: 'completeAgreement',
        summary: 'Close a terminated agreement',
        description: 'Closes a TERMINATED agreement, which can no longer be changed.',
        reasons: [...AGREEMENT_CHANGE, 'money_held', 'payments_undecided'],
      },
    })
