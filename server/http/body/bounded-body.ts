import { refuse } from '../../faults'
import { isLongBody, type BodyLimits } from './limits'
import type { BodyReservation } from './long-bodies'

const utf8 = new TextDecoder()

/**
 * Limits the time and the size of a body, whichever method a handler reads it with. Returns what to call once the
 * request is handled: until then a long body stays in memory.
 */
export function limitBody(request: Request, limits: BodyLimits, timeoutMs: number) {
  let reservation: BodyReservation | undefined
  let isHandled = false
  const admit = async (bytes: number) => {
    limits.checkSize(request, bytes)
    if (!isLongBody(bytes)) return
    if (!reservation) await limits.requireSession(request)
    // What is reserved after the release would stay so.
    if (isHandled) throw refuse('body_too_slow')
    reservation ??= limits.reserve(request)
    reservation.extendTo(bytes)
  }
  const readBytes = () => readInTime(request, admit, timeoutMs)
  const toResponse = async () => {
    const contentType = request.headers.get('content-type') ?? ''
    return new Response(await readBytes(), { headers: { 'content-type': contentType } })
  }
  const readers = {
    text: async () => utf8.decode(await readBytes()),
    arrayBuffer: async () => (await toResponse()).arrayBuffer(),
    formData: async () => (await toResponse()).formData(),
  }
  for (const [method, value] of Object.entries(readers)) Object.defineProperty(request, method, { value })
  return () => {
    isHandled = true
    reservation?.release()
  }
}

/** Decides whether a body may be as long. */
type Admission = (bytes: number) => Promise<void>

async function readInTime(request: Request, admit: Admission, timeoutMs: number) {
  const timeout = Promise.withResolvers<never>()
  const timer = setTimeout(() => timeout.reject(refuse('body_too_slow')), timeoutMs)
  try {
    return await Promise.race([readBounded(request, admit), timeout.promise])
  } finally {
    clearTimeout(timer)
  }
}

/** A chunked body has no Content-Length, so its size is checked while it arrives. */
async function readBounded(request: Request, admit: Admission) {
  if (!request.headers.has('transfer-encoding')) {
    await admit(Number(request.headers.get('content-length')))
    return request.bytes()
  }

  const chunks: Uint8Array<ArrayBuffer>[] = []
  let size = 0
  for await (const chunk of request.body ?? []) {
    chunks.push(chunk)
    size += chunk.length
    await admit(size)
  }
  return new Blob(chunks).bytes()
}
