import { createHash } from 'node:crypto'
import { jwt } from '@elysiajs/jwt'
import { isNumericId, isUuid } from '../http/formats'
import type { Variant } from '../variants'

export const TOKEN_LIFETIME_MS = 7 * 24 * 3_600_000

/** How far the machines' clocks may be apart, by which tokens are dated. */
const CLOCKS_APART_S = 60

/** Who presents a token: verified, but its session not yet looked up. */
export type Claims = { userId: number; phone: string; sid: string; hash: string }

export type Tokens = ReturnType<typeof createTokens>

/** Access tokens: JWTs signed with HS256 that live for seven days and carry the user's id and phone number. The first of `secrets` signs, each of them is accepted. */
export function createTokens(secrets: string[], now: () => Date) {
  const [current, ...others] = secrets.map(secret => jwt({ name: 'jwt', secret, alg: 'HS256' }).decorator.jwt)
  const verify = async (token: string) => {
    const rules = { algorithms: ['HS256'], requiredClaims: ['sub', 'phone', 'sid', 'variant', 'iat', 'exp'], currentDate: now() }
    for (const { verify } of [current!, ...others]) {
      const claims = await verify(token, rules)
      if (claims) return claims
    }
    return undefined
  }
  return {
    issue: async (user: { id: number; phone: string }, sid: string, variant: Variant) => {
      const expiresAt = new Date(now().getTime() + TOKEN_LIFETIME_MS)
      const token = await current!.sign({ sub: String(user.id), phone: user.phone, sid, variant, exp: Math.floor(expiresAt.getTime() / 1000) })
      return { token, hash: hashOf(token), expiresAt }
    },
    read: async (authorization: string | null): Promise<Claims | undefined> => {
      const token = /^Bearer ([\w-]+\.[\w-]+\.[\w-]+)$/i.exec(authorization ?? '')?.[1]
      if (!token) return undefined
      const claims = await verify(token)
      if (!claims || typeof claims.sub !== 'string' || !isNumericId(claims.sub) || typeof claims.sid !== 'string' || !isUuid(claims.sid) || typeof claims.phone !== 'string') return undefined
      if (typeof claims.iat !== 'number' || claims.iat > Date.now() / 1000 + CLOCKS_APART_S) return undefined
      return { userId: Number(claims.sub), phone: claims.phone, sid: claims.sid, hash: hashOf(token) }
    },
  }
}

/** What is kept of a token: nobody can sign in with it. */
const hashOf = (token: string) => createHash('sha256').update(token).digest('hex')
