import { Type, type Static } from '@sinclair/typebox'
import { DAY_MS } from '../domain/durations'
import { isNumericId, isUuid } from '../domain/record-id'
import type { Claims, Tokens } from '../deps'
import { refuse } from '../errors'

export const TOKEN_LIFETIME_MS = 7 * DAY_MS

/** How far apart the clocks of our machines may be. */
const MAX_CLOCK_SKEW_S = 60
const MAX_CACHED_TOKENS = 5000
const ALGORITHM = 'HS256'
/** The times of a token are checked with each request. */
const SIGNATURE_RULES = { algorithms: [ALGORITHM], clockTolerance: Number.MAX_SAFE_INTEGER }

/** What a token must say; its times are in seconds. */
const Payload = Type.Object({
  sub: Type.String(),
  phone: Type.String(),
  sid: Type.String(),
  variant: Type.String(),
  iat: Type.Number(),
  exp: Type.Number(),
  nbf: Type.Optional(Type.Number()),
})
type Payload = Static<typeof Payload>

/** A token that we signed. */
type SignedToken = Pick<Payload, 'iat' | 'exp' | 'nbf'> & { claims: Claims }

/**
 * Creates and reads access tokens: JWTs signed with HS256.
 * The first secret signs; each of them is accepted.
 */
export function createTokens(secrets: string[], now: () => Date): Tokens {
  /** By the header of a request. */
  const cache = new Map<string, SignedToken>()
  let loading: ReturnType<typeof loadSigners> | undefined
  const getSigners = () => (loading ??= loadSigners(secrets))

  /** A signature is verified once; times are checked with each request. */
  async function findSignedToken(authorization: string) {
    const cached = cache.get(authorization)
    if (cached) return cached

    const token = /^Bearer +([\w-]+\.[\w-]+\.[\w-]+)$/i.exec(authorization)?.[1]
    const payload = token && (await verifyToken(token))
    const verified = payload && toSignedToken(payload, hashToken(token))
    if (!verified) return undefined
    if (cache.size >= MAX_CACHED_TOKENS) cache.clear()
    cache.set(authorization, verified)
    return verified
  }

  async function verifyToken(token: string) {
    for (const signer of await getSigners()) {
      const payload = await signer.verify(token, SIGNATURE_RULES)
      if (payload) return payload
    }
    return undefined
  }

  function isBegun({ iat, nbf = -Infinity }: SignedToken) {
    const machineNowS = Date.now() / 1000
    return iat <= machineNowS + MAX_CLOCK_SKEW_S && nbf <= now().getTime() / 1000 + MAX_CLOCK_SKEW_S
  }

  return {
    async issue(user, { sid, variant, latest }) {
      const [signer] = await getSigners()
      const expiresAt = new Date(Math.min(now().getTime() + TOKEN_LIFETIME_MS, latest?.getTime() ?? Infinity))
      const token = await signer!.sign({
        sub: String(user.id),
        phone: user.phone,
        sid,
        variant,
        exp: Math.floor(expiresAt.getTime() / 1000),
      })
      return { token, hash: hashToken(token), expiresAt }
    },

    async read(authorization) {
      const found = await findSignedToken(authorization ?? '')
      if (!found || !isBegun(found)) throw refuse('sign_in_required')
      if (found.exp * 1000 <= now().getTime()) throw refuse('token_expired')
      return found.claims
    },
  }
}

/** Loads the library with the first token: a server starts faster without it. */
async function loadSigners(secrets: string[]) {
  const { jwt } = await import('@elysiajs/jwt')
  return secrets.map(secret => jwt({ name: 'jwt', secret, alg: ALGORITHM, schema: Payload }).decorator.jwt)
}

function toSignedToken({ sub, phone, sid, iat, exp, nbf }: Payload, hash: string): SignedToken | undefined {
  if (!isNumericId(sub) || !isUuid(sid)) return undefined
  return { claims: { userId: Number(sub), phone, sid, hash }, iat, exp, nbf }
}

/** Stored instead of the token: it does not sign in. */
function hashToken(token: string) {
  return Bun.SHA256.hash(token, 'hex')
}
