import { createHash, createHmac } from 'node:crypto'
import { expect, test } from 'bun:test'
import { sql } from 'kysely'
import { getKysely } from '../../../../db/database'
import { startWhatsAppStub } from '../../../server/auth/whatsapp'
import { clock, testServer } from '../../../support/server'
import { freshPhone } from '../../../support/users'
import { chooseByRound, report, runTogether } from '../../../support/round'
import { countStatus, noLimits, sendOtp, verifyOtp, warmPool } from './requests'

const MINUTE_MS = 60_000
const DAILY_LIMIT = 4
const GUESSES = 200

const whatsapp = startWhatsAppStub()
const time = clock()
const server = testServer({
  env: {
    ...whatsapp.env,
    OTP_LIMIT_PER_NETWORK: '1000',
    OTP_LIMIT_PER_PHONE: String(DAILY_LIMIT),
    TRUSTED_PROXIES: '1',
    WRONG_OTP_LIMIT_PER_SITE: '1000',
  },
  overrides: { now: time.now },
  poolSize: 30,
})
const unlimited = testServer({ env: noLimits, poolSize: 30 })

test(`401: of ${GUESSES} guesses at once at most five are compared, and then even the right one is refused`, async () => {
  await warmPool(server.url)
  const phone = freshPhone()
  await sendOtp(server.url, phone)
  const otp = whatsapp.otpOf(phone)!
  const guess = (index: number) => String((Number(otp) + 1 + index) % 1_000_000).padStart(6, '0')

  const responses = await runTogether(GUESSES, index => verifyOtp(server.url, phone, guess(index)))

  expect(countStatus(responses, 401)).toBe(GUESSES)
  const { attempts } = await getKysely(server.em())
    .selectFrom('otp_sessions')
    .where('phone_number', '=', phone)
    .select('attempts')
    .executeTakeFirstOrThrow()
  expect(attempts).toBe(5)
  expect((await verifyOtp(server.url, phone, otp)).status).toBe(401)
  report('OTP guessing', { guesses: GUESSES, evaluated: attempts })
})

test("429: neither a new OTP nor a sign-in gives back the phone's daily limit", async () => {
  const phone = freshPhone()
  // The network of the sign-ins is known, and has a limit of its own.
  const elsewhere = { 'x-forwarded-for': '203.0.113.7' }
  for (let sent = 0; sent < DAILY_LIMIT; sent++) {
    expect((await sendOtp(server.url, phone)).status).toBe(200)
    const otp = whatsapp.otpOf(phone)!
    if (sent % 2 === 1) expect((await verifyOtp(server.url, phone, otp)).status).toBe(200)
    else await guessFiveTimes(phone, otp)
    time.advance(16 * MINUTE_MS)
  }
  // Beyond it one OTP is sent in 15 minutes.
  expect((await sendOtp(server.url, phone, elsewhere)).status).toBe(200)
  expect((await sendOtp(server.url, phone, elsewhere)).status).toBe(429)
})

async function guessFiveTimes(phone: string, otp: string) {
  const wrong = otp === '000000' ? '000001' : '000000'
  for (let guess = 0; guess < 5; guess++) await verifyOtp(server.url, phone, wrong)
}

test('a dump of the database holds no OTP, neither as it is nor as any hash that needs no key', async () => {
  const phone = freshPhone()
  await sendOtp(server.url, phone)
  const otp = whatsapp.otpOf(phone)!
  const rows = await dumpRows()
  expect(rows.filter(row => row.includes(phone)).length).toBeGreaterThan(0)

  const needles = [otp, ...listHashes(phone, otp)]
  // A time may hold the same six digits.
  const texts = rows.map(row => row.replaceAll(phone, '').replaceAll(/\d{4}-\d\d-\d\d [\d:.+]+/g, ''))

  expect(texts.filter(text => needles.some(needle => text.includes(needle)))).toEqual([])
  report('OTP guessing', { rows_of_the_dump: rows.length, forms_tried: needles.length, found: 0 })
})

async function dumpRows() {
  const db = getKysely(server.em())
  const { rows: tables } = await sql<{ name: string }>`
    select quote_ident(schemaname) || '.' || quote_ident(tablename) as name
    from pg_tables where schemaname not in ('pg_catalog', 'information_schema')`.execute(db)
  const dumps = tables.map(({ name }) =>
    sql<{ row: string }>`select t::text as row from ${sql.raw(name)} t`.execute(db),
  )
  return (await Promise.all(dumps)).flatMap(({ rows }) => rows.map(({ row }) => row))
}

/** What someone without the server's key could compute of an OTP, in hexadecimal and base64. */
function listHashes(phone: string, otp: string) {
  const texts = [otp, `${phone}${otp}`, `${otp}${phone}`, `${phone}:${otp}`, `${otp}:${phone}`]
  const keys = ['', phone, otp, 'otp', 'otp:', 'kiraya', '123456']
  const hashes = ['md5', 'sha1', 'sha256', 'sha512'].flatMap(algorithm =>
    texts.flatMap(text => [
      createHash(algorithm).update(text).digest(),
      ...keys.map(key => createHmac(algorithm, key).update(text).digest()),
    ]),
  )
  return hashes.flatMap(hash => [hash.toString('hex'), hash.toString('base64').replace(/=+$/, '')])
}

const ROUNDS = chooseByRound(50, 3)
const VERIFIES = 100
test(`${VERIFIES} verifies of one OTP at once: one 200, one user, and never again`, async () => {
  for (let round = 0; round < ROUNDS; round++) {
    await warmPool(unlimited.url)
    const phone = freshPhone()
    await sendOtp(unlimited.url, phone)

    const responses = await runTogether(VERIFIES, () => verifyOtp(unlimited.url, phone))

    expect([countStatus(responses, 200), countStatus(responses, 401)]).toEqual([1, VERIFIES - 1])
    const users = getKysely(unlimited.em()).selectFrom('users').where('phone', '=', phone).select('role')
    expect(await users.execute()).toEqual([{ role: 'LANDLORD' }])
    expect((await verifyOtp(unlimited.url, phone)).status).toBe(401)
  }
  report('replay and race', { rounds: ROUNDS, verifies: VERIFIES, accepted_each: 1, users_each: 1 })
})
