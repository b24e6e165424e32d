import { isRecord } from './camel-case'
import type { Variant } from '../../domain/variants'

const SHARED_PATHS = new Set([
  '/auth',
  '/auth/verify',
  '/auth/me',
  '/profile/complete',
  '/profile/ekyc',
  '/profile/ekyc/complete',
  '/dashboard',
])

/** Fields that only one variant has; B is checked first. */
const DISTINCTIVE_FIELDS: [Variant, string[]][] = [
  ['b', ['phone_number', 'first_name', 'last_name', 'verification_id']],
  ['a', ['phoneNumber', 'firstName', 'lastName', 'verificationId']],
]

/** Whether both variants use a path; all others are Variant B alone. */
export function supportsBothVariants(path: string) {
  return SHARED_PATHS.has(path)
}

/** Detects the variant of a request: by the fields of its body, then the claim of its token, then its path. */
export function detectVariant(
  apiVariant: 'both' | Variant,
  pathname: string,
  authorization: string | null,
  body: unknown,
): Variant {
  const path = pathname.length > 1 ? pathname.replace(/\/$/, '') : pathname
  if (!supportsBothVariants(path)) return 'b'
  if (apiVariant !== 'both') return apiVariant

  const fromBody = findVariantOfBody(body)
  if (fromBody) return fromBody
  return readVariantClaim(authorization) ?? (path === '/auth/me' ? 'b' : 'a')
}

function findVariantOfBody(body: unknown) {
  if (!isRecord(body)) return undefined
  const match = DISTINCTIVE_FIELDS.find(([, fields]) => fields.some(field => field in body))
  return match?.[0]
}

/**
 * Reads the claim without verifying the token: it decides the form of the response and nothing else. A token that
 * cannot be read counts as none.
 */
export function readVariantClaim(authorization: string | null): Variant | undefined {
  const payload = authorization?.split('.')[1]
  if (!payload) return undefined
  try {
    const claims: unknown = JSON.parse(Buffer.from(payload, 'base64url').toString())
    return isRecord(claims) ? (claims.variant === 'a' ? 'a' : 'b') : undefined
  } catch {
    return undefined
  }
}
