import { badRequest, bodyTooLarge } from '../faults'
import { MAX_DOCUMENT_BYTES } from '../providers/download'

/** A property with a hundred units fits. */
export const MAX_BODY_BYTES = 64 * 1024
/** A document with the form around it, which only the sandbox accepts. */
const MAX_UPLOAD_BYTES = MAX_DOCUMENT_BYTES + MAX_BODY_BYTES
const UPLOAD_PATH = '/sandbox/esign/api/documents'

const MAX_NESTING = 32

export function getMaxBodyBytes({ url }: Request) {
  return url.endsWith(UPLOAD_PATH) ? MAX_UPLOAD_BYTES : MAX_BODY_BYTES
}

/** @throws BAD_REQUEST (413) The Content-Length exceeds the maximum. */
export function checkContentLength(request: Request) {
  const length = Number(request.headers.get('content-length'))
  if (length > MAX_BODY_BYTES && length > getMaxBodyBytes(request)) throw bodyTooLarge()
}

/** @throws BAD_REQUEST The body is not JSON, or is too large (413). */
export async function parseJsonBody(request: Request, contentType: string | undefined): Promise<unknown> {
  const text = await request.text()
  if (Buffer.byteLength(text) > MAX_BODY_BYTES) throw bodyTooLarge()
  if (!text) return {}

  const mediaType = contentType?.split(';')[0]?.trim() ?? ''
  const isJson = /^application\/([\w.-]+\+)?json$/i.test(mediaType)
  if (!isJson) throw badRequest('Send the body as JSON (Content-Type: application/json)')
  try {
    return JSON.parse(text)
  } catch {
    throw badRequest('The body is not valid JSON')
  }
}

/** @throws BAD_REQUEST Validation, which recurses and stringifies, would fail on the body. */
export function checkNesting(body: unknown) {
  if (!isSafeJson(body, MAX_NESTING))
    throw badRequest('The body is nested too deeply, or has a field named toString')
}

function isSafeJson(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return true
  if (levels === 0 || Object.hasOwn(value, 'toString')) return false
  return Object.values(value).every(inner => isSafeJson(inner, levels - 1))
}
