import { Elysia } from 'elysia'
import type { Log } from '../observability/log'
import { badRequest, toErrorEnvelope, Fault } from '../faults'

const YEAR_S = 31_536_000

/** What every answer bears, whoever gives it: nobody keeps it, nobody guesses its type, and what is reached by https stays there. */
const safe = (publicUrl: string | undefined): Record<string, string> => ({
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  ...(publicUrl?.startsWith('https:') && {
    'strict-transport-security': `max-age=${YEAR_S}; includeSubDomains`,
  }),
})

/** A request's path. Its address is made of its Host header, so it may be none. */
export const getRequestPath = ({ url }: Request) => URL.parse(url)?.pathname ?? '/'

/** The first to see a request. */
export const securityHeaders = (publicUrl: string | undefined) => {
  const headers = safe(publicUrl)
  return new Elysia({ name: 'edge' }).onRequest(({ request, set }) => {
    Object.assign(set.headers, headers)
    if (!URL.canParse(request.url)) throw badRequest('The Host header does not name a host')
  })
}

/** What Bun answers where every handler of ours failed: by default a page that shows the source. */
export const fallbackErrorHandler = (log: Log, publicUrl: string | undefined) => ({
  development: false,
  error: (error: Error) => {
    const fault = new Fault('INTERNAL_SERVER_ERROR', 'Something went wrong on our side')
    log.error({ err: error }, 'An error was not handled')
    return Response.json(toErrorEnvelope(fault), { status: fault.status, headers: safe(publicUrl) })
  },
})
