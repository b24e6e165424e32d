import { badRequest } from '../faults'

const MAX_NESTING = 32

/** @throws BAD_REQUEST The body is not JSON. */
export async function parseJsonBody(request: Request, contentType: string | undefined): Promise<unknown> {
  const text = await request.text()
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
