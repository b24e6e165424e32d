import { refuse } from '../../errors'

/** What is longer is refused, unless its route reads more. */
const MAX_BODY_BYTES = 1024 * 1024

/**
 * Reads the bytes of a body. A chunked one tells no `Content-Length`, so it is counted while it arrives.
 * @throws PAYLOAD_TOO_LARGE, UNSUPPORTED_MEDIA_TYPE
 */
export async function readBody(request: Request, maxBytes = MAX_BODY_BYTES) {
  const encoding = request.headers.get('content-encoding') ?? 'identity'
  if (encoding.toLowerCase() !== 'identity') throw refuse('body_compressed')
  const checkLength = (bytes: number) => {
    if (bytes > maxBytes) throw refuse('body_too_large', { max_bytes: maxBytes })
  }
  checkLength(Number(request.headers.get('content-length')))
  if (!request.headers.has('transfer-encoding')) return request.bytes()

  const chunks: Uint8Array<ArrayBuffer>[] = []
  let bytes = 0
  for await (const chunk of request.body ?? []) {
    chunks.push(chunk)
    bytes += chunk.length
    checkLength(bytes)
  }
  return new Blob(chunks).bytes()
}

const utf8 = new TextDecoder('utf-8', { fatal: true })

/**
 * Reads a body as text, without a byte order mark.
 * @throws BAD_REQUEST It is not UTF-8, as JSON is.
 */
export async function readText(request: Request, maxBytes?: number) {
  const bytes = await readBody(request, maxBytes)
  try {
    return utf8.decode(bytes)
  } catch {
    throw refuse('body_not_json')
  }
}
