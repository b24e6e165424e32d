import { createHmac, timingSafeEqual } from 'node:crypto'
import type { Variant } from '../http/variants'
import { isNumericId, isUuid } from '../domain/record-id'

export const TOKEN_LIFETIME_MS = 7 * 24 * 3_600_000

/** How far the machines' clocks may be apart, by which tokens are dated. */
const CLOCKS_APART_S = 60

/** Who presents a token: verified, but its session not yet looked up. */
export type Claims = { userId: number; phone: string; sid: string; hash: string }

export type Tokens = ReturnType<typeof createTokens>

/** What a token that was signed by us says, and between which times it counts. */
type Verified = { claims: Claims; iat: number; exp: number; nbf: number }
/** A token's signature is looked at once, and its times, as its session, with each request. Those known are forgotten when they are too many. */
const MOST_KNOWN = 5000

/** Access tokens: JWTs signed with HS256 that live for seven days and carry the user's id and phone number. The first of `secrets` signs, each of them is accepted. */
export function createTokens(secrets: string[], now: () => Date) {
  // Loaded with the first sign-in: a server starts without it.
  let signing: ReturnType<typeof load> | undefined
  const load = async () =>
    (await import('@elysiajs/jwt')).jwt({ name: 'jwt', secret: secrets[0]!, alg: 'HS256' }).decorator.jwt
  const known = new Map<string, Verified>()

  const verified = (token: string, hash: string): Verified | undefined => {
    const [header, payload, signature] = token.split('.') as [string, string, string]
    if (!secrets.some(secret => isSignedWith(secret, `${header}.${payload}`, signature))) return undefined
    const { alg, crit } = parsed(header)
    const { sub, phone, sid, variant, iat, exp, nbf = -Infinity } = parsed(payload)
    if (alg !== 'HS256' || crit !== undefined) return undefined
    if (
      typeof sub !== 'string' ||
      !isNumericId(sub) ||
      typeof phone !== 'string' ||
      typeof sid !== 'string' ||
      !isUuid(sid) ||
      typeof variant !== 'string'
    )
      return undefined
    if (typeof iat !== 'number' || typeof exp !== 'number' || typeof nbf !== 'number') return undefined
    const found = { claims: { userId: Number(sub), phone, sid, hash }, iat, exp, nbf }
    if (known.size >= MOST_KNOWN) known.clear()
    known.set(hash, found)
    return found
  }

  return {
    issue: async (user: { id: number; phone: string }, sid: string, variant: Variant) => {
      const expiresAt = new Date(now().getTime() + TOKEN_LIFETIME_MS)
      const { sign } = await (signing ??= load())
      const token = await sign({
        sub: String(user.id),
        phone: user.phone,
        sid,
        variant,
        exp: Math.floor(expiresAt.getTime() / 1000),
      })
      return { token, hash: hashOf(token), expiresAt }
    },
    read: (authorization: string | null): Claims | undefined => {
      const token = /^Bearer ([\w-]+\.[\w-]+\.[\w-]+)$/i.exec(authorization ?? '')?.[1]
      if (!token) return undefined
      const hash = hashOf(token)
      const found = known.get(hash) ?? verified(token, hash)
      const nowS = now().getTime() / 1000
      return found &&
        found.exp > Math.floor(nowS) &&
        found.iat <= Date.now() / 1000 + CLOCKS_APART_S &&
        found.nbf <= nowS + CLOCKS_APART_S
        ? found.claims
        : undefined
    },
  }
}

/** WebCrypto, on which JWT libraries stand, takes ten times as long for it. */
function isSignedWith(secret: string, signed: string, signature: string) {
  const right = Buffer.from(createHmac('sha256', secret).update(signed).digest('base64url'))
  const given = Buffer.from(signature)
  return right.length === given.length && timingSafeEqual(right, given)
}

/** Of what is no JSON object nothing is there. */
function parsed(part: string): Record<string, unknown> {
  try {
    return Object(JSON.parse(Buffer.from(part, 'base64url').toString()))
  } catch {
    return {}
  }
}

/** What is kept of a token: nobody can sign in with it. */
const hashOf = (token: string) => Bun.SHA256.hash(token, 'hex')
