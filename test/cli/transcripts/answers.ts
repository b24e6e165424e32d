import { createStubServer } from '../../sdk/stub-server'
import { bookAnswers } from './book-answers'
import { find, list, page, type Answer, type Asked } from './pages'
import * as records from './records'

const { user, properties, units, tenants, agreements, signatures, events, sandbox } = records

/** Another number is that of a tenant. */
const signIn = ({ body }: Asked) => {
  const isTenant = body.phone_number !== user.phone
  return {
    access_token: 'a.b.c',
    user: { ...user, ...(isTenant && { id: 21, phone: body.phone_number }) },
    status: 'LOGIN_SUCCESSFUL',
  }
}
const check = ({ origin }: Asked) => ({
  message: 'The check is open',
  verification_id: 'v-1',
  verification_url: `${origin}/sandbox/verify/v-1`,
  status: 'initiated',
})
const signing = ({ origin }: Asked) => ({
  signature_id: records.toUuid(42),
  signing_url: `${origin}/sandbox/sign/42`,
  expires_at: '2026-11-30T18:45:00Z',
  status: 'pending',
})
/** The first unit is one that is let. */
const createProperty = ({ body }: Asked) => {
  const given = (body.property_units ?? []) as object[]
  return {
    ...properties[0],
    ...body,
    property_units: given.map((unit, index) => ({ ...units[1], ...unit, id: 12 + index })),
  }
}
const file = new TextEncoder().encode('%PDF-1.7 signed')
const gone = { message: 'Gone' }

/** The answers are the same for every user; the first pattern that fits counts. */
const answers: Answer[] = [
  ...bookAnswers,
  [/^POST \/auth\/send-otp$/, () => ({ message: 'A one-time password was sent' })],
  [/^POST \/auth\/(?:verify|login)$/, signIn],
  [/^POST \/auth\/logout$/, () => ({ message: 'Signed out' })],
  [/^GET \/auth\/me$/, () => ({ user, status: 'LOGIN_SUCCESSFUL' })],
  [/^GET \/auth\/me\/export$/, () => ({ exported_at: '2026-11-22T06:00:00Z', user })],
  [/^DELETE \/auth\/me$/, () => gone],
  [
    /^PUT \/profile\/complete$/,
    ({ body }) => ({ message: 'Saved', user: { ...user, first_name: body.first_name } }),
  ],
  [/^POST \/profile\/ekyc$/, check],
  [/^POST \/profile\/ekyc\/complete$/, () => ({ message: 'Verified', user })],
  [/^GET \/dashboard$/, () => ({ user, stats, recent_activity: [activity] })],
  [/^GET \/properties\/search$/, () => [{ ...properties[0]!, score: 0.75 }]],
  [
    /^GET \/properties$/,
    ({ query }) =>
      list(
        properties.map(({ property_units: _, ...property }) => property),
        query,
      ),
  ],
  [/^POST \/properties$/, createProperty],
  [/^GET \/properties\/(\w+)$/, ({ id }) => find(properties, id)],
  [/^PATCH \/properties\/(\w+)$/, ({ id, body }) => ({ ...find(properties, id), ...body })],
  [/^GET \/properties\/1\/units$/, ({ query }) => list(units, query)],
  [/^GET \/properties\/2\/units$/, () => page([])],
  [/^POST \/properties\/\w+\/units$/, ({ body }) => ({ ...units[0], ...body })],
  [/^(?:GET|PATCH) \/properties\/1\/units\/([\w-]+)$/, ({ id, body }) => ({ ...find(units, id)!, ...body })],
  [/^POST \/properties\/1\/units\/\w+\/resign$/, () => ({ message: 'You no longer manage the unit' })],
  [/^GET \/tenants$/, ({ query }) => list(tenants, query)],
  [/^POST \/tenants$/, ({ body }) => ({ ...tenants[0], ...body })],
  [/^GET \/agreements$/, ({ query }) => list(agreements, query)],
  [/^POST \/agreements$/, ({ body }) => ({ ...agreements[0], ...body, status: 'DRAFT' })],
  [/^GET \/agreements\/(\d+)$/, ({ id }) => find(agreements, id)],
  [/^PATCH \/agreements\/(\d+)$/, ({ id, body }) => ({ ...find(agreements, id), ...body })],
  [
    /^POST \/agreements\/(\d+)\/revise$/,
    ({ id, body }) => ({ ...find(agreements, id), ...body, status: 'DRAFT' }),
  ],
  [/^POST \/agreements\/(\d+)\/terminate$/, ({ id }) => ({ ...find(agreements, id), status: 'TERMINATED' })],
  [/^POST \/agreements\/(\d+)\/complete$/, ({ id }) => ({ ...find(agreements, id), status: 'COMPLETED' })],
  [/^POST \/agreements\/\d+\/sign$/, signing],
  [/^POST \/sandbox\/(sign|verify)\//, () => ({})],
  [
    /^POST \/agreements\/\d+\/decline$/,
    asked => ({ ...signing(asked), status: 'declined', decline_reason: 'Too far' }),
  ],
  [/^GET \/agreements\/\d+\/signatures$/, () => ({ signatures, allSigned: true })],
  [/^POST .*\/signatures\/([\w-]+)\/cancel$/, ({ id }) => ({ signature_id: id, status: 'expired' })],
  [/^GET \/agreements\/\d+\/timeline$/, () => ({ events, intact: true })],
  [/^GET \/operations\/webhooks$/, () => page([records.webhook])],
  [/^POST \/operations\/webhooks\/17\/replay$/, () => records.webhook],
  [/^GET \/operations\/jobs$/, () => records.jobs],
  [/^POST \/operations\/invitations$/, () => records.invitation],
  [/^GET \/operations\/invitations$/, () => page([records.invitation])],
  [/^GET \/sandbox\/control$/, () => sandbox],
  [/^GET \/sandbox\/messages$/, () => [message]],
  [/^POST \/sandbox\/control\/faults$/, ({ body }) => ({ ...sandbox.faults[0], ...body })],
  [/^POST \/sandbox\/control\/clock$/, () => sandbox.clock],
  [
    /^POST \/sandbox\/control\/signatures\//,
    ({ body }) => ({ ...sandbox.signatures[0], status: body.outcome }),
  ],
  [/^POST \/sandbox\/control\/checks\//, ({ body }) => ({ ...sandbox.checks[0], status: body.outcome })],
  [/^GET \/health\//, () => ({ status: 'ok' })],
  [/^DELETE /, () => gone],
]
const stats = { total_properties: 0, total_tenants: 1, pending_payments: 1, maintenance_requests: 0 }
const activity = {
  id: 1,
  type: 'agreement_activated',
  message: 'AGR-2026-000031 became active',
  entity_type: 'agreement',
  entity_id: 31,
  actor_id: null,
  occurred_at: '2026-11-22T18:45:00Z',
}
const message = {
  id: 'm-1',
  phone: '9876543210',
  otp: '123456',
  text: '123456 is your one-time password',
  sent_at: '2026-11-22T18:45:00Z',
}

/** Another answer: to the request that begins with `request`, a failure or fields of the data. */
export type OtherAnswer = {
  request: string
  status?: number
  error?: object
  fields?: object
  headers?: HeadersInit
  warnings?: object[]
}

/** A server whose state never changes. */
export const createFixedServer = (getOther: () => OtherAnswer | undefined) =>
  createStubServer((request, { body = {} }) => {
    const { origin, pathname, searchParams: query } = new URL(request.url)
    const line = `${request.method} ${pathname}`
    const other = getOther()
    const {
      status,
      error,
      fields = {},
      headers = {},
      warnings,
    }: Partial<OtherAnswer> = other && line.startsWith(other.request) ? other : {}
    if (error) return toFailure(status!, error)
    const isPdf = query.get('format') === 'pdf'
    if (isPdf || /(document|certificate|pdf|receipt|rent-proof)$/.test(pathname))
      return new Response('file' in fields ? String(fields.file) : file)
    if (pathname === '/openapi.json') return Response.json({ info: { version: '1.2.3' }, ...fields })
    const [pattern, answer] = answers.find(([known]) => known.test(line)) ?? []
    const data = answer?.({ id: pattern!.exec(line)![1] ?? '', origin, query, body: body as Asked['body'] })
    if (data === undefined) return toFailure(404, { code: 'NOT_FOUND', message: `No ${line}` })
    const isPage = data instanceof Object && 'metadata' in data
    return Response.json(
      {
        success: true,
        warnings,
        ...(isPage ? data : { data: add(data, fields) }),
        ...(isPage && fields),
      },
      { headers },
    )
  })

const add = (data: unknown, fields: object) =>
  Array.isArray(data) ? data : { ...(data as object), ...fields }

function toFailure(status: number, error: object) {
  const headers = { 'x-request-id': 'r1', 'retry-after': '60' }
  return Response.json({ success: false, data: null, error }, { status, headers })
}
