import { refuse } from '../../errors'
import { readText } from './read'

const MAX_NESTING = 32
/** Spaces at the ends of a password belong to it. */
const UNTRIMMED = new Set(['password', 'current_password'])

/** The routes that read a longer body than others, and its bytes. */
const LONG_BODIES: Record<string, number> = {
  '/imports/leases': 4 * 1024 * 1024,
  '/imports/payments': 4 * 1024 * 1024,
}

/** @throws BAD_REQUEST The body is not JSON. */
export async function parseJsonBody(
  request: Request,
  contentType: string | undefined,
  route = '',
): Promise<unknown> {
  const text = await readText(request, LONG_BODIES[route])
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

/**
 * Trims all texts of a body in place, but passwords.
 * @throws BAD_REQUEST Validation, which recurses and stringifies, would fail on the body.
 */
export function trimBody(body: unknown) {
  return trimValue(body, MAX_NESTING)
}

function trimValue(value: unknown, levels: number): unknown {
  if (typeof value === 'string') return value.trim()
  if (typeof value !== 'object' || value === null) return value
  if (levels === 0 || Object.hasOwn(value, 'toString')) throw refuse('body_too_deep')
  const fields = value as Record<string, unknown>
  for (const name of Object.keys(value)) {
    if (!UNTRIMMED.has(name)) fields[name] = trimValue(fields[name], levels - 1)
  }
  return value
}
