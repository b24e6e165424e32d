import { refuse } from '../../faults'

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
  const isObject = typeof body === 'object' && body !== null
  if (isObject && !isSafeJson(body, MAX_NESTING)) throw refuse('body_too_deep')
}

/** Calls nothing for a value that is no object: a long body has millions of them. */
function isSafeJson(value: object, levels: number): boolean {
  if (levels === 0 || Object.hasOwn(value, 'toString')) return false
  const inner: unknown[] = Array.isArray(value) ? value : Object.values(value)
  for (let index = 0; index < inner.length; index++) {
    const item = inner[index]
    if (typeof item === 'object' && item !== null && !isSafeJson(item, levels - 1)) return false
  }
  return true
}
