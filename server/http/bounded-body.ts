import { refuse } from '../faults'
import type { BodyLimits } from './body-limits'

const utf8 = new TextDecoder()

/** Limits the time and the size of a body, whichever method a handler reads it with. */
export function limitBody(request: Request, limits: BodyLimits, timeoutMs: number) {
  const readBytes = () => readInTime(request, limits, timeoutMs)
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
}

async function readInTime(request: Request, limits: BodyLimits, timeoutMs: number) {
  const timeout = Promise.withResolvers<never>()
  const timer = setTimeout(() => timeout.reject(refuse('body_too_slow')), timeoutMs)
  try {
    return await Promise.race([readBounded(request, limits), timeout.promise])
  } finally {
    clearTimeout(timer)
  }
}

/** A chunked body has no Content-Length, so its size is checked while it arrives. */
async function readBounded(request: Request, limits: BodyLimits) {
  if (!request.headers.has('transfer-encoding')) return request.bytes()

  const chunks: Uint8Array<ArrayBuffer>[] = []
  let size = 0
  for await (const chunk of request.body ?? []) {
    chunks.push(chunk)
    size += chunk.length
    limits.checkSize(request, size)
  }
  return new Blob(chunks).bytes()
}
