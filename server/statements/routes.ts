import { Elysia } from 'elysia'
import { StatementQuery, StatementResponse } from '@kiraya/sdk/contract'
import type { Deps } from '../deps'
import { toIndianDate } from '../domain/dates'
import { withReader } from '../http/authentication'
import { coerceQuery } from '../http/query-params'
import { results } from '../messages/results'
import { loadStatement } from './statement'

export const statementRoutes = (deps: Deps) =>
  new Elysia({ tags: ['Statements'] }).use(statementReads(deps))

const statementReads = (deps: Deps) =>
  new Elysia().use(withReader(deps)).get(
    '/agreements/:id/statement',
    async ({ reader, params, query }) => ({
      message: results.statement,
      data: await loadStatement(reader, params.id, { query, today: toIndianDate(deps.now()) }),
    }),
    {
      ...coerceQuery(StatementQuery),
      response: { 200: StatementResponse },
      detail: { summary: 'Get the tenants’ account under an agreement' },
    },
  )
