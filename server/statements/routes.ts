import { Elysia } from 'elysia'
import { RentProofQuery, StatementQuery, StatementResponse } from '@kiraya/sdk/contract'
import type { Deps } from '../deps'
import { toIndianDate } from '../domain/dates'
import { withReader } from '../http/authentication'
import { Pdf, toPdfResponse } from '../http/pdf-response'
import { coerceQuery } from '../http/query-params'
import { toRawJsonSchema } from '../http/raw-json'
import { results } from '../messages/results'
import { createReceiptPdf } from './receipt'
import { renderReceiptPage } from './receipt-page'
import { createRentProofPdf } from './rent-proof'
import { loadStatement, createStatementPdf } from './statement'

export const statementRoutes = (deps: Deps) =>
  new Elysia({ tags: ['Statements'] }).use(statementReads(deps)).use(proofReads(deps))

/** The page to which the QR code of a receipt leads. */
export const receiptPageRoutes = (deps: Deps) =>
  new Elysia().get('/receipts/:id', ({ params }) => renderReceiptPage(deps, params.id))

const statementReads = (deps: Deps) =>
  new Elysia()
    .use(withReader(deps))
    .get(
      '/agreements/:id/statement',
      async ({ reader, params, query }) => {
        const today = toIndianDate(deps.now())
        const data = await loadStatement(reader, params.id, { query, today })
        return { message: results.statement, data }
      },
      {
        ...coerceQuery(StatementQuery),
        response: { 200: toRawJsonSchema(StatementResponse) },
        detail: { summary: 'Get the tenants’ account under an agreement' },
      },
    )
    .get(
      '/agreements/:id/statement/pdf',
      async ({ reader, params, query }) => {
        const { name, content } = await reader.inDocumentTurn(() =>
          createStatementPdf(deps, reader, params.id, query),
        )
        return toPdfResponse(name, content)
      },
      {
        ...coerceQuery(StatementQuery),
        response: { 200: Pdf },
        detail: { summary: 'Download the tenants’ account under an agreement, a PDF' },
      },
    )

const proofReads = (deps: Deps) =>
  new Elysia()
    .use(withReader(deps))
    .get(
      '/payments/:id/receipt',
      async ({ reader, params }) => {
        const { name, content } = await reader.inDocumentTurn(() => createReceiptPdf(deps, reader, params.id))
        return toPdfResponse(name, content)
      },
      { response: { 200: Pdf }, detail: { summary: 'Download the receipt of a payment, a PDF' } },
    )
    .get(
      '/agreements/:id/rent-proof',
      async ({ reader, params, query }) => {
        const { name, content } = await reader.inDocumentTurn(() =>
          createRentProofPdf(deps, reader, params.id, query),
        )
        return toPdfResponse(name, content)
      },
      {
        ...coerceQuery(RentProofQuery),
        response: { 200: Pdf },
        detail: { summary: 'Download what a tenant paid of a year’s rent, a PDF' },
      },
    )
