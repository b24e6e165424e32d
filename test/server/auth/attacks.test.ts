import { createHash, createHmac } from 'node:crypto'
import { expect, spyOn, test } from 'bun:test'
import { sql } from 'kysely'
import { getKysely } from '../../../db/database'
import { createPasswords } from '../../../server/auth/passwords'
import { startSecondInstance, testServer } from '../../support/server'
import { completeProfile, freshPhone, sendRequest, signInUser } from '../../support/users'
import { wideLimits } from '../../support/wide-limits'
import { startWhatsAppStub } from './whatsapp'

const PRODUCTION_COST = /^\$argon2id\$v=19\$m=65536,t=3,p=1\$/
const whatsapp = startWhatsAppStub()
const server = testServer({ env: { ...wideLimits, ...whatsapp.env } })

test('a dump of the database holds no OTP, neither as it is nor as any hash that needs no key', async () => {
  const phone = freshPhone()
  await sendRequest(server, 'POST', '/auth/send-otp', { body: { phone_number: phone } })
  const otp = whatsapp.otpOf(phone)!
  const rows = await dumpRows()
  expect(rows.filter(row => row.includes(phone)).length).toBeGreaterThan(0)

  const needles = [otp, ...listHashes(phone, otp)]
  // A time may hold the same six digits.
  const texts = rows.map(row => row.replaceAll(phone, '').replaceAll(/\d{4}-\d\d-\d\d [\d:.+]+/g, ''))

  expect(texts.filter(text => needles.some(needle => text.includes(needle)))).toEqual([])
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

test('401: a failed login has one body and compares one hash of the full cost, whatever the reason', async () => {
  const verify = spyOn(Bun.password, 'verify').mockResolvedValue(false)
  const { passwords } = server.deps
  Object.assign(server.deps, { passwords: createPasswords(1) })
  try {
    const outcomes: Record<string, unknown> = {}
    for (const [reason, prepare] of Object.entries(failures)) {
      const phone_number = await prepare()
      verify.mockClear()
      const body = { phone_number, password: 'not the password' }
      const { status, error } = await sendRequest(server, 'POST', '/auth/login', { body })
      const hashes = verify.mock.calls.map(([, hash]) => PRODUCTION_COST.test(String(hash)))
      outcomes[reason] = { status, error, hashes }
    }
    const [first] = Object.values(outcomes)
    expect(first).toMatchObject({ status: 401, hashes: [true] })
    expect(outcomes).toEqual(Object.fromEntries(Object.keys(failures).map(reason => [reason, first])))
  } finally {
    Object.assign(server.deps, { passwords })
    verify.mockRestore()
  }
})

async function createUserWithPassword() {
  const user = await signInUser(server)
  await completeProfile(user, { password: 'the right password' })
  return user
}

const failures: Record<string, () => Promise<string>> = {
  'unknown phone': async () => freshPhone(),
  'no password': async () => (await signInUser(server)).phone,
  'wrong password': async () => (await createUserWithPassword()).phone,
  'inactive user': async () => {
    const { id, phone } = await createUserWithPassword()
    await getKysely(server.em()).updateTable('users').set({ is_active: false }).where('id', '=', id).execute()
    return phone
  },
}

test('two instances count together, and a logout at one ends the token at the other at once', async () => {
  const env = { ...wideLimits, ...whatsapp.env, OTP_LIMIT_PER_NETWORK: '2' }
  const [one, two] = [await startSecondInstance(server, env), await startSecondInstance(server, env)]
  const body = { phone_number: freshPhone() }
  const sends = [one, two, one, two, one, two].map(each =>
    sendRequest(each, 'POST', '/auth/send-otp', { body }),
  )
  const statuses = (await Promise.all(sends)).map(({ status }) => status)
  expect(statuses.toSorted()).toEqual([200, 200, 429, 429, 429, 429])

  const { token } = await signInUser(server)
  const readAt = async () => (await sendRequest(two, 'GET', '/auth/me', { token })).status
  expect(await readAt()).toBe(200)
  await sendRequest(one, 'POST', '/auth/logout', { token })
  expect(await readAt()).toBe(401)
  await Promise.all([one.stop(), two.stop()])
})
