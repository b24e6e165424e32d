import { randomUUID } from 'node:crypto'
import { Elysia } from 'elysia'
import type { Server } from 'elysia/universal'
import { withQueryDeadline, getRequestContext, type RequestContext } from '../../db/deadlines'
import type { Deps } from '../deps'
import { bodyTooLarge, requestTimeout } from '../faults'
import { getMaxBodyBytes } from './body'

/** Longer than any answer takes; Bun counts it anew with every byte. */
const ANSWERED_S = 120
/** Bun's own limit would cut the connection without a word: what a request may hold is told by us. */
export const NO_BODY_LIMIT = 2 ** 52

/** A request that is being answered; Elysia's context tells which route it took. */
type Asked = RequestContext & { id: string; context: { route: string } | undefined }

/**
 * Around every request: its id, its line in the log and its measurement, of which paths, queries and bodies are no part; and
 * what it does not exceed, which is the database's time, the time and the length of its body. Until a request's head is
 * whole Bun gives it 12 seconds on a new connection and KEEP_ALIVE_S on a kept one, whatever arrives meanwhile.
 */
export const requestLifecycle = ({ config, isDraining, log, metrics }: Deps) => {
  let server: Server | null
  return new Elysia({ name: 'around' })
    .onStart(app => void ({ server } = app))
    .wrap((handle: (...given: unknown[]) => any) => async (request: Request) => {
      const began = performance.now()
      const asked: Asked = { id: randomUUID(), leftMs: config.DATABASE_TIMEOUT_MS, context: undefined }
      server?.timeout(request, ANSWERED_S)
      const isPosted =
        request.headers.has('transfer-encoding') || Number(request.headers.get('content-length')) > 0
      if (isPosted) boundBody(request, config.BODY_TIMEOUT_MS)
      const response: Response = await withQueryDeadline(asked, () => handle(request))
      // Nobody waits for the rest of a body that is not wanted; and who is to go elsewhere is told so before the end.
      if (isDraining() || (isPosted && !request.bodyUsed) || CUT_OFF.includes(response.status))
        response.headers.set('connection', 'close')
      server?.timeout(request, config.KEEP_ALIVE_S)
      const { method } = request
      const { status } = response
      const route = asked.context?.route || 'none'
      const ms = performance.now() - began
      metrics.requests.observe({ method, route, status }, ms / 1000)
      log.info({ request_id: asked.id, method, route, status, ms: Math.round(ms) }, 'request')
      return response
    })
    .onRequest(context => {
      const asked = getRequestContext() as Asked
      asked.context = context as typeof context & { route: string }
      context.set.headers['x-request-id'] = asked.id
    })
}
const CUT_OFF = [408, 413]

/** However a handler reads the body of this request, it comes in time and is not too long. */
function boundBody(request: Request, ms: number) {
  const whole = async () => {
    const late = Promise.withResolvers<never>()
    const timer = setTimeout(() => late.reject(requestTimeout()), ms)
    try {
      return await Promise.race([piecesOf(request), late.promise])
    } finally {
      clearTimeout(timer)
    }
  }
  const asResponse = async () =>
    new Response(await whole(), { headers: { 'content-type': request.headers.get('content-type') ?? '' } })
  const forms = {
    text: async () => utf8.decode(await whole()),
    arrayBuffer: async () => (await asResponse()).arrayBuffer(),
    formData: async () => (await asResponse()).formData(),
  }
  for (const [form, value] of Object.entries(forms)) Object.defineProperty(request, form, { value })
}
const utf8 = new TextDecoder()

/** Whose length was not announced is counted as it comes. */
async function piecesOf(request: Request) {
  if (!request.headers.has('transfer-encoding')) return request.bytes()
  const pieces: Uint8Array<ArrayBuffer>[] = []
  const most = getMaxBodyBytes(request)
  let length = 0
  for await (const piece of request.body ?? []) {
    pieces.push(piece)
    if ((length += piece.length) > most) throw bodyTooLarge()
  }
  return new Blob(pieces).bytes()
}
