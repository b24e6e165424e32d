import {
  change,
  param,
  PORT,
  queryValue,
  read,
  requireRow,
  respond,
  toEnvelope,
  Refusal,
  type Row,
} from './floor/http'
import { postPayment } from './floor/payments'
import * as books from './floor/book-queries'
import * as reads from './floor/queries'
import { getFirstDay, getLastDay, toStatement } from './floor/statements'
import { changeUnit } from './floor/units'

/**
 * The least that Kiraya's work costs, in six cases: the same responses after the same checks, from a bare Bun.serve with
 * handwritten SQL. A read is one prepared statement. A change sends the statements that Kiraya's needs, in one
 * transaction. Bodies are not validated, and a refused request gets an empty response.
 */
Bun.serve({
  port: Number(PORT),
  hostname: '127.0.0.1',
  routes: {
    '/health/ready': { GET: () => respond(null) },
    '/auth/me': read(reads.selectMe, ({ row }) => toEnvelope({ user: row, status: getLoginStatus(row) })),
    '/properties': read(reads.selectProperties, toProperties, queryValue('limit')),
    '/properties/:id': read(reads.selectProperty, row => toEnvelope(requireRow(row)), param('id')),
    '/properties/:id/units/:unit': {
      PATCH: change(200, (actorId, body, request) =>
        changeUnit(actorId, param('id')(request), param('unit')(request), body),
      ),
    },
    '/agreements/:id/statement': read(
      books.selectStatement,
      toStatement,
      param('id'),
      getFirstDay,
      getLastDay,
    ),
    '/agreements/:id/payments': {
      POST: change(201, (actorId, body, request) => postPayment(param('id')(request), actorId, body)),
    },
  },
  error: error =>
    error instanceof Refusal
      ? new Response(null, { status: error.status })
      : new Response(String(error.stack), { status: 500 }),
})

function getLoginStatus(user: Row) {
  if (!user.has_completed_profile) return 'NEEDS_PROFILE_COMPLETION'
  return user.has_verified_profile ? 'LOGIN_SUCCESSFUL' : 'NEEDS_VERIFICATION'
}

function toProperties({ data, total }: Row) {
  const limit = 20
  return { success: true, data, metadata: { page: 1, limit, total, total_pages: Math.ceil(total / limit) } }
}
