import { createHash, createHmac, createSign, generateKeyPairSync } from 'node:crypto'
import { describe, expect, test } from 'bun:test'
import { getKysely } from '../../../db/database'
import { sendRequest, freshPhone, signInUser, type TestUser } from '../../support/users'
import { startSecondInstance, clock, testServer } from '../../support/server'
import { enveloped } from '../http/forms'

const time = clock()
const server = testServer({ overrides: { now: time.now } })
const SEVEN_DAYS_S = 7 * 24 * 3600

type Json = Record<string, unknown>
const encodePart = (value: Json) => Buffer.from(JSON.stringify(value)).toString('base64url')
const decodePart = (token: string, index: number): Json =>
  JSON.parse(Buffer.from(token.split('.')[index]!, 'base64url').toString())
const mintToken = (
  claims: Json,
  { alg = 'HS256', hash = 'sha256', key = server.deps.config.JWT_SECRET } = {},
) => {
  const signed = `${encodePart({ alg, typ: 'JWT' })}.${encodePart(claims)}`
  return `${signed}.${createHmac(hash, key).update(signed).digest('base64url')}`
}
const without = (claims: Json, name: string) =>
  Object.fromEntries(Object.entries(claims).filter(([claim]) => claim !== name))

/** Stores a token in the session record, so that only the verification of the token can reject it. */
const storeToken = async (token: string, { token: own }: TestUser) => {
  await getKysely(server.em())
    .updateTable('auth_sessions')
    .set({ auth_token: createHash('sha256').update(token).digest('hex') })
    .where('sid', '=', String(decodePart(own, 1).sid))
    .execute()
  return token
}
const getMe = (token: string) => sendRequest(server, 'GET', '/auth/me', { token })

describe('a token', () => {
  test('is an HS256 JWT that is valid for seven days and has the user id, phone, session and variant', async () => {
    const user = await signInUser(server)
    const claims = decodePart(user.token, 1)
    expect(decodePart(user.token, 0)).toMatchObject({ alg: 'HS256' })
    expect(claims).toEqual({
      sub: String(user.id),
      phone: user.phone,
      sid: expect.any(String),
      variant: 'b',
      iat: expect.any(Number),
      exp: expect.any(Number),
    })
    expect(claims.exp).toBe(Math.floor(time.now().getTime() / 1000) + SEVEN_DAYS_S)
  })

  test('is stored as a hash in a session record that expires after an hour', async () => {
    const { id, token } = await signInUser(server)
    const rows = await getKysely(server.em())
      .selectFrom('auth_sessions')
      .where('user_id', '=', id)
      .selectAll()
      .execute()
    const after = (ms: number) => new Date(time.now().getTime() + ms).toISOString()
    expect(rows).toMatchObject([
      {
        sid: decodePart(token, 1).sid,
        auth_token: createHash('sha256').update(token).digest('hex'),
        is_active: true,
        expires_by: after(3_600_000),
        token_expires_at: after(SEVEN_DAYS_S * 1000),
      },
    ])
    expect(JSON.stringify(rows)).not.toContain(token.split('.')[2])
  })

  test('200: is accepted if it is correctly signed and stored, unlike the forgeries below', async () => {
    const user = await signInUser(server)
    expect(
      (await getMe(await storeToken(mintToken({ ...decodePart(user.token, 1), extra: 1 }), user))).status,
    ).toBe(200)
  })

  test('200: is valid until its last second; 401: not after seven days', async () => {
    const { token } = await signInUser(server)
    time.advance((SEVEN_DAYS_S - 1) * 1000)
    expect((await getMe(token)).status).toBe(200)
    time.advance(1000)
    expect((await getMe(token)).status).toBe(401)
  })
})

const getNowS = () => Math.floor(time.now().getTime() / 1000)
const forgeries: Record<string, (claims: Json, user: TestUser) => string> = {
  'alg none without a signature': claims => `${encodePart({ alg: 'none' })}.${encodePart(claims)}.`,
  'alg none with some signature': claims => `${encodePart({ alg: 'none' })}.${encodePart(claims)}.AAAA`,
  'alg None under the right key': claims => mintToken(claims, { alg: 'None' }),
  'HS384 under the right key': claims => mintToken(claims, { alg: 'HS384', hash: 'sha384' }),
  'HS512 under the right key': claims => mintToken(claims, { alg: 'HS512', hash: 'sha512' }),
  'HS512 that says HS256': claims => mintToken(claims, { hash: 'sha512' }),
  'another key': claims => mintToken(claims, { key: 'another secret of more than 32 bytes in length' }),
  'an empty key': claims => mintToken(claims, { key: '' }),
  'RS256 by a key of its own': claims => {
    const signed = `${encodePart({ alg: 'RS256', typ: 'JWT' })}.${encodePart(claims)}`
    return `${signed}.${createSign('sha256')
      .update(signed)
      .sign(generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey, 'base64url')}`
  },
  'claims changed under the old signature': (claims, { token }) =>
    `${token.split('.')[0]}.${encodePart({ ...claims, sub: '1' })}.${token.split('.')[2]}`,
  'no signature': (_, { token }) => token.split('.').slice(0, 2).join('.'),
  expired: claims => mintToken({ ...claims, exp: getNowS() }),
  'not yet valid': claims => mintToken({ ...claims, nbf: getNowS() + 62 }),
  'exp as text': claims => mintToken({ ...claims, exp: '9999999999' }),
  'sub of no user': claims => mintToken({ ...claims, sub: '2147483647' }),
  'sub beyond every id': claims => mintToken({ ...claims, sub: '9999999999' }),
  'iat in the future': claims => mintToken({ ...claims, iat: Math.floor(Date.now() / 1000) + 100 }),
  'iat as text': claims => mintToken({ ...claims, iat: String(getNowS()) }),
  'phone of another': claims => mintToken({ ...claims, phone: '9000000000' }),
  'phone as a list': claims => mintToken({ ...claims, phone: [claims.phone] }),
  'sub as a list': claims => mintToken({ ...claims, sub: [claims.sub] }),
  'sub as a number': claims => mintToken({ ...claims, sub: Number(claims.sub) }),
  'sub that is no number': claims => mintToken({ ...claims, sub: `${claims.sub} or 1=1` }),
  'sid of no session': claims => mintToken({ ...claims, sid: '00000000-0000-4000-8000-000000000000' }),
  'sid that is no UUID': claims => mintToken({ ...claims, sid: 'x' }),
  'sid as an object': claims => mintToken({ ...claims, sid: { $ne: null } }),
  'sid with NUL': claims => mintToken({ ...claims, sid: '\0' }),
  ...Object.fromEntries(
    ['sub', 'phone', 'sid', 'variant', 'iat', 'exp'].map(name => [
      `no ${name}`,
      (claims: Json) => mintToken(without(claims, name)),
    ]),
  ),
}
test.each(['iat', 'nbf'])('200: a token of a machine whose clock is 60 s ahead, by its %s', async claim => {
  const user = await signInUser(server)
  const nowS = claim === 'iat' ? Math.floor(Date.now() / 1000) : getNowS()
  const token = await storeToken(mintToken({ ...decodePart(user.token, 1), [claim]: nowS + 60 }), user)
  expect((await getMe(token)).status).toBe(200)
})

describe('401: a forged token in the session record', () => {
  for (const [name, forge] of Object.entries(forgeries)) {
    test(name, async () => {
      const user = await signInUser(server)
      const forged = await storeToken(forge(decodePart(user.token, 1), user), user)
      const response = await getMe(forged)
      expect([response.status, response.body.error?.code ?? response.body.error]).toEqual([
        401,
        expect.stringMatching(/UNAUTHORIZED|Unauthorized/),
      ])
      expect((await sendRequest(server, 'POST', '/auth/logout', { token: forged })).status).toBe(401)
    })
  }

  test('the user id or session of another user', async () => {
    const user = await signInUser(server)
    const other = await signInUser(server)
    const claims = decodePart(user.token, 1)
    for (const foreign of [{ sub: String(other.id) }, { sid: decodePart(other.token, 1).sid }])
      expect((await getMe(await storeToken(mintToken({ ...claims, ...foreign }), user))).status).toBe(401)
  })
})

const keys = [
  'the key that was in use, of more than 32 bytes',
  'the key that comes after it, of more than 32 bytes',
] as const

test('instances before, during and after a change of the key accept the tokens and OTPs of the documented order', async () => {
  const steps: Record<string, string>[] = [
    { JWT_SECRET: keys[0] },
    { JWT_SECRET: keys[0], JWT_SECRET_SECONDARY: keys[1] },
    { JWT_SECRET: keys[1], JWT_SECRET_SECONDARY: keys[0] },
    { JWT_SECRET: keys[1] },
  ]
  const instances = await Promise.all(steps.map(env => startSecondInstance(server, env)))
  try {
    const users = await Promise.all(instances.map(({ url }) => signInUser(url)))
    const accepts = async (at: number) =>
      Promise.all(
        users.map(
          async ({ token }) => (await sendRequest(instances[at]!.url, 'GET', '/auth/me', { token })).status,
        ),
      )
    expect([await accepts(0), await accepts(1), await accepts(2), await accepts(3)]).toEqual([
      [200, 200, 401, 401],
      [200, 200, 200, 200],
      [200, 200, 200, 200],
      [401, 401, 200, 200],
    ])
    for (const [requestedAt, verifiedAt, status] of [
      [0, 1, 200],
      [1, 2, 200],
      [2, 1, 200],
      [3, 2, 200],
      [0, 3, 401],
    ] as const) {
      const phone = freshPhone()
      await sendRequest(instances[requestedAt]!.url, 'POST', '/auth/send-otp', {
        body: { phone_number: phone },
      })
      expect(
        (
          await sendRequest(instances[verifiedAt]!.url, 'POST', '/auth/verify', {
            body: { phone_number: phone, otp: '123456' },
          })
        ).status,
      ).toBe(status)
    }
  } finally {
    for (const instance of instances) await instance.stop()
  }
})

describe('401: a valid token in an invalid header', () => {
  const invalidHeaders: Record<string, (token: string) => string> = {
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
    // The last letter of 32 bytes in base64 has two unused bits.
    'another encoding of the same bytes': token =>
      `Bearer ${token.slice(0, -1)}${String.fromCharCode(token.charCodeAt(token.length - 1) + 1)}`,
    'plain base64': token => `Bearer ${token}+/`,
    quotes: token => `Bearer "${token}"`,
    'a long invalid token': () => `Bearer ${'a.'.repeat(2000)}`,
    'bytes that are not JSON': () => 'Bearer AAAA.AAAA.AAAA',
    'a cookie': () => '',
  }
  for (const [name, header] of Object.entries(invalidHeaders)) {
    test(name, async () => {
      const { token } = await signInUser(server)
      const response = await sendRequest(server, 'GET', '/auth/me', {
        headers: { authorization: header(token), cookie: `access_token=${token}` },
      })
      expect([response.status, response.body]).toEqual([401, enveloped(401)])
    })
  }

  test('200: the scheme may be written in any case', async () => {
    const { token } = await signInUser(server)
    expect(
      (await sendRequest(server, 'GET', '/auth/me', { headers: { authorization: `bearer ${token}` } }))
        .status,
    ).toBe(200)
  })
})
