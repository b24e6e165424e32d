import { refuse } from '../faults'

const MAX_NESTING = 32

/** @throws BAD_REQUEST The body is not JSON. */
export async function parseJsonBody(request: Request, contentType: string | undefined): Promise<unknown> {
  const text = await request.text()
  if (!text) return {}

  const mediaType = contentType?.split(';')[0]?.trim() ?? ''
  const isJson = /^application\/([\w.-]+\+)?json$/i.test(mediaType)
  if (!isJson) throw refuse('content_type_not_json')
  try {
    return JSON.parse(text)
  } catch {
    throw refuse('body_not_json')
  }
}

/** @throws BAD_REQUEST Validation, which recurses and stringifies, would fail on the body. */
export function checkNesting(body: unknown) {
  if (!isSafeJson(body, MAX_NESTING)) throw refuse('body_too_deep')
}

function isSafeJson(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return true
  if (levels === 0 || Object.hasOwn(value, 'toString')) return false
  return Object.values(value).every(inner => isSafeJson(inner, levels - 1))
}
