import { createHmac, timingSafeEqual } from 'node:crypto'
import { DAY_MS } from '../domain/durations'
import { isNumericId, isUuid } from '../domain/record-id'
import type { Claims, Tokens } from '../deps'

export const TOKEN_LIFETIME_MS = 7 * DAY_MS

/** How far apart the clocks of our machines may be. */
const MAX_CLOCK_SKEW_S = 60
const MAX_CACHED_TOKENS = 5000

/** A token that we signed; its times are in seconds. */
type SignedToken = { claims: Claims; iat: number; exp: number; nbf: number }

/**
 * Creates and reads access tokens: JWTs signed with HS256.
 * The first secret signs; each of them is accepted.
 */
export function createTokens(secrets: string[], now: () => Date): Tokens {
  const cache = new Map<string, SignedToken>()
  const sign = createSigner(secrets[0]!)

  /** A signature is verified once; times are checked with each request. */
  function findSignedToken(token: string, hash: string) {
    const cached = cache.get(hash)
    if (cached) return cached

    const verified = verifyToken(secrets, token, hash)
    if (!verified) return undefined
    if (cache.size >= MAX_CACHED_TOKENS) cache.clear()
    cache.set(hash, verified)
    return verified
  }

  function isCurrent({ iat, exp, nbf }: SignedToken) {
    const nowS = now().getTime() / 1000
    const machineNowS = Date.now() / 1000
    return exp > nowS && iat <= machineNowS + MAX_CLOCK_SKEW_S && nbf <= nowS + MAX_CLOCK_SKEW_S
  }

  return {
    async issue(user, sid, variant) {
      const expiresAt = new Date(now().getTime() + TOKEN_LIFETIME_MS)
      const token = await sign({
        sub: String(user.id),
        phone: user.phone,
        sid,
        variant,
        exp: Math.floor(expiresAt.getTime() / 1000),
      })
      return { token, hash: hashToken(token), expiresAt }
    },

    read(authorization) {
      const token = /^Bearer ([\w-]+\.[\w-]+\.[\w-]+)$/i.exec(authorization ?? '')?.[1]
      if (!token) return undefined
      const found = findSignedToken(token, hashToken(token))
      if (!found || !isCurrent(found)) return undefined
      return found.claims
    },
  }
}

type Jwt = Awaited<ReturnType<typeof loadJwt>>

/** Loads the library with the first sign-in: a server starts faster without it. */
function createSigner(secret: string) {
  let loading: Promise<Jwt> | undefined
  return async (payload: Parameters<Jwt['sign']>[0]) => {
    loading ??= loadJwt(secret)
    const jwt = await loading
    return jwt.sign(payload)
  }
}

async function loadJwt(secret: string) {
  const { jwt } = await import('@elysiajs/jwt')
  return jwt({ name: 'jwt', secret, alg: 'HS256' }).decorator.jwt
}

function verifyToken(secrets: string[], token: string, hash: string): SignedToken | undefined {
  const [header, payload, signature] = token.split('.') as [string, string, string]
  const isSigned = secrets.some(secret => isSignedWith(secret, `${header}.${payload}`, signature))
  if (!isSigned) return undefined

  const { alg, crit } = parsePart(header)
  if (alg !== 'HS256' || crit !== undefined) return undefined
  return toSignedToken(parsePart(payload), hash)
}

function toSignedToken(payload: Record<string, unknown>, hash: string): SignedToken | undefined {
  const { sub, phone, sid, variant, iat, exp, nbf = -Infinity } = payload
  if (typeof sub !== 'string' || !isNumericId(sub)) return undefined
  if (typeof sid !== 'string' || !isUuid(sid)) return undefined
  if (typeof phone !== 'string' || typeof variant !== 'string') return undefined
  if (typeof iat !== 'number' || typeof exp !== 'number' || typeof nbf !== 'number') return undefined
  return { claims: { userId: Number(sub), phone, sid, hash }, iat, exp, nbf }
}

/** Ten times as fast as WebCrypto, which JWT libraries use. */
function isSignedWith(secret: string, content: string, signature: string) {
  const expected = Buffer.from(createHmac('sha256', secret).update(content).digest('base64url'))
  const given = Buffer.from(signature)
  return expected.length === given.length && timingSafeEqual(expected, given)
}

/** Parses a part of a token; one that is not a JSON object has no claims. */
function parsePart(part: string): Record<string, unknown> {
  try {
    return Object(JSON.parse(Buffer.from(part, 'base64url').toString()))
  } catch {
    return {}
  }
}

/** Stored instead of the token: it does not sign in. */
function hashToken(token: string) {
  return Bun.SHA256.hash(token, 'hex')
}
