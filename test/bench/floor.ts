import { createAgreement } from './floor/agreements'
import {
  change,
  getIndianDate,
  getNow,
  param,
  PORT,
  publicPost,
  queryValue,
  read,
  Refusal,
  refuse,
  requireRow,
  respond,
  toEnvelope,
  toPage,
  type Row,
} from './floor/http'
import { postPayment } from './floor/payments'
import { changeUnit, createProperty } from './floor/properties'
import { createSigningRequest, getSigningRequest, sendMessage } from './floor/sandbox'
import { getLoginStatus, logIn, sendOtpInA, sendOtpInB, verify } from './floor/sign-in'
import { startSigning } from './floor/signing'
import * as books from './floor/sql/books'
import * as reads from './floor/sql/reads'
import { getFirstDay, getLastDay, toStatement } from './floor/statements'
import { receiveWebhook } from './floor/webhook'

/**
 * The least that Kiraya's work costs: the same answers after the same checks, from a bare Bun.serve with handwritten
 * SQL. A read is one prepared statement. A change sends the statements that Kiraya's needs, in the same transactions.
 * Bodies are not validated, and a refused request gets an empty response.
 */
Bun.serve({
  port: Number(PORT),
  hostname: '127.0.0.1',
  routes: {
    '/health/ready': { GET: () => respond(null) },
    '/auth': publicPost(sendOtpInA),
    '/auth/send-otp': publicPost(sendOtpInB),
    '/auth/verify': publicPost(verify),
    '/auth/login': publicPost(logIn),
    '/auth/me': read(reads.selectMe, ({ row }) => toEnvelope({ user: row, status: getLoginStatus(row) })),
    '/dashboard': read(reads.selectDashboard, toDashboard, getIndianDate),
    '/properties': {
      ...read(reads.selectProperties, toProperties, queryValue('limit')),
      POST: change(201, createProperty),
    },
    '/properties/search': read(
      reads.selectSimilarBuildings,
      toSearchResults,
      queryValue('name'),
      queryValue('pin_code'),
    ),
    '/properties/:id': read(reads.selectProperty, row => toEnvelope(requireRow(row)), param('id')),
    '/properties/:id/units': read(reads.selectUnits, toUnits, param('id')),
    '/properties/:id/units/:unit': {
      PATCH: change(200, (actorId, body, request) =>
        changeUnit(actorId, param('id')(request), param('unit')(request), body),
      ),
    },
    '/agreements': {
      ...read(reads.selectAgreements, toList('Agreements'), queryValue('limit')),
      POST: change(201, createAgreement),
    },
    '/agreements/:id': read(reads.selectAgreement, toAgreement, param('id')),
    '/agreements/:id/signatures': read(reads.selectSignatures, toSignatures, param('id'), getNow),
    '/agreements/:id/sign': {
      POST: change(200, (actorId, { signer_id }, request) =>
        startSigning(param('id')(request), actorId, signer_id),
      ),
    },
    '/charges': read(books.selectCharges, toList('Charges'), queryValue('limit'), getIndianDate),
    '/payments': read(books.selectPayments, toList('Payments'), queryValue('limit')),
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
    '/webhooks/esign': {
      POST: async request => {
        const signature = request.headers.get('x-setu-signature') ?? ''
        return respond(toEnvelope(await receiveWebhook(await request.text(), signature)))
      },
    },
    '/sandbox/whatsapp': publicPost(sendMessage),
    '/sandbox/esign': publicPost(createSigningRequest),
    '/sandbox/esign/:id': { GET: async request => respond(await getSigningRequest(request.params.id)) },
  },
  error: error =>
    error instanceof Refusal
      ? new Response(null, { status: error.status })
      : new Response(String(error.stack), { status: 500 }),
})

function toDashboard({ row }: Row) {
  return getLoginStatus(row.user) === 'LOGIN_SUCCESSFUL' ? toEnvelope(row) : refuse(403)
}

function toProperties(row: Row) {
  return { success: true, ...toPage(20)(row) }
}

function toList(message: string) {
  return (row: Row) => ({ success: true, message, ...toPage(20)(row) })
}

function toSearchResults({ data }: Row) {
  return { success: true, ...toPage(10)({ data, total: data.length }) }
}

function toUnits(row: Row) {
  return row.property_exists ? { success: true, ...toPage(50)(row) } : refuse(404)
}

function toAgreement(row: Row) {
  return { success: true, message: 'Agreement', data: requireRow(row) }
}

function toSignatures(row: Row) {
  const { signatures, signed_date } = requireRow(row)
  const data = { signatures: signatures.map(toSignature), allSigned: signed_date !== null }
  return { success: true, message: 'Signatures', data }
}

function toSignature({ signed_at, expires_at, decline_reason, ...rest }: Row) {
  return { ...rest, ...(signed_at && { signed_at }), expires_at, decline_reason }
}
