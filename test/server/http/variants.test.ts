import { describe, expect, test } from 'bun:test'
import { detectVariant } from '../../../server/http/detect-variant'
import { sendRequest, freshPhone, createLandlord, signInUser, type TestResponse } from '../../support/users'
import { testServer } from '../../support/server'
import { broken, brokenInA, enveloped, plain } from './forms'

const both = testServer()
const onlyA = testServer({ env: { API_VARIANT: 'a' } })
const onlyB = testServer({ env: { API_VARIANT: 'b' } })
const form = ({ body }: TestResponse) => (body && typeof body === 'object' && 'success' in body ? 'b' : 'a')
const seen = ({ status, body }: TestResponse) => [status, body]
const tokens = async (url: string) => {
  const phone = freshPhone()
  await sendRequest(url, 'POST', '/auth', { body: { phoneNumber: phone } })
  const { body } = await sendRequest(url, 'POST', '/auth/verify', {
    body: { phoneNumber: phone, otp: '123456' },
  })
  return { a: body.access_token as string, b: (await signInUser(url, phone)).token, phone }
}
const profile = {
  b: { first_name: 'Asha', last_name: 'Rao', email: 'asha@example.com' },
  a: { firstName: 'Asha', lastName: 'Rao', email: 'asha@example.com' },
}

describe("the body's own field names decide first", () => {
  for (const token of ['a', 'b'] as const) {
    for (const body of ['a', 'b'] as const) {
      test(`a body of ${body.toUpperCase()} with a token of ${token.toUpperCase()} is answered in ${body.toUpperCase()}`, async () => {
        const given = await tokens(both.url)
        const done = await sendRequest(both.url, 'PUT', '/profile/complete', {
          token: given[token],
          body: profile[body],
        })
        expect([done.status, form(done)]).toEqual([200, body])
        const failed = await sendRequest(both.url, 'POST', '/profile/ekyc/complete', {
          token: given[token],
          body: { [body === 'a' ? 'verificationId' : 'verification_id']: 'x' },
        })
        expect([failed.status, form(failed)]).toEqual([400, body])
      })
    }
  }

  test('one field is enough, and what the other variant calls the rest is not read', async () => {
    const { a } = await tokens(both.url)
    expect(
      seen(
        await sendRequest(both.url, 'PUT', '/profile/complete', {
          token: a,
          body: { first_name: 'Asha', lastName: 'Rao', email: 'a@b.co' },
        }),
      ),
    ).toEqual([400, broken('last_name')])
    expect(
      seen(
        await sendRequest(both.url, 'PUT', '/profile/complete', {
          token: a,
          body: { first_name: 'Asha', firstName: 'Usha', last_name: 'Rao', email: 'a@b.co' },
        }),
      ),
    ).toMatchObject([200, { success: true, data: { user: { first_name: 'Asha' } } }])
  })

  test('a body with both is read as B', async () => {
    const phone = freshPhone()
    expect(
      seen(await sendRequest(both.url, 'POST', '/auth', { body: { phoneNumber: '1', phone_number: phone } })),
    ).toEqual([
      200,
      { success: true, data: { message: expect.any(String), is_existing_user: false, user: null } },
    ])
    expect(
      seen(await sendRequest(both.url, 'POST', '/auth', { body: { phoneNumber: phone, phone_number: '1' } })),
    ).toEqual([400, broken('phone_number')])
    expect(
      form(
        await sendRequest(both.url, 'POST', '/auth/verify', {
          body: { phoneNumber: phone, phone_number: phone, otp: '123456' },
        }),
      ),
    ).toBe('b')
  })

  test('a field counts whatever its value', async () => {
    expect(form(await sendRequest(both.url, 'POST', '/auth', { body: { phone_number: null } }))).toBe('b')
    expect(form(await sendRequest(both.url, 'POST', '/auth', { body: { phoneNumber: null } }))).toBe('a')
  })

  test('only the outermost names count', async () => {
    for (const body of [
      [{ phone_number: '9876543210' }],
      { x: { phone_number: '9876543210' } },
      '{"__proto__":{"phone_number":"9876543210"}}',
    ])
      expect(seen(await sendRequest(both.url, 'POST', '/auth', { body }))).toEqual([
        400,
        brokenInA('phoneNumber'),
      ])
  })

  test('the token is of the variant that the verifying body spoke', async () => {
    const given = await tokens(both.url)
    const claim = (token: string) =>
      JSON.parse(Buffer.from(token.split('.')[1]!, 'base64url').toString()).variant
    expect([claim(given.a), claim(given.b)]).toEqual(['a', 'b'])
  })
})

describe("then the token's variant", () => {
  for (const variant of ['a', 'b'] as const) {
    for (const [method, path, body] of [
      ['GET', '/auth/me'],
      ['GET', '/dashboard'],
      ['POST', '/profile/ekyc', {}],
      ['PUT', '/profile/complete', {}],
      ['POST', '/profile/ekyc/complete', {}],
    ] as const) {
      test(`${method} ${path} with a token of ${variant.toUpperCase()}`, async () => {
        const given = await tokens(both.url)
        expect(form(await sendRequest(both.url, method, path, { token: given[variant], body }))).toBe(variant)
        expect(form(await sendRequest(both.url, method, `${path}/`, { token: given[variant], body }))).toBe(
          variant,
        )
      })
    }
  }

  test('it decides the form alone, before the token is verified: B if it says nothing of it', async () => {
    const claiming = (claims: unknown) =>
      `AAAA.${Buffer.from(JSON.stringify(claims)).toString('base64url')}.AAAA`
    expect(
      seen(await sendRequest(both.url, 'GET', '/dashboard', { token: claiming({ variant: 'a' }) })),
    ).toEqual([401, plain(401)])
    for (const token of [
      claiming({}),
      claiming({ variant: 'x' }),
      claiming(null),
      claiming([]),
      'x',
      'x.y.z',
    ])
      expect(seen(await sendRequest(both.url, 'GET', '/dashboard', { token }))).toEqual([401, enveloped(401)])
  })
})

describe('then the path', () => {
  for (const [method, path, body] of [
    ['POST', '/auth', {}],
    ['POST', '/auth/verify', {}],
    ['GET', '/dashboard'],
    ['POST', '/profile/ekyc', {}],
    ['PUT', '/profile/complete', {}],
    ['POST', '/profile/ekyc/complete', {}],
  ] as const) {
    test(`${method} ${path} without a token is A`, async () =>
      expect(form(await sendRequest(both.url, method, path, { body }))).toBe('a'))
  }
  test('/auth/me without a token is B', async () =>
    expect(seen(await sendRequest(both.url, 'GET', '/auth/me'))).toEqual([401, enveloped(401)]))
  test('a body that cannot be read: as if there were none', async () => {
    expect(seen(await sendRequest(both.url, 'POST', '/auth', { body: '{"phone_number":' }))).toEqual([
      400,
      plain(400),
    ])
    expect(seen(await sendRequest(both.url, 'POST', '/auth/send-otp', { body: '{"phoneNumber":' }))).toEqual([
      400,
      enveloped(400),
    ])
    const given = await tokens(both.url)
    for (const variant of ['a', 'b'] as const)
      expect(
        form(await sendRequest(both.url, 'PUT', '/profile/complete', { token: given[variant], body: '{' })),
      ).toBe(variant)
  })
})

describe('everything else is B for everybody', () => {
  test('with a token of A: properties, units, tenants, agreements, logout, unknown paths', async () => {
    const { a: token } = await tokens(both.url)
    const made = await sendRequest(both.url, 'POST', '/properties', {
      token,
      body: { pin_code: 560048, property_type: 'apartment', property_units: [{ unit_name: 'A' }] },
    })
    expect([made.status, made.body]).toMatchObject([
      201,
      { success: true, data: { alias_name: expect.any(String), property_units: [{ unit_name: 'A' }] } },
    ])
    for (const [method, path, status] of [
      ['GET', '/properties', 200],
      ['GET', '/tenants', 200],
      ['GET', '/agreements', 200],
      ['GET', '/agreements/x', 404],
      ['GET', '/nothing', 404],
      ['POST', '/properties', 400],
      ['POST', '/auth/logout', 200],
    ] as const) {
      const answer = await sendRequest(both.url, method, path, {
        token,
        body: method === 'POST' ? {} : undefined,
      })
      expect([path, answer.status, form(answer)]).toEqual([path, status, 'b'])
    }
  })

  test('/auth/send-otp and /auth/login do not know camelCase', async () => {
    expect(
      seen(await sendRequest(both.url, 'POST', '/auth/send-otp', { body: { phoneNumber: '9876543210' } })),
    ).toEqual([400, broken('phone_number')])
    expect(
      seen(
        await sendRequest(both.url, 'POST', '/auth/login', {
          body: { phoneNumber: '9876543210', password: 'x' },
        }),
      ),
    ).toEqual([400, broken('phone_number')])
  })
})

test('clients of A and of B at the same time on one server', async () => {
  const asA = async () => {
    const phone = freshPhone()
    const post = (path: string, body: unknown, token?: string) =>
      sendRequest(both.url, 'POST', path, { body, token })
    expect((await post('/auth', { phoneNumber: phone })).body).toEqual({ message: expect.any(String) })
    const { access_token: token, status } = (
      await post('/auth/verify', { phoneNumber: phone, otp: '123456' })
    ).body
    expect(status).toBe('NEEDS_PROFILE_COMPLETION')
    expect(
      (await sendRequest(both.url, 'PUT', '/profile/complete', { token, body: profile.a })).body.user
        .hasCompletedProfile,
    ).toBe(true)
    const { verificationId } = (await post('/profile/ekyc', {}, token)).body
    expect(
      (await post('/profile/ekyc/complete', { verificationId }, token)).body.user.hasVerifiedProfile,
    ).toBe(true)
    expect((await sendRequest(both.url, 'GET', '/dashboard', { token })).body.stats.totalProperties).toBe(0)
  }
  const asB = async () => {
    const person = await createLandlord(both.url)
    expect((await person.call('GET', '/dashboard')).body.data.stats.total_properties).toBe(0)
  }
  await Promise.all(Array.from({ length: 12 }, (_, index) => (index % 2 ? asA() : asB())))
})

describe('API_VARIANT=a', () => {
  test('the whole onboarding in A', async () => {
    const { a: token } = await tokensOfA()
    expect(
      (await sendRequest(onlyA.url, 'PUT', '/profile/complete', { token, body: profile.a })).body.user
        .firstName,
    ).toBe('Asha')
    const { body } = await sendRequest(onlyA.url, 'POST', '/profile/ekyc', { token, body: {} })
    expect(
      (
        await sendRequest(onlyA.url, 'POST', '/profile/ekyc/complete', {
          token,
          body: { verificationId: body.verificationId },
        })
      ).body.user.hasVerifiedProfile,
    ).toBe(true)
    expect((await sendRequest(onlyA.url, 'GET', '/dashboard', { token })).body.stats).toEqual({
      totalProperties: 0,
      totalTenants: 0,
      pendingPayments: 0,
      maintenanceRequests: 0,
    })
  })
  const tokensOfA = async () => {
    const phone = freshPhone()
    await sendRequest(onlyA.url, 'POST', '/auth', { body: { phoneNumber: phone } })
    return {
      a: (
        await sendRequest(onlyA.url, 'POST', '/auth/verify', { body: { phoneNumber: phone, otp: '123456' } })
      ).body.access_token as string,
    }
  }
  for (const path of ['/auth/send-otp', '/auth/login', '/auth/logout']) {
    test(`404: ${path}`, async () => {
      const { a: token } = await tokensOfA()
      expect(
        (
          await sendRequest(onlyA.url, 'POST', path, {
            token,
            body: { phone_number: '9876543210', password: 'x' },
          })
        ).status,
      ).toBe(404)
    })
  }
  test("400: B's field names, in A's form", async () => {
    expect(
      seen(await sendRequest(onlyA.url, 'POST', '/auth', { body: { phone_number: '9876543210' } })),
    ).toEqual([400, brokenInA('phoneNumber')])
    expect(
      seen(
        await sendRequest(onlyA.url, 'POST', '/auth/verify', {
          body: { phone_number: '9876543210', otp: '123456' },
        }),
      ),
    ).toEqual([400, brokenInA('phoneNumber')])
  })
  test('the second document stays, in the envelope', async () => {
    const { a: token } = await tokensOfA()
    expect(seen(await sendRequest(onlyA.url, 'GET', '/properties', { token }))).toMatchObject([
      200,
      { success: true, data: [], metadata: { total: 0 } },
    ])
    expect(seen(await sendRequest(onlyA.url, 'GET', '/properties'))).toEqual([401, enveloped(401)])
  })
})

describe('API_VARIANT=b', () => {
  test('the whole onboarding in B', async () => {
    const person = await createLandlord(onlyB.url)
    expect((await person.call('GET', '/dashboard')).body.data.user.has_verified_profile).toBe(true)
    expect(
      (await sendRequest(onlyB.url, 'POST', '/auth', { body: { phone_number: freshPhone() } })).body.data,
    ).toMatchObject({ is_existing_user: false, user: null })
  })
  test("400: A's field names, in B's form", async () => {
    const { token } = await signInUser(onlyB.url)
    expect(
      seen(await sendRequest(onlyB.url, 'POST', '/auth', { body: { phoneNumber: '9876543210' } })),
    ).toEqual([400, broken('phone_number')])
    expect(
      seen(
        await sendRequest(onlyB.url, 'POST', '/auth/verify', {
          body: { phoneNumber: '9876543210', otp: '123456' },
        }),
      ),
    ).toEqual([400, broken('phone_number')])
    expect(
      seen(await sendRequest(onlyB.url, 'PUT', '/profile/complete', { token, body: profile.a })),
    ).toEqual([400, broken('first_name', 'last_name')])
    expect(
      seen(
        await sendRequest(onlyB.url, 'POST', '/profile/ekyc/complete', {
          token,
          body: { verificationId: 'x' },
        }),
      ),
    ).toEqual([400, broken('verification_id')])
  })
  test('401: without a token in the envelope, everywhere', async () => {
    for (const [method, path] of [
      ['GET', '/dashboard'],
      ['PUT', '/profile/complete'],
      ['POST', '/profile/ekyc'],
      ['GET', '/auth/me'],
    ] as const)
      expect(seen(await sendRequest(onlyB.url, method, path))).toEqual([401, enveloped(401)])
  })
})

describe('the choice', () => {
  const claim = (variant: string) =>
    `Bearer x.${Buffer.from(JSON.stringify({ variant })).toString('base64url')}.x`
  const table: [path: string, authorization: string | null, body: unknown, variant: 'a' | 'b'][] = [
    ['/auth', null, {}, 'a'],
    ['/auth/', null, {}, 'a'],
    ['/auth', null, { phone_number: 1 }, 'b'],
    ['/auth', claim('b'), {}, 'b'],
    ['/auth', claim('b'), { phoneNumber: 1 }, 'a'],
    ['/auth/verify', claim('a'), { phone_number: 1 }, 'b'],
    ['/profile/complete', claim('b'), { lastName: 1 }, 'a'],
    ['/profile/complete', claim('a'), { last_name: 1, lastName: 1 }, 'b'],
    ['/profile/ekyc', claim('a'), {}, 'a'],
    ['/profile/ekyc', 'Basic x', {}, 'b'],
    ['/auth/me', null, undefined, 'b'],
    ['/auth/me', claim('a'), undefined, 'a'],
    ['/dashboard', null, undefined, 'a'],
    ['/dashboard', null, ['phone_number'], 'a'],
    ['/dashboard', null, 'phone_number', 'a'],
    ['/dashboard', null, null, 'a'],
    ['/properties', claim('a'), { firstName: 1 }, 'b'],
    ['/authx', null, { phoneNumber: 1 }, 'b'],
    ['/', claim('a'), {}, 'b'],
  ]
  for (const [path, authorization, body, variant] of table) {
    test(`${path} ${authorization?.slice(0, 16) ?? 'without a token'} ${JSON.stringify(body)}: ${variant.toUpperCase()}`, () => {
      expect(detectVariant('both', path, authorization, body)).toBe(variant)
      if (['/properties', '/authx', '/'].includes(path)) return
      expect([
        detectVariant('a', path, authorization, body),
        detectVariant('b', path, authorization, body),
      ]).toEqual(['a', 'b'])
    })
  }
})
