import { createHash, createHmac, createSign, generateKeyPairSync } from 'node:crypto'
import { describe, expect, test } from 'bun:test'
import { getKysely } from '../../../db/database'
import { sendRequest, freshPhone, signInUser, type TestUser } from '../../support/users'
import { startSecondInstance, clock, testServer } from '../../support/server'
import { enveloped } from '../http/forms'

const time = clock()
const it = testServer({ overrides: { now: time.now } })
const DAYS_7 = 7 * 24 * 3600

type Json = Record<string, unknown>
const part = (value: Json) => Buffer.from(JSON.stringify(value)).toString('base64url')
const read = (token: string, index: number): Json =>
  JSON.parse(Buffer.from(token.split('.')[index]!, 'base64url').toString())
const mint = (claims: Json, { alg = 'HS256', hash = 'sha256', key = it.deps.config.JWT_SECRET } = {}) => {
  const signed = `${part({ alg, typ: 'JWT' })}.${part(claims)}`
  return `${signed}.${createHmac(hash, key).update(signed).digest('base64url')}`
}
const without = (claims: Json, name: string) =>
  Object.fromEntries(Object.entries(claims).filter(([claim]) => claim !== name))

/** Makes this token the one that the session's record knows, so that nothing but its own verification can refuse it. */
const adopt = async (token: string, { token: own }: TestUser) => {
  await getKysely(it.em())
    .updateTable('auth_sessions')
    .set({ auth_token: createHash('sha256').update(token).digest('hex') })
    .where('sid', '=', String(read(own, 1).sid))
    .execute()
  return token
}
const me = (token: string) => sendRequest(it.url, 'GET', '/auth/me', { token })

describe('the token', () => {
  test('is an HS256 JWT of seven days that carries user id, phone, session and variant', async () => {
    const person = await signInUser(it.url)
    const claims = read(person.token, 1)
    expect(read(person.token, 0)).toMatchObject({ alg: 'HS256' })
    expect(claims).toEqual({
      sub: String(person.id),
      phone: person.phone,
      sid: expect.any(String),
      variant: 'b',
      iat: expect.any(Number),
      exp: expect.any(Number),
    })
    expect(claims.exp).toBe(Math.floor(time.now().getTime() / 1000) + DAYS_7)
  })

  test('its session is kept as a hash that expires in the record after an hour', async () => {
    const { id, token } = await signInUser(it.url)
    const rows = await getKysely(it.em())
      .selectFrom('auth_sessions')
      .where('user_id', '=', id)
      .selectAll()
      .execute()
    const after = (ms: number) => new Date(time.now().getTime() + ms).toISOString()
    expect(rows).toMatchObject([
      {
        sid: read(token, 1).sid,
        auth_token: createHash('sha256').update(token).digest('hex'),
        is_active: true,
        expires_by: after(3_600_000),
        token_expires_at: after(DAYS_7 * 1000),
      },
    ])
    expect(JSON.stringify(rows)).not.toContain(token.split('.')[2])
  })

  test('200: one that is minted rightly and known is taken, so the refusals below mean what they say', async () => {
    const person = await signInUser(it.url)
    expect((await me(await adopt(mint({ ...read(person.token, 1), extra: 1 }), person))).status).toBe(200)
  })

  test('200: it works to its last second, 401: not after seven days', async () => {
    const { token } = await signInUser(it.url)
    time.advance((DAYS_7 - 1) * 1000)
    expect((await me(token)).status).toBe(200)
    time.advance(1000)
    expect((await me(token)).status).toBe(401)
  })
})

describe('401: a forged token that the session record knows', () => {
  const now = () => Math.floor(time.now().getTime() / 1000)
  const forgeries: Record<string, (claims: Json, person: TestUser) => string> = {
    'alg none without a signature': claims => `${part({ alg: 'none' })}.${part(claims)}.`,
    'alg none with some signature': claims => `${part({ alg: 'none' })}.${part(claims)}.AAAA`,
    'alg None under the right key': claims => mint(claims, { alg: 'None' }),
    'HS384 under the right key': claims => mint(claims, { alg: 'HS384', hash: 'sha384' }),
    'HS512 under the right key': claims => mint(claims, { alg: 'HS512', hash: 'sha512' }),
    'HS512 that says HS256': claims => mint(claims, { hash: 'sha512' }),
    'another key': claims => mint(claims, { key: 'another secret of more than 32 bytes in length' }),
    'an empty key': claims => mint(claims, { key: '' }),
    'RS256 by a key of its own': claims => {
      const signed = `${part({ alg: 'RS256', typ: 'JWT' })}.${part(claims)}`
      return `${signed}.${createSign('sha256')
        .update(signed)
        .sign(generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey, 'base64url')}`
    },
    'claims changed under the old signature': (claims, { token }) =>
      `${token.split('.')[0]}.${part({ ...claims, sub: '1' })}.${token.split('.')[2]}`,
    'no signature': (_, { token }) => token.split('.').slice(0, 2).join('.'),
    expired: claims => mint({ ...claims, exp: now() }),
    'not yet valid': claims => mint({ ...claims, nbf: now() + 600 }),
    'exp as text': claims => mint({ ...claims, exp: '9999999999' }),
    'sub of nobody': claims => mint({ ...claims, sub: '2147483647' }),
    'sub beyond every id': claims => mint({ ...claims, sub: '9999999999' }),
    'iat in the future': claims => mint({ ...claims, iat: now() + 600 }),
    'iat as text': claims => mint({ ...claims, iat: String(now()) }),
    'phone of another': claims => mint({ ...claims, phone: '9000000000' }),
    'phone as a list': claims => mint({ ...claims, phone: [claims.phone] }),
    'sub as a list': claims => mint({ ...claims, sub: [claims.sub] }),
    'sub as a number': claims => mint({ ...claims, sub: Number(claims.sub) }),
    'sub that is no number': claims => mint({ ...claims, sub: `${claims.sub} or 1=1` }),
    'sid of no session': claims => mint({ ...claims, sid: '00000000-0000-4000-8000-000000000000' }),
    'sid that is no UUID': claims => mint({ ...claims, sid: 'x' }),
    'sid as an object': claims => mint({ ...claims, sid: { $ne: null } }),
    'sid with NUL': claims => mint({ ...claims, sid: '\0' }),
    ...Object.fromEntries(
      ['sub', 'phone', 'sid', 'variant', 'iat', 'exp'].map(name => [
        `no ${name}`,
        (claims: Json) => mint(without(claims, name)),
      ]),
    ),
  }
  for (const [name, forge] of Object.entries(forgeries)) {
    test(name, async () => {
      const person = await signInUser(it.url)
      const forged = await adopt(forge(read(person.token, 1), person), person)
      const answer = await me(forged)
      expect([answer.status, answer.body.error?.code ?? answer.body.error]).toEqual([
        401,
        expect.stringMatching(/UNAUTHORIZED|Unauthorized/),
      ])
      expect((await sendRequest(it.url, 'POST', '/auth/logout', { token: forged })).status).toBe(401)
    })
  }

  test("another person's id or session beside one's own", async () => {
    const mine = await signInUser(it.url)
    const yours = await signInUser(it.url)
    const claims = read(mine.token, 1)
    for (const foreign of [{ sub: String(yours.id) }, { sid: read(yours.token, 1).sid }])
      expect((await me(await adopt(mint({ ...claims, ...foreign }), mine))).status).toBe(401)
  })
})

describe('while the key is being changed', () => {
  const keys = [
    'the key that was in use, of more than 32 bytes',
    'the key that comes after it, of more than 32 bytes',
  ] as const

  test('instances before, amid and after the change accept each other’s tokens and one-time passwords, in its documented order', async () => {
    const steps: Record<string, string>[] = [
      { JWT_SECRET: keys[0] },
      { JWT_SECRET: keys[0], JWT_SECRET_SECONDARY: keys[1] },
      { JWT_SECRET: keys[1], JWT_SECRET_SECONDARY: keys[0] },
      { JWT_SECRET: keys[1] },
    ]
    const instances = await Promise.all(steps.map(env => startSecondInstance(it, env)))
    try {
      const people = await Promise.all(instances.map(({ url }) => signInUser(url)))
      const accepts = async (at: number) =>
        Promise.all(
          people.map(
            async ({ token }) => (await sendRequest(instances[at]!.url, 'GET', '/auth/me', { token })).status,
          ),
        )
      expect([await accepts(0), await accepts(1), await accepts(2), await accepts(3)]).toEqual([
        [200, 200, 401, 401],
        [200, 200, 200, 200],
        [200, 200, 200, 200],
        [401, 401, 200, 200],
      ])
      for (const [asked, verified, status] of [
        [0, 1, 200],
        [1, 2, 200],
        [2, 1, 200],
        [3, 2, 200],
        [0, 3, 401],
      ] as const) {
        const phone = freshPhone()
        await sendRequest(instances[asked]!.url, 'POST', '/auth/send-otp', { body: { phone_number: phone } })
        expect(
          (
            await sendRequest(instances[verified]!.url, 'POST', '/auth/verify', {
              body: { phone_number: phone, otp: '123456' },
            })
          ).status,
        ).toBe(status)
      }
    } finally {
      for (const instance of instances) await instance.stop()
    }
  })
})

describe('401: a good token presented wrongly', () => {
  const wrongly: Record<string, (token: string) => string> = {
    'no scheme': token => token,
    'another scheme': token => `Basic ${token}`,
    'Bearer alone': () => 'Bearer',
    'Bearer and a blank': () => 'Bearer ',
    'two blanks': token => `Bearer  ${token}`,
    'two tokens': token => `Bearer ${token}, Bearer ${token}`,
    'a word after it': token => `Bearer ${token} x`,
    'an appended =': token => `Bearer ${token}=`,
    'an appended dot': token => `Bearer ${token}.`,
    'an appended letter': token => `Bearer ${token}A`,
    'another last letter': token => `Bearer ${token.slice(0, -1)}${token.endsWith('A') ? 'B' : 'A'}`,
    // The last letter of 32 bytes in base64 carries two bits that nobody reads.
    'the same bytes spelt otherwise': token =>
      `Bearer ${token.slice(0, -1)}${String.fromCharCode(token.charCodeAt(token.length - 1) + 1)}`,
    'plain base64': token => `Bearer ${token}+/`,
    quotes: token => `Bearer "${token}"`,
    'a long line of nothing': () => `Bearer ${'a.'.repeat(2000)}`,
    'bytes that are no JSON': () => 'Bearer AAAA.AAAA.AAAA',
    'a cookie': () => '',
  }
  for (const [name, header] of Object.entries(wrongly)) {
    test(name, async () => {
      const { token } = await signInUser(it.url)
      const answer = await sendRequest(it.url, 'GET', '/auth/me', {
        headers: { authorization: header(token), cookie: `access_token=${token}` },
      })
      expect([answer.status, answer.body]).toEqual([401, enveloped(401)])
    })
  }

  test('200: the scheme may be written in any case', async () => {
    const { token } = await signInUser(it.url)
    expect(
      (await sendRequest(it.url, 'GET', '/auth/me', { headers: { authorization: `bearer ${token}` } }))
        .status,
    ).toBe(200)
  })
})
