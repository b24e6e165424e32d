import { createHash, createHmac } from 'node:crypto'
import { describe, expect, spyOn, test } from 'bun:test'
import { sql } from 'kysely'
import { query } from '../../db/orm'
import { sendRequest, freshPhone, signInUser, type TestResponse } from '../support/users'
import { startSecondInstance, clock, server } from '../support/server'
import { startWhatsAppStub } from '../server/auth/whatsapp'

/** `FAULTS=full` for the numbers that are promised, with what was measured. */
const full = process.env.FAULTS === 'full'
const report = (promise: string, figures: Record<string, unknown>) =>
  void (full && console.log(JSON.stringify({ promise, ...figures })))
const together = <T>(count: number, work: (index: number) => Promise<T>) =>
  Promise.all(Array.from({ length: count }, (_, index) => work(index)))
const count = <T>(all: T[], wanted: T) => all.filter(one => one === wanted).length
const quantile = (times: number[], share: number) =>
  times.toSorted((a, b) => a - b)[Math.floor(times.length * share)]!

const chat = startWhatsAppStub()
const time = clock()
const wide = {
  OTP_LIMIT_PER_NETWORK: '100000',
  OTP_LIMIT_PER_PHONE: '100000',
  OTP_LIMIT_PER_ADDRESS: '100000',
  LOGIN_LIMIT_PER_NETWORK: '100000',
  LOGIN_LIMIT_PER_PHONE: '100000',
}
const it = server({ env: wide, poolSize: 30 })
const earnest = server({
  env: { ...chat.env, OTP_LIMIT_PER_NETWORK: '1000', OTP_LIMIT_PER_PHONE: '4' },
  overrides: { now: time.now },
  poolSize: 30,
})
const proxied = server({
  env: { TRUSTED_PROXIES: '1', OTP_LIMIT_PER_NETWORK: '1', OTP_LIMIT_PER_ADDRESS: '2' },
})
/** On a cold pool requests queue for the first connection, and a naive read-then-write looks right. */
const warm = (url: string) => together(30, () => sendRequest(url, 'GET', '/health/ready'))
const ask = (url: string, phone: string, headers?: Record<string, string>) =>
  sendRequest(url, 'POST', '/auth/send-otp', { body: { phone_number: phone }, headers })
const verify = (url: string, phone: string, otp = '123456') =>
  sendRequest(url, 'POST', '/auth/verify', { body: { phone_number: phone, otp } })
const statuses = (answers: TestResponse[]) => answers.map(({ status }) => status)

describe('guessing a one-time password', () => {
  test('200 guesses at once: at most five are looked at, even with the right one among them at last', async () => {
    await warm(earnest.url)
    const phone = freshPhone()
    await ask(earnest.url, phone)
    const right = chat.otpOf(phone)!
    const wrong = (n: number) => String((Number(right) + 1 + n) % 1_000_000).padStart(6, '0')
    expect(count(statuses(await together(200, n => verify(earnest.url, phone, wrong(n)))), 401)).toBe(200)
    const kept = await query(earnest.em())
      .selectFrom('otp_sessions')
      .where('phone_number', '=', phone)
      .select('attempts')
      .executeTakeFirstOrThrow()
    expect(kept.attempts).toBe(5)
    expect((await verify(earnest.url, phone, right)).status).toBe(401)
    report('OTP guessing', { guesses: 200, evaluated: kept.attempts })
  })

  test("a new OTP does not give back the phone's day, nor does a sign-in", async () => {
    const phone = freshPhone()
    for (let n = 0; n < 4; n++) {
      expect((await ask(earnest.url, phone)).status).toBe(200)
      if (n % 2) expect((await verify(earnest.url, phone, chat.otpOf(phone))).status).toBe(200)
      else
        for (let tries = 0; tries < 5; tries++)
          await verify(earnest.url, phone, chat.otpOf(phone) === '000000' ? '000001' : '000000')
      time.advance(16 * 60_000)
    }
    expect((await ask(earnest.url, phone)).status).toBe(429)
  })

  test('nobody finds it in a dump of the database, neither as it is nor by trying all hashes that need no key', async () => {
    const phone = freshPhone()
    await ask(earnest.url, phone)
    const otp = chat.otpOf(phone)!
    const db = query(earnest.em())
    const { rows: tables } = await sql<{
      name: string
    }>`select quote_ident(schemaname) || '.' || quote_ident(tablename) as name from pg_tables where schemaname not in ('pg_catalog', 'information_schema')`.execute(
      db,
    )
    const dump = (
      await Promise.all(
        tables.map(({ name }) =>
          sql<{ row: string }>`select t::text as row from ${sql.raw(name)} t`.execute(db),
        ),
      )
    ).flatMap(({ rows }) => rows.map(({ row }) => row))
    expect(dump.filter(row => row.includes(phone)).length).toBeGreaterThan(0)
    const texts = [otp, `${phone}${otp}`, `${otp}${phone}`, `${phone}:${otp}`, `${otp}:${phone}`]
    const keys = ['', phone, otp, 'otp', 'otp:', 'kiraya', '123456']
    const hashes = ['md5', 'sha1', 'sha256', 'sha512'].flatMap(kind =>
      texts.flatMap(text =>
        [createHash(kind).update(text), ...keys.map(key => createHmac(kind, key).update(text))].map(hash =>
          hash.digest(),
        ),
      ),
    )
    const needles = [
      otp,
      ...hashes.flatMap(hash => [hash.toString('hex'), hash.toString('base64').replace(/=+$/, '')]),
    ]
    const told = dump.map(row => row.replaceAll(phone, '').replaceAll(/\d{4}-\d\d-\d\d [\d:.+]+/g, '')) // a time may hold the same six digits
    expect(told.filter(row => needles.some(needle => row.includes(needle)))).toEqual([])
    report('OTP guessing', { rows_of_the_dump: dump.length, forms_tried: needles.length, found: 0 })
  })
})

describe('a flood of OTP requests', () => {
  const from = (address: string) => ({ 'x-forwarded-for': address })

  test('on two instances at once exactly as many are sent as one limit allows, and the sandbox counts no more', async () => {
    const second = await startSecondInstance(it, { OTP_LIMIT_PER_NETWORK: '1' })
    const first = await startSecondInstance(it, { OTP_LIMIT_PER_NETWORK: '1' })
    try {
      for (let round = 0; round < (full ? 20 : 3); round++) {
        const phone = freshPhone()
        const answers = statuses(await together(60, n => ask([first, second][n % 2]!.url, phone)))
        const { body } = await sendRequest(first.url, 'GET', '/sandbox/messages')
        expect([
          count(answers, 200),
          count(answers, 429),
          body.data.filter((message: { phone: string }) => message.phone.endsWith(phone)).length,
        ]).toEqual([20, 40, 20]) // twenty times one, as in development
      }
      report('OTP flooding', { instances: 2, rounds: 20, asked: 60, sent: 20 })
    } finally {
      await Promise.all([first.stop(), second.stop()])
    }
  })

  test('whoever has an IPv6 /64 has one address; another /64 is another', async () => {
    const phone = freshPhone()
    const network = `2001:db8:${freshPhone().slice(-4)}:1`
    expect(
      count(statuses(await together(30, n => ask(proxied.url, phone, from(`${network}:${n}::${n}`)))), 200),
    ).toBe(20)
    expect((await ask(proxied.url, phone, from(`2001:db8:ffff:2::1`))).status).toBe(200)
    const elsewhere = `2001:db8:${freshPhone().slice(-4)}:3`
    expect(
      count(
        statuses(await together(60, n => ask(proxied.url, freshPhone(), from(`${elsewhere}:${n}::1`)))),
        200,
      ),
    ).toBe(40)
  })

  test('the address is the one that our proxy heard: what a client claims before it does not count', async () => {
    const phone = freshPhone()
    expect(
      count(
        statuses(await together(30, n => ask(proxied.url, phone, from(`198.51.${n}.7, 203.0.113.9`)))),
        200,
      ),
    ).toBe(20)
    for (const forged of ['203.0.113.9', ' 203.0.113.77 ', '10.0.0.1,203.0.113.1'])
      expect((await ask(proxied.url, phone, from(forged))).status).toBe(429)
    for (const other of ['203.0.114.9', '203.0.113.9, 198.51.100.1', 'not an address', ''])
      expect((await ask(proxied.url, phone, from(other))).status).toBe(200)
  })

  test('without a trusted proxy nobody is believed', async () => {
    const alone = await startSecondInstance(it, { OTP_LIMIT_PER_NETWORK: '1' })
    try {
      const phone = freshPhone()
      expect(
        count(statuses(await together(30, n => ask(alone.url, phone, from(`198.51.${n}.7`)))), 200),
      ).toBe(20)
    } finally {
      await alone.stop()
    }
  })
})

test('100 verifies of one OTP at once: one 200, one user, and never again', async () => {
  const rounds = full ? 50 : 3
  for (let round = 0; round < rounds; round++) {
    await warm(it.url)
    const phone = freshPhone()
    await ask(it.url, phone)
    const answers = statuses(await together(100, () => verify(it.url, phone)))
    expect([count(answers, 200), count(answers, 401)]).toEqual([1, 99])
    expect(
      await query(it.em()).selectFrom('users').where('phone', '=', phone).select('role').execute(),
    ).toEqual([{ role: 'LANDLORD' }])
    expect((await verify(it.url, phone)).status).toBe(401)
  }
  report('replay and race', { rounds, verifies: 100, accepted_each: 1, users_each: 1 })
})

describe('sessions on two instances', () => {
  test('a logout on one ends the token on the other at once', async () => {
    const second = await startSecondInstance(it, wide)
    const rounds = full ? 50 : 5
    try {
      for (let round = 0; round < rounds; round++) {
        const { token } = await signInUser(it.url)
        expect(
          statuses(await together(5, () => sendRequest(second.url, 'GET', '/auth/me', { token }))),
        ).toEqual(Array(5).fill(200))
        await sendRequest(it.url, 'POST', '/auth/logout', { token })
        expect(
          statuses(
            await together(20, n =>
              sendRequest(
                [it.url, second.url][n % 2]!,
                'GET',
                ['/auth/me', '/properties', '/agreements', '/tenants'][n % 4]!,
                { token },
              ),
            ),
          ),
        ).toEqual(Array(20).fill(401))
      }
      report('sessions', { logouts: rounds, requests_after: 20 * rounds, accepted: 0 })
    } finally {
      await second.stop()
    }
  })

  test('sign-ins by OTP and by password at once leave one active session', async () => {
    const second = await startSecondInstance(it, wide)
    const rounds = full ? 20 : 3
    const password = 'a password that is long'
    try {
      const person = await signInUser(it.url)
      const urls = [it.url, second.url]
      await person.call('PUT', '/profile/complete', {
        first_name: 'Asha',
        last_name: 'Rao',
        email: 'asha@example.com',
        password,
      })
      for (let round = 0; round < rounds; round++) {
        await ask(it.url, person.phone)
        const answers = await together(12, n =>
          n % 2
            ? sendRequest(urls[(n % 4) >> 1]!, 'POST', '/auth/login', {
                body: { phone_number: person.phone, password },
              })
            : verify(urls[(n % 4) >> 1]!, person.phone),
        )
        expect(count(statuses(answers), 200)).toBe(7)
        const active = await query(it.em())
          .selectFrom('auth_sessions')
          .where('user_id', '=', person.id)
          .where('is_active', '=', true)
          .select('id')
          .execute()
        expect(active).toHaveLength(1)
      }
      report('sessions', { rounds_of_12_sign_ins: rounds, active_after_each: 1 })
    } finally {
      await second.stop()
    }
  })
})

describe('passwords', () => {
  const login = (url: string, phone: string, password: string) =>
    sendRequest(url, 'POST', '/auth/login', { body: { phone_number: phone, password } })
  const withPassword = async (password: string) => {
    const person = await signInUser(it.url)
    await person.call('PUT', '/profile/complete', {
      first_name: 'Asha',
      last_name: 'Rao',
      email: 'asha@example.com',
      password,
    })
    return person
  }

  test('a failed login says the same and makes one hash at the same cost, whoever is asked for', async () => {
    const known = await withPassword('the right password')
    const without = await signInUser(it.url)
    const inactive = await withPassword('the right password')
    await query(it.em())
      .updateTable('users')
      .set({ is_active: false })
      .where('id', '=', inactive.id)
      .execute()
    const who = {
      'unknown phone': freshPhone(),
      'no password': without.phone,
      'wrong password': known.phone,
    }
    const all = { ...who, 'inactive user': inactive.phone }
    const made = spyOn(Bun.password, 'verify')
    const bodies = new Set<string>()
    try {
      for (const phone of Object.values(all)) {
        const before = made.mock.calls.length
        bodies.add(JSON.stringify((await login(it.url, phone, 'not the password')).body))
        const hashes = made.mock.calls
          .slice(before)
          .map(([, hash]) => /^\$argon2id\$v=19\$m=(\d+),t=(\d+)/.exec(String(hash))?.slice(1))
        expect(hashes).toEqual([['65536', '3']])
      }
      expect(bodies.size).toBe(1)
      if (!full) return
      const times = new Map<string, number[]>(Object.keys(who).map(name => [name, []]))
      const tries = 500
      for (let n = 0; n < tries; n++)
        for (const [name, phone] of Object.entries(who)) {
          const began = performance.now()
          await login(it.url, phone, 'not the password')
          times.get(name)!.push(performance.now() - began)
        }
      const medians = [...times].map(([name, all]) => [name, quantile(all, 0.5)] as const)
      const [least, most] = [Math.min, Math.max].map(pick =>
        pick(...medians.map(([, median]) => median)),
      ) as [number, number]
      report('enumeration', {
        tries,
        bodies: bodies.size,
        median_ms: Object.fromEntries(medians.map(([name, median]) => [name, +median.toFixed(1)])),
        apart_percent: +((most / least - 1) * 100).toFixed(1),
      })
    } finally {
      made.mockRestore()
    }
  }, 600_000)

  test('a flood of logins makes no more hashes at once than is set, and others are served meanwhile', async () => {
    const narrow = await startSecondInstance(it, { ...wide, PASSWORD_HASH_CONCURRENCY: '1' })
    const { token } = await signInUser(it.url)
    const really = Bun.password.verify
    let now = 0
    let most = 0
    const hashing = spyOn(Bun.password, 'verify').mockImplementation((async (
      ...given: Parameters<typeof really>
    ) => {
      most = Math.max(most, ++now)
      return really(...given).finally(() => now--)
    }) as typeof really)
    const served = async () => {
      const began = performance.now()
      expect((await sendRequest(narrow.url, 'GET', '/auth/me', { token })).status).toBe(200)
      return performance.now() - began
    }
    try {
      await warm(narrow.url)
      const alone: number[] = []
      const beneath: number[] = []
      const logins = full ? 200 : 70
      for (let n = 0; n < (full ? 300 : 20); n++) alone.push(await served())
      let flooding = true
      const flood = together(logins, () => login(narrow.url, freshPhone(), 'not the password')).finally(
        () => (flooding = false),
      )
      while (flooding && beneath.length < 5000) beneath.push(await served())
      const answers = await flood
      expect(most).toBe(1)
      expect(count(statuses(answers), 401)).toBe(51) // one at work, fifty waiting
      const turnedAway = answers.filter(({ status }) => status !== 401)
      expect(
        turnedAway.map(({ status, headers, body }) => [status, headers.get('retry-after'), body.error.code]),
      ).toEqual(Array.from({ length: logins - 51 }, () => [503, '2', 'SERVICE_UNAVAILABLE']))
      expect(beneath.length).toBeGreaterThan(10)
      report('passwords', {
        logins_at_once: logins,
        hashes_at_once: most,
        turned_away: turnedAway.length,
        others_p50_ms: {
          alone: +quantile(alone, 0.5).toFixed(1),
          meanwhile: +quantile(beneath, 0.5).toFixed(1),
        },
        others_p99_ms: {
          alone: +quantile(alone, 0.99).toFixed(1),
          meanwhile: +quantile(beneath, 0.99).toFixed(1),
        },
      })
    } finally {
      hashing.mockRestore()
      await narrow.stop()
    }
  })
})
