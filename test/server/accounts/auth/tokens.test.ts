import { createHash, createHmac, createSign, generateKeyPairSync } from 'node:crypto'
import { describe, expect, test } from 'bun:test'
import { clock, startSecondInstance, testServer } from '../../../support/server'
import { freshPhone, sendRequest, signInUser, type Target, type TestUser } from '../../../support/users'
import { enveloped } from '../../http/forms'

/** Whole seconds, as tokens have them. */
const time = clock(new Date(Math.floor(Date.now() / 1000) * 1000))
const server = testServer({ overrides: { now: time.now } })
const SEVEN_DAYS_S = 7 * 24 * 3600

type Json = Record<string, unknown>
const encodePart = (value: Json) => Buffer.from(JSON.stringify(value)).toString('base64url')
const decodePart = (token: string, index: number): Json =>
  JSON.parse(Buffer.from(token.split('.')[index]!, 'base64url').toString())
const getClaims = ({ token }: TestUser) => decodePart(token, 1)

function mintToken(
  claims: Json,
  {
    header = { alg: 'HS256', typ: 'JWT' } as Json,
    hash = 'sha256',
    key = server.deps.config.JWT_SECRET,
  } = {},
) {
  const signed = `${encodePart(header)}.${encodePart(claims)}`
  return `${signed}.${createHmac(hash, key).update(signed).digest('base64url')}`
}
const without = (claims: Json, name: string) =>
  Object.fromEntries(Object.entries(claims).filter(([claim]) => claim !== name))

/** Stores a token in the session record, so that only the verification of the token can reject it. */
async function storeToken(token: string, user: TestUser) {
  await server.db
    .updateTable('auth_sessions')
    .set({ auth_token: createHash('sha256').update(token).digest('hex') })
    .where('sid', '=', String(getClaims(user).sid))
    .execute()
  return token
}
const getMe = (token: string, at: Target = server) => sendRequest(at, 'GET', '/auth/me', { token })
const getNowS = () => Math.floor(time.now().getTime() / 1000)

describe('a token', () => {
  test('is an HS256 JWT that is valid for seven days and has the user id, phone, session and variant', async () => {
    const user = await signInUser(server)
    expect(decodePart(user.token, 0)).toMatchObject({ alg: 'HS256' })
    expect(getClaims(user)).toEqual({
      sub: String(user.id),
      phone: user.phone,
      sid: expect.any(String),
      variant: 'b',
      iat: expect.any(Number),
      exp: getNowS() + SEVEN_DAYS_S,
    })
  })

  test('is stored as a hash in a session record that expires after an hour', async () => {
    const user = await signInUser(server)
    const sessions = server.db.selectFrom('auth_sessions').where('user_id', '=', user.id)
    const rows = await sessions.selectAll().execute()
    const after = (seconds: number) => new Date(time.now().getTime() + seconds * 1000).toISOString()
    expect(rows).toMatchObject([
      {
        sid: getClaims(user).sid,
        auth_token: createHash('sha256').update(user.token).digest('hex'),
        is_active: true,
        expires_by: after(3600),
        token_expires_at: after(SEVEN_DAYS_S),
      },
    ])
    expect(JSON.stringify(rows)).not.toContain(user.token.split('.')[2])
  })

  test('200: is valid until its last second; 401: not after seven days', async () => {
    const { token } = await signInUser(server)
    time.advance((SEVEN_DAYS_S - 1) * 1000)
    expect((await getMe(token)).status).toBe(200)
    time.advance(1000)
    expect((await getMe(token)).status).toBe(401)
  })
})

// These are accepted, so it is not how the forgeries below are made that is refused.
const accepted: Record<string, (claims: Json) => string> = {
  'another claim': claims => mintToken({ ...claims, extra: 1 }),
  'a header without typ': claims => mintToken(claims, { header: { alg: 'HS256' } }),
  'an iat of a machine whose clock is 60 s ahead': claims =>
    mintToken({ ...claims, iat: Math.floor(Date.now() / 1000) + 60 }),
  'an nbf of a machine whose clock is 60 s ahead': claims => mintToken({ ...claims, nbf: getNowS() + 60 }),
}
test.each(Object.entries(accepted))('200: a signed and stored token with %s', async (_, mint) => {
  const user = await signInUser(server)
  expect((await getMe(await storeToken(mint(getClaims(user)), user))).status).toBe(200)
})

const invalidClaims: Record<string, (claims: Json) => Json> = {
  expired: () => ({ exp: getNowS() }),
  'not yet valid': () => ({ nbf: getNowS() + 61 }),
  'exp as text': () => ({ exp: '9999999999' }),
  'nbf as text': () => ({ nbf: '0' }),
  'iat in the future': () => ({ iat: Math.floor(Date.now() / 1000) + 100 }),
  'iat as text': () => ({ iat: String(getNowS()) }),
  'sub of no user': () => ({ sub: '2147483647' }),
  'sub beyond every id': () => ({ sub: '9999999999' }),
  'sub as a list': ({ sub }) => ({ sub: [sub] }),
  'sub as a number': ({ sub }) => ({ sub: Number(sub) }),
  'sub that is no number': ({ sub }) => ({ sub: `${sub} or 1=1` }),
  'phone of another': () => ({ phone: '9000000000' }),
  'phone as a list': ({ phone }) => ({ phone: [phone] }),
  'sid of no session': () => ({ sid: '00000000-0000-4000-8000-000000000000' }),
  'sid that is no UUID': () => ({ sid: 'x' }),
  'sid as an object': () => ({ sid: { $ne: null } }),
  'sid with NUL': () => ({ sid: '\0' }),
}
const invalidHeaders: Json[] = [
  { alg: 'HS256', crit: ['exp'] },
  { alg: 'HS256', crit: [] },
  { alg: 'HS384' },
  { alg: 'none' },
  { alg: 'hs256' },
  {},
]
const forgeries: Record<string, (claims: Json, user: TestUser) => string> = {
  'alg none without a signature': claims => `${encodePart({ alg: 'none' })}.${encodePart(claims)}.`,
  'alg none with some signature': claims => `${encodePart({ alg: 'none' })}.${encodePart(claims)}.AAAA`,
  'HS384 under the right key': claims => mintToken(claims, { header: { alg: 'HS384' }, hash: 'sha384' }),
  'HS512 under the right key': claims => mintToken(claims, { header: { alg: 'HS512' }, hash: 'sha512' }),
  'HS512 that says HS256': claims => mintToken(claims, { hash: 'sha512' }),
  'another key': claims => mintToken(claims, { key: 'another secret of more than 32 bytes in length' }),
  'an empty key': claims => mintToken(claims, { key: '' }),
  'RS256 by a key of its own': claims => {
    const signed = `${encodePart({ alg: 'RS256', typ: 'JWT' })}.${encodePart(claims)}`
    const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
    return `${signed}.${createSign('sha256').update(signed).sign(privateKey, 'base64url')}`
  },
  'claims changed under the old signature': (claims, { token }) =>
    `${token.split('.')[0]}.${encodePart({ ...claims, sub: '1' })}.${token.split('.')[2]}`,
  'no signature': (_, { token }) => token.split('.').slice(0, 2).join('.'),
  ...Object.fromEntries(
    invalidHeaders.map(header => [
      `the header ${JSON.stringify(header)}`,
      (claims: Json) => mintToken(claims, { header }),
    ]),
  ),
  ...Object.fromEntries(
    Object.entries(invalidClaims).map(([name, change]) => [
      name,
      (claims: Json) => mintToken({ ...claims, ...change(claims) }),
    ]),
  ),
  ...Object.fromEntries(
    ['sub', 'phone', 'sid', 'variant', 'iat', 'exp'].map(name => [
      `no ${name}`,
      (claims: Json) => mintToken(without(claims, name)),
    ]),
  ),
}
describe('401: a forged token in the session record', () => {
  test.each(Object.entries(forgeries))('%s', async (_, forge) => {
    const user = await signInUser(server)
    const forged = await storeToken(forge(getClaims(user), user), user)
    const response = await getMe(forged)
    expect([response.status, response.body.error?.code ?? response.body.error]).toEqual([
      401,
      expect.stringMatching(/UNAUTHORIZED|Unauthorized/),
    ])
    expect((await sendRequest(server, 'POST', '/auth/logout', { token: forged })).status).toBe(401)
  })

  test('the user id or session of another user', async () => {
    const [user, other] = [await signInUser(server), await signInUser(server)]
    for (const foreign of [{ sub: String(other.id) }, { sid: getClaims(other).sid }]) {
      const forged = await storeToken(mintToken({ ...getClaims(user), ...foreign }), user)
      expect((await getMe(forged)).status).toBe(401)
    }
  })
})

test('key rotation: instances before, during and after it accept the tokens and OTPs of the documented order', async () => {
  const [old, next] = ['the key that was in use of 32 bytes', 'the key that comes after it of 32 bytes']
  const steps: Record<string, string>[] = [
    { JWT_SECRET: old },
    { JWT_SECRET: `${old},${next}` },
    { JWT_SECRET: `${next},${old}` },
    { JWT_SECRET: next },
  ]
  const instances = await Promise.all(steps.map(env => startSecondInstance(server, env)))
  try {
    const users = await Promise.all(instances.map(instance => signInUser(instance)))
    const accepted = instances.map(instance =>
      Promise.all(users.map(async ({ token }) => (await getMe(token, instance)).status)),
    )
    expect(await Promise.all(accepted)).toEqual([
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
      const body = { phone_number: freshPhone() }
      await sendRequest(instances[requestedAt]!, 'POST', '/auth/send-otp', { body })
      const verifying = { body: { ...body, otp: '123456' } }
      const verified = await sendRequest(instances[verifiedAt]!, 'POST', '/auth/verify', verifying)
      expect([requestedAt, verifiedAt, verified.status]).toEqual([requestedAt, verifiedAt, status])
    }
  } finally {
    for (const instance of instances) await instance.stop()
  }
})

describe('a valid token in the Authorization header', () => {
  const presentations: Record<string, (token: string) => string> = {
    'no scheme': token => token,
    'another scheme': token => `Basic ${token}`,
    'Bearer and a blank': () => 'Bearer ',
    'two tokens': token => `Bearer ${token}, Bearer ${token}`,
    'an appended =': token => `Bearer ${token}=`,
    'an appended letter': token => `Bearer ${token}A`,
    'another last letter': token => `Bearer ${token.slice(0, -1)}${token.endsWith('A') ? 'B' : 'A'}`,
    // The last letter of 32 bytes in base64 has two unused bits.
    'another encoding of the same bytes': token =>
      `Bearer ${token.slice(0, -1)}${String.fromCharCode(token.charCodeAt(token.length - 1) + 1)}`,
    'a long invalid token': () => `Bearer ${'a.'.repeat(2000)}`,
    'bytes that are not JSON': () => 'Bearer AAAA.AAAA.AAAA',
    'a cookie': () => '',
  }
  test('401: is not accepted in another form', async () => {
    const { token } = await signInUser(server)
    for (const [name, present] of Object.entries(presentations)) {
      const headers = { authorization: present(token), cookie: `access_token=${token}` }
      const { status, body } = await sendRequest(server, 'GET', '/auth/me', { headers })
      expect([name, status, body]).toEqual([name, 401, enveloped(401)])
    }
  })

  test('200: the scheme may be written in any case', async () => {
    const { token } = await signInUser(server)
    const headers = { authorization: `bearer ${token}` }
    expect((await sendRequest(server, 'GET', '/auth/me', { headers })).status).toBe(200)
  })
})
