import { createStubServer } from '../../sdk/stub-server'
import { recordedExamples } from '../../support/examples'

type Fields = Record<string, unknown>
type Body = Fields & { data: unknown }

/** Another answer: to the request that begins with `request`, a failure or fields of the data. */
export type OtherAnswer = { request: string; status?: number; error?: object; fields?: Fields }

/** Reads `GET /path 403 FORBIDDEN reason field` and `GET /path {"field":1}`. */
export function parseAnswer(text: string): OtherAnswer {
  const [, request, rest] = /^(\S+ \S+) (.*)$/.exec(text) as unknown as [string, string, string]
  if (rest.startsWith('{')) return { request, fields: JSON.parse(rest) }
  const [status, code, reason, field] = rest.split(' ')
  const details = field && [{ property: field, constraints: { valid: 'is wrong' } }]
  return { request, status: Number(status), error: { code, reason, message: 'No', details } }
}

/** The buttons on the sandbox's pages. */
const BUTTON = /^POST \/sandbox\/(?:sign|verify)\//

const operations = Object.entries(recordedExamples).map(([operation, { answer }]) => ({
  pattern: new RegExp(`^${operation.replaceAll(/\{\w+\}/g, '[^/]+')}$`),
  answer: answer as string | Body,
}))

/** A server without a state, which answers as the examples of the API's description do. */
export const createExampleServer = (getOthers: () => OtherAnswer[]) =>
  createStubServer(request => {
    const { origin, pathname, searchParams } = new URL(request.url)
    const line = `${request.method} ${pathname}`
    const other = findOther(getOthers(), line)
    const { error, status, fields = {} }: Partial<OtherAnswer> = other ?? {}
    if (error) return toFailure(status!, error)
    if (pathname === '/openapi.json') return Response.json({ info: { version: '1.2.3' }, ...fields })
    if (BUTTON.test(line)) return Response.json({ success: true, data: {} })
    const answer = operations.find(({ pattern }) => pattern.test(line))?.answer
    if (answer === undefined) return toFailure(404, { code: 'NOT_FOUND', message: `No ${line}` })
    if (typeof answer === 'string' || searchParams.has('format'))
      return new Response(String(fields.file ?? '%PDF-1.7 signed'))
    const text = JSON.stringify(change(answer, fields, searchParams.get('q') ?? ''))
    return Response.json(JSON.parse(text.replaceAll('http://localhost:3000', origin)))
  })

/** Of the answers to what a request begins with, the longest beginning counts, then the last one. */
const findOther = (others: OtherAnswer[], line: string) =>
  others
    .filter(({ request }) => line.startsWith(request))
    .toSorted((a, b) => a.request.length - b.request.length)
    .at(-1)

/** A list has those that contain the text which is looked for. */
function change({ data, ...envelope }: Body, { warnings, ...fields }: Fields, text: string) {
  if (!Array.isArray(data))
    return { ...envelope, ...(warnings ? { warnings } : {}), data: { ...(data as Fields), ...fields } }
  const found = data.filter(item => JSON.stringify(item).toLowerCase().includes(text.toLowerCase()))
  const metadata = { page: 1, limit: 50, total: found.length, total_pages: 1 }
  return { ...envelope, metadata, data: found, ...fields }
}

function toFailure(status: number, error: object) {
  const headers = { 'x-request-id': 'r1', 'retry-after': '60' }
  return Response.json({ success: false, data: null, error }, { status, headers })
}
