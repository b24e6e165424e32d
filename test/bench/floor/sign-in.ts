import { createHmac, randomUUID } from 'node:crypto'
import {
  DAY_MS,
  getNow,
  getTimeIn,
  JWT_SECRET,
  pool,
  refuse,
  SANDBOX_OTP,
  selectAll,
  selectOne,
  sha256,
  toEnvelope,
  type Db,
  type Row,
} from './http'
import { callProvider } from './sandbox'
import * as statements from './sql/sign-in'

type Variant = 'a' | 'b'
type RateLimit = [key: string, windowMs: number]

const QUARTER_HOUR_MS = 900_000
const HOUR_MS = 3_600_000
const MAX_REQUESTS = 1_000_000

const hashOtp = (phone: string, otp: string) =>
  createHmac('sha256', `otp:${JWT_SECRET}`).update(`${phone}:${otp}`).digest('hex')

const getAddress = (request: Request) => request.headers.get('x-forwarded-for') ?? '127.0.0.1'

const toNetwork = (address: string) => `${address.slice(0, address.lastIndexOf('.'))}.0/24`

const COUNTS = [4, 5]
const countStatements = toStatements(statements.countRateLimits)
const refundStatements = toStatements(statements.refundRateLimits)

function toStatements(create: (count: number) => string): Record<number, string> {
  return Object.fromEntries(COUNTS.map(count => [count, create(count)]))
}

/** Returns what takes the uses back. */
async function consumeRateLimits(limits: RateLimit[]) {
  const sorted = limits.toSorted(([a], [b]) => (a < b ? -1 : 1))
  const values = sorted.flatMap(([key, windowMs]) => [key, getTimeIn(windowMs)])
  const counts = await selectAll(pool, countStatements[limits.length]!, getNow(), ...values)
  if (counts.some(({ count }) => count > MAX_REQUESTS)) refuse(429)
  return () => selectAll(pool, refundStatements[limits.length]!, ...sorted.map(([key]) => key))
}

function toSignInLimits(kind: string, phone: string, request: Request): RateLimit[] {
  const network = toNetwork(getAddress(request))
  return [
    [`${kind}:${phone}:${network}`, QUARTER_HOUR_MS],
    [`${kind}:${phone}:${network}:day`, DAY_MS],
    [`${kind}:${phone}`, DAY_MS],
    [`${kind}:${network}`, QUARTER_HOUR_MS],
  ]
}

async function sendOtp(request: Request, phone: string, lifetimeMs: number) {
  await consumeRateLimits([...toSignInLimits('otp', phone, request), ['otp:total', HOUR_MS]])
  const [user] = await selectAll(pool, statements.selectAccountByPhone, phone)
  await callProvider('/sandbox/whatsapp', { to: phone, otp: SANDBOX_OTP })
  const hash = hashOtp(phone, SANDBOX_OTP)
  await selectAll(pool, statements.upsertOtp, phone, hash, getTimeIn(lifetimeMs), getNow())
  return { user, message: 'A one-time password is on its way' }
}

export async function sendOtpInA(body: Row, request: Request) {
  const { message } = await sendOtp(request, body.phoneNumber, 600_000)
  return { message }
}

export async function sendOtpInB(body: Row, request: Request) {
  const { message, user } = await sendOtp(request, body.phone_number, 300_000)
  const { last_login_at, is_active: _, ...account } = user ?? {}
  return toEnvelope({ message, is_existing_user: !!last_login_at, user: user ? account : null })
}

function createToken(user: Row, sid: string, variant: Variant, now: Date) {
  const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const iat = Math.floor(now.getTime() / 1000)
  const claims = { sub: String(user.id), phone: user.phone, sid, variant, exp: iat + 7 * 86_400, iat }
  const unsigned = `${encode({ alg: 'HS256', typ: 'JWT' })}.${encode(claims)}`
  const signature = createHmac('sha256', JWT_SECRET).update(unsigned).digest('base64url')
  return `${unsigned}.${signature}`
}

async function openSession(tx: Db, user: Row, variant: Variant) {
  const now = new Date()
  const nowText = now.toISOString()
  const sid = randomUUID()
  const access_token = createToken(user, sid, variant, now)
  const refreshBy = getTimeIn(3_600_000)
  const expiresAt = new Date(now.getTime() + 7 * DAY_MS).toISOString()
  const digest = sha256(access_token)
  await selectAll(tx, statements.deleteExpiredSessions, user.id, nowText)
  await selectAll(tx, statements.deactivateSessions, user.id, nowText)
  await selectAll(tx, statements.insertSession, sid, user.id, digest, refreshBy, expiresAt, nowText)
  await selectAll(tx, statements.updateLastLogin, user.id, nowText)
  const { row } = await selectOne(tx, statements.selectUserById, user.id)
  return { access_token, user: row, status: getLoginStatus(row) }
}

export function getLoginStatus(user: Row) {
  if (!user.has_completed_profile) return 'NEEDS_PROFILE_COMPLETION'
  return user.has_verified_profile ? 'LOGIN_SUCCESSFUL' : 'NEEDS_VERIFICATION'
}

async function verifyOtp(request: Request, phone: string, otp: string, variant: Variant) {
  const network = toNetwork(getAddress(request))
  const refund = await consumeRateLimits(toSignInLimits('wrong-otp', phone, request))
  const session = await pool.begin(async tx => {
    const hash = hashOtp(phone, otp)
    const [consumed] = await selectAll(tx, statements.consumeOtp, phone, hash, getNow(), network)
    if (consumed?.action !== 'DELETE') refuse(401)
    await selectAll(tx, statements.insertUser, phone)
    return openSession(tx, await selectOne(tx, statements.lockUserByPhone, phone), variant)
  })
  await refund()
  return session
}

/** Variant A asks for `phoneNumber`, and reads the user in camelCase. */
export async function verify(body: Row, request: Request) {
  if (!body.phoneNumber) return toEnvelope(await verifyOtp(request, body.phone_number, body.otp, 'b'))
  const session = await verifyOtp(request, body.phoneNumber, body.otp, 'a')
  return { ...session, user: toCamelCase(session.user) }
}

const toCamelCase = ({ user_id: _, ...user }: Row) =>
  Object.fromEntries(
    Object.entries(user).map(([name, value]) => [
      name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase()),
      value,
    ]),
  )

export async function logIn(body: Row, request: Request) {
  const refund = await consumeRateLimits(toSignInLimits('login', body.phone_number, request))
  const account = await selectOne(pool, statements.selectPassword, body.phone_number)
  if (!(await Bun.password.verify(body.password, account.password))) refuse(401)
  const session = await pool.begin(async tx => {
    const user = await selectOne(tx, statements.lockUserByPassword, account.id, account.password)
    return openSession(tx, user, 'b')
  })
  await refund()
  return toEnvelope(session)
}
