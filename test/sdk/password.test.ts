import { describe, expect, test } from 'bun:test'
import { pbkdf2Sync } from 'node:crypto'
import { createClient } from '../../sdk'
import { hashPassword } from '../../sdk/password'
import { catchError, createStubServer, createTestToken, dataResponse, errorResponse } from './stub-server'

const details = { first_name: 'Asha', last_name: 'Rao', email: 'asha@example.com' }

/** A client with a token; these characters make base64url differ from base64. */
const signIn = (baseUrl: string) =>
  createClient({ baseUrl, token: createTestToken({ name: '>>>???ÿþ', phone: '9876543210' }) })

describe('the hash is PBKDF2-HMAC-SHA-256, 600,000 iterations, salt kiraya: and the phone number, in hex', () => {
  test('like Python’s hashlib.pbkdf2_hmac', async () => {
    const hash = await hashPassword('9876543210', 'correct horse')
    expect(hash).toBe('52cd6995cec3e599a242f72516e8fcc2d81e06323e4119c5b26fb5dee777d501')
  })

  test('like Node’s pbkdf2Sync, beyond ASCII too', async () => {
    const hash = await hashPassword('9123456789', 'pässword ☂')
    const expected = pbkdf2Sync('pässword ☂', 'kiraya:9123456789', 600_000, 32, 'sha256')
    expect(hash).toBe(expected.toString('hex'))
  })
})

describe('the password of a profile', () => {
  test('is hashed with the phone number in the token, like the current one; a one-time password is sent as it is', async () => {
    using server = createStubServer(dataResponse())
    const { profile } = signIn(server.url)

    await profile.complete({
      ...details,
      password: 'correct horse',
      current_password: 'former horse',
      otp: '123456',
    })

    expect(server.requests[0]!.body).toEqual({
      ...details,
      password: await hashPassword('9876543210', 'correct horse'),
      current_password: await hashPassword('9876543210', 'former horse'),
      otp: '123456',
    })
  })

  test.each(['', 'seven77', '👍'.repeat(7), 'x'.repeat(256)])(
    '%p has a wrong length and is not sent',
    async password => {
      using server = createStubServer(dataResponse())
      const { profile } = signIn(server.url)

      const error = await catchError(profile.complete({ ...details, password }))

      expect(error).toMatchObject({
        name: 'ValidationError',
        code: 'VALIDATION_ERROR',
        violations: [{ property: 'password' }],
      })
      expect(server.requests).toEqual([])
    },
  )

  test.each([undefined, null, 'x'.repeat(8), 'x'.repeat(255)])(
    '%p is sent as its hash, if it is one',
    async password => {
      using server = createStubServer(dataResponse())
      await signIn(server.url).profile.complete({ ...details, password })
      const hash = password && { password: expect.stringMatching(/^[0-9a-f]{64}$/) }
      expect(server.requests[0]!.body).toEqual({ ...details, ...hash })
    },
  )

  test.each([undefined, 'nonsense', 'a.%%%.c'])('the server rejects the token %p', async token => {
    using server = createStubServer(errorResponse(401, 'UNAUTHORIZED'))
    const { profile } = createClient({ baseUrl: server.url, token })

    const error = await catchError(profile.complete({ ...details, password: 'correct horse' }))

    expect(error).toMatchObject({ code: 'UNAUTHORIZED' })
    expect(server.requests).toHaveLength(1)
  })
})
