import { Elysia } from 'elysia'
import {
  DocumentLanguageQuery,
  RentProofDocumentQuery,
  StatementDocumentQuery,
  StatementQuery,
  StatementResponse,
  type ErrorReason,
  type Statement,
} from '@kiraya/sdk/contract'
import type { Deps } from '../../deps'
import { toIndianDate } from '../../domain/dates'
import { readerRoutes } from '../../http/routes'
import { Pdf, sendDocument } from '../../http/reads/file-response'
import { rawJson, toRawJson } from '../../http/reads/raw-json'
import { AgreementPath } from '../../leases/queries'
import { results } from '../../messages/results'
import { areJournalsIntact } from '../ledger/verification'
import { PaymentPath } from '../payments/queries'
import { loadReceipt } from './receipt'
import { renderReceiptPage } from './receipt-page'
import { loadRentProof } from './rent-proof'
import { loadSettlement } from './settlement-sheet'
import { loadStatement, loadStatementDocument } from './statement'
import examples from './examples.json'

const STATEMENT: ErrorReason[] = ['to_before_from', 'year_and_dates']

export const statementRoutes = (deps: Deps) =>
  new Elysia({ tags: ['Statements'], detail: { examples } }).use(statementReads(deps)).use(proofReads(deps))

/** The settlement of a deposit as a document. */
export const settlementSheetRoutes = (deps: Deps) =>
  new Elysia({ tags: ['Deposits'], detail: { examples } }).use(settlementReads(deps))

/** The page to which the QR code of a receipt leads. */
export const receiptPageRoutes = (deps: Deps) =>
  new Elysia().get('/receipts/:id', ({ params }) => renderReceiptPage(deps, params.id))

const statementReads = (deps: Deps) =>
  readerRoutes(deps)
    .guard({ params: AgreementPath })
    .get(
      '/agreements/:id/statement',
      async ({ reader, params, query }) => {
        const today = toIndianDate(deps.now())
        const { language } = reader
        const statement = await loadStatement(reader, params.id, { query, today, language })
        const { agreement_id } = statement
        const verified = query.verify ? { is_intact: await areJournalsIntact(deps.db, agreement_id) } : {}
        return { message: results.statement, data: toRawJson<Statement>({ ...statement, ...verified }) }
      },
      {
        query: StatementQuery,
        response: { 200: rawJson(StatementResponse) },
        detail: {
          operationId: 'getStatement',
          summary: 'Get the tenants’ account under an agreement',
          description:
            "Returns the tenants' account: what became due, what was paid, and the balance after each. A " +
            'balance is what they owe, below zero an advance. Send `year` (April to March), or `from` and ' +
            '`to`; without them it is the whole account, with what is posted ahead of its day. With ' +
            '`verify=true`, `is_intact` is false if a posting of the lease was changed or removed: each one ' +
            'has a hash that covers those before it.',
          reasons: STATEMENT,
        },
      },
    )
    .get(
      '/agreements/:id/statement/pdf',
      ({ reader, params, query }) =>
        sendDocument(deps, { reader, query }, language =>
          loadStatementDocument(deps, reader, params.id, { query, language }),
        ),
      {
        query: StatementDocumentQuery,
        response: { 200: Pdf },
        detail: {
          operationId: 'downloadStatement',
          summary: 'Download the tenants’ account under an agreement, a PDF',
          description: 'Downloads the same account as a PDF, of at most 1,000 lines.',
          reasons: [...STATEMENT, 'statement_too_long'],
        },
      },
    )

const proofReads = (deps: Deps) =>
  readerRoutes(deps)
    .get(
      '/payments/:id/receipt',
      ({ reader, params, query }) =>
        sendDocument(deps, { reader, query }, language => loadReceipt(deps, reader, params.id, language)),
      {
        params: PaymentPath,
        query: DocumentLanguageQuery,
        response: { 200: Pdf },
        detail: {
          operationId: 'downloadReceipt',
          summary: 'Download the receipt of a payment, a PDF',
          description:
            'Downloads the receipt of a payment that was posted. One that was taken back since is marked ' +
            'as cancelled. Its QR code leads to a page that says whether the receipt is valid, and nothing ' +
            'else.',
          reasons: ['receipt_not_found'],
        },
      },
    )
    .get(
      '/agreements/:id/rent-proof',
      ({ reader, params, query }) =>
        sendDocument(deps, { reader, query }, language =>
          loadRentProof(deps, reader, params.id, { query, language }),
        ),
      {
        params: AgreementPath,
        query: RentProofDocumentQuery,
        response: { 200: Pdf },
        detail: {
          operationId: 'downloadRentProof',
          summary: 'Download the rent that a tenant paid in a year, a PDF',
          description:
            'Downloads the rent that one tenant paid in a year, for their employer, less what was taken back ' +
            'in it. What the deposit settles counts on the day of its settlement, for several tenants in ' +
            "equal parts. A tenant gets their own; the landlord's side names one of several tenants by " +
            '`payer_id`. The year is the present one unless it is given.',
          reasons: ['payer_not_self', 'payer_not_tenant'],
        },
      },
    )

const settlementReads = (deps: Deps) =>
  readerRoutes(deps).get(
    '/agreements/:id/deposit/settlement/pdf',
    ({ reader, params, query }) =>
      sendDocument(deps, { reader, query }, language => loadSettlement(deps, reader, params.id, language)),
    {
      params: AgreementPath,
      query: DocumentLanguageQuery,
      response: { 200: Pdf },
      detail: {
        operationId: 'downloadSettlement',
        summary: 'Download the settlement of the deposit, a PDF',
        description:
          'Downloads the settlement of the deposit as a PDF: what is held, open and deducted, the ' +
          'refund, and who proposed, accepted, disputed and posted it on which day. One that is only ' +
          'proposed is marked as that.',
        reasons: ['settlement_not_found'],
      },
    },
  )
