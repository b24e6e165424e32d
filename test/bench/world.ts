import { createHash, createHmac, randomBytes, randomUUID } from 'node:crypto'
import { getPhone, WRITERS, type Layout } from './layout'

const MAX_READERS = 20

type SignedInUser = { id: number; token: string }
type Secrets = { JWT_SECRET: string; ESIGN_WEBHOOK_SECRET: string; SANDBOX_OTP: string }

export type World = {
  sql: Bun.SQL
  layout: Layout
  readers: SignedInUser[]
  writers: SignedInUser[]
  secrets: Secrets
  /** Counts the phone numbers in use, so that each new user gets one of their own. */
  usedPhones: number
}

export function createSecrets(): Secrets {
  const createSecret = () => randomBytes(48).toString('base64')
  return { JWT_SECRET: createSecret(), ESIGN_WEBHOOK_SECRET: createSecret(), SANDBOX_OTP: '730519' }
}

/** Signs landlords in: their stored sessions get tokens that this process knows. */
export async function createWorld(sql: Bun.SQL, layout: Layout, secrets: Secrets): Promise<World> {
  const signInFrom = (firstId: number, count: number) =>
    Promise.all(Array.from({ length: count }, (_, index) => signIn(sql, secrets, firstId + index)))
  const readers = await signInFrom(1, Math.min(MAX_READERS, layout.landlords))
  const writers = await signInFrom(layout.firstWriter, WRITERS)
  return { sql, layout, secrets, usedPhones: 0, readers, writers }
}

async function signIn(sql: Bun.SQL, secrets: Secrets, id: number): Promise<SignedInUser> {
  const sid = randomUUID()
  const token = createToken(id, sid, secrets.JWT_SECRET)
  const digest = createHash('sha256').update(token).digest('hex')
  await sql`update auth_sessions set sid = ${sid}, auth_token = ${digest} where user_id = ${id}`
  return { id, token }
}

function createToken(id: number, sid: string, secret: string) {
  const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const iat = Math.floor(Date.now() / 1000)
  const claims = { sub: String(id), phone: getPhone(id), sid, variant: 'b', exp: iat + 7 * 86_400, iat }
  const unsigned = `${encode({ alg: 'HS256', typ: 'JWT' })}.${encode(claims)}`
  const signature = createHmac('sha256', secret).update(unsigned).digest('base64url')
  return `${unsigned}.${signature}`
}
