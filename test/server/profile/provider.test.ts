import { afterAll, afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { getKysely } from '../../../db/database'
import { sendRequest, freshPhone, signInUser, type TestResponse, type TestUser } from '../../support/users'
import { clock, testServer } from '../../support/server'
import { enveloped, plain } from '../http/forms'

// A provider of our own, which speaks the documented wire format and fails as it is told.
type Reply = () => Response | Promise<Response>
const check = { status: 'CREATED' as string, data: null as unknown, more: {} as Record<string, unknown> }
let starts: Reply | undefined
let reads: Reply | undefined
let made = 0
const seenByProvider: { method: string; path: string; headers: Headers; body: any }[] = []
const provider = Bun.serve({
  port: 0,
  hostname: '127.0.0.1',
  fetch: async request => {
    const { pathname } = new URL(request.url)
    seenByProvider.push({
      method: request.method,
      path: pathname,
      headers: request.headers,
      body: request.method === 'POST' ? await request.json() : undefined,
    })
    if (request.method === 'POST')
      return (
        starts?.() ??
        Response.json(
          { id: `request-${++made}`, status: 'CREATED', kycURL: `https://kyc.example.com/${made}` },
          { status: 201 },
        )
      )
    return (
      reads?.() ??
      Response.json({
        id: pathname.split('/').pop(),
        status: check.status,
        kycURL: 'https://kyc.example.com/',
        data: check.data,
        ...check.more,
      })
    )
  },
})
afterAll(() => provider.stop(true))
const account = {
  EKYC_API_URL: `http://127.0.0.1:${provider.port}/`,
  EKYC_CLIENT_ID: 'client',
  EKYC_CLIENT_SECRET: 'hush',
  EKYC_PRODUCT_INSTANCE_ID: 'product',
  PUBLIC_URL: 'https://api.example.com',
}
const it = testServer({
  env: { ...account, PROVIDER_TIMEOUT_MS: '400', PROVIDER_TOTAL_TIMEOUT_MS: '800', PROVIDER_RETRIES: '0' },
  poolSize: 20,
})
const patient = testServer({
  env: { ...account, PROVIDER_TIMEOUT_MS: '2000', PROVIDER_TOTAL_TIMEOUT_MS: '20000', PROVIDER_RETRIES: '2' },
})
const lost = testServer({ env: { ...account, EKYC_API_URL: 'http://127.0.0.1:1', PROVIDER_RETRIES: '0' } })
const time = clock()
const { promise: released, resolve: release } = Promise.withResolvers<void>()
const { promise: called, resolve: reached } = Promise.withResolvers<void>()
let calls = 0
const slow = testServer({
  env: { PROVIDER_TOTAL_TIMEOUT_MS: '110000' },
  overrides: {
    now: time.now,
    kyc: {
      name: 'setu',
      start: async () => {
        const requestId = `slow-${++calls}`
        reached()
        await released
        return { requestId, verificationUrl: 'https://kyc.example.com/slow' }
      },
      status: async () => ({ status: 'CREATED' }),
    },
  },
})

beforeEach(() => Object.assign(check, { status: 'CREATED', data: null, more: {} }))
afterEach(() => {
  starts = reads = undefined
})

const profile = { first_name: 'Asha', last_name: 'Rao', email: 'asha@example.com' }
const completed = async (url = it.url) => {
  const person = await signInUser(url)
  await person.call('PUT', '/profile/complete', profile)
  return person
}
const start = (person: TestUser) => person.call('POST', '/profile/ekyc', {})
const begin = async (person: TestUser): Promise<string> => (await start(person)).body.data.verification_id
const complete = (person: TestUser, verification_id: string) =>
  person.call('POST', '/profile/ekyc/complete', { verification_id })
const records = ({ id }: TestUser, { em } = it) =>
  getKysely(em()).selectFrom('kyc_requests').where('user_id', '=', id).orderBy('id').selectAll().execute()
const seen = ({ status, body }: TestResponse) => [status, body]
const aadhaar = {
  name: 'Asha Rao',
  dateOfBirth: '01-01-1990',
  gender: 'F',
  address: { pin: '560048', state: 'Karnataka', district: 'Bengaluru' },
  photo: 'PHOTOPHOTO',
  aadhaarNumber: '912345678901',
  generatedAt: '2026-01-01',
}

describe('the wire', () => {
  test('a start carries the three credentials, where to come back to and where to tell', async () => {
    const person = await completed()
    const { body } = await start(person)
    expect(seenByProvider.findLast(({ method }) => method === 'POST')).toMatchObject({
      path: '/api/ekyc/',
      body: {
        redirection_url: 'https://api.example.com/verified',
        webhook_url: 'https://api.example.com/webhooks/ekyc',
      },
    })
    const { headers } = seenByProvider.findLast(({ method }) => method === 'POST')!
    expect(
      ['x-client-id', 'x-client-secret', 'x-product-instance-id'].map(name => headers.get(name)),
    ).toEqual(['client', 'hush', 'product'])
    expect(body.data.verification_url).toBe(`https://kyc.example.com/${made}`)
    expect(await records(person)).toMatchObject([
      { provider: 'setu', provider_request_id: `request-${made}` },
    ])
  })

  test('kycUrl is taken for kycURL', async () => {
    starts = () =>
      Response.json(
        { id: `other-${crypto.randomUUID()}`, status: 'CREATED', kycUrl: 'https://kyc.example.com/spelt' },
        { status: 201 },
      )
    expect((await start(await completed())).body.data.verification_url).toBe('https://kyc.example.com/spelt')
  })

  test('of the identity no more is kept than the name and four digits', async () => {
    const person = await completed()
    const id = await begin(person)
    Object.assign(check, { status: 'SUCCESS', data: { aadhaar, xml: '<xml>912345678901</xml>' } })
    expect((await complete(person, id)).status).toBe(200)
    expect(await records(person)).toMatchObject([
      { status: 'SUCCESS', name: 'Asha Rao', masked_aadhaar: '8901' },
    ])
    const everything = JSON.stringify([
      await records(person),
      await getKysely(it.em()).selectFrom('users').selectAll().execute(),
      await getKysely(it.em()).selectFrom('activities').selectAll().execute(),
      await getKysely(it.em()).selectFrom('webhook_deliveries').selectAll().execute(),
    ])
    for (const secret of ['912345678901', '12345678', 'PHOTOPHOTO', '<xml>', '01-01-1990'])
      expect(everything).not.toContain(secret)
  })

  for (const [given, kept] of [
    ['XXXXXXXX1234', '1234'],
    ['xxxx-xxxx-5678', '5678'],
    ['9012', '9012'],
    ['12', null],
    ['', null],
    [undefined, null],
    [null, null],
  ] as const) {
    test(`the Aadhaar number ${given} is kept as ${kept}`, async () => {
      const person = await completed()
      const id = await begin(person)
      Object.assign(check, {
        status: 'SUCCESS',
        data: { aadhaar: { ...aadhaar, aadhaarNumber: given }, xml: '' },
      })
      expect((await complete(person, id)).status).toBe(200)
      expect((await records(person))[0]!.masked_aadhaar).toBe(kept)
    })
  }

  test("a name longer than the column, or with a NUL, does not stop the person's verification", async () => {
    for (const name of ['x'.repeat(400), 'As\0ha', '\ud83c']) {
      const person = await completed()
      const id = await begin(person)
      Object.assign(check, { status: 'SUCCESS', data: { aadhaar: { ...aadhaar, name }, xml: '' } })
      expect((await complete(person, id)).status).toBe(200)
    }
  })

  test('CREATED goes to KYC_REQUESTED and SUCCESS, and never back', async () => {
    const person = await completed()
    const id = await begin(person)
    const tell = async (status: string, data: unknown = null) => {
      Object.assign(check, { status, data })
      const answer = await complete(person, id)
      return [answer.status, (await records(person))[0]!.status]
    }
    expect(await tell('CREATED')).toEqual([400, 'CREATED'])
    expect(await tell('KYC_REQUESTED')).toEqual([400, 'KYC_REQUESTED'])
    expect(await tell('CREATED')).toEqual([400, 'KYC_REQUESTED'])
    expect((await start(person)).body.data.verification_id).toBe(id)
    expect(await tell('SUCCESS', { aadhaar, xml: '' })).toEqual([200, 'SUCCESS'])
    expect(await tell('ERROR')).toEqual([200, 'SUCCESS'])
  })

  test('ERROR is final, its code and message are kept', async () => {
    const person = await completed()
    const id = await begin(person)
    Object.assign(check, {
      status: 'ERROR',
      more: { errorCode: 'upstream_service_error', errorMsg: 'UIDAI is down' },
    })
    expect(seen(await complete(person, id))).toEqual([400, enveloped(400)])
    Object.assign(check, { status: 'SUCCESS', data: { aadhaar, xml: '' } })
    expect(seen(await complete(person, id))).toEqual([400, enveloped(400)])
    expect(await records(person)).toMatchObject([
      { status: 'ERROR', error_code: 'upstream_service_error', error_message: 'UIDAI is down' },
    ])
  })

  for (const more of [
    { data: undefined },
    { data: {} },
    { data: { aadhaar: null, xml: null } },
    { errorCode: null, errorMsg: null },
  ]) {
    test(`an unfinished check may come with ${JSON.stringify(more)}`, async () => {
      const person = await completed()
      const id = await begin(person)
      Object.assign(check, { status: 'KYC_REQUESTED', more })
      expect(seen(await complete(person, id))).toEqual([400, enveloped(400)])
    })
  }

  test('the callback makes the status be read', async () => {
    const person = await completed()
    await begin(person)
    Object.assign(check, { status: 'SUCCESS', data: { aadhaar, xml: '' } })
    const [{ provider_request_id: id }] = (await records(person)) as any
    expect(
      (
        await sendRequest(it.url, 'POST', '/webhooks/ekyc', {
          body: { event: 'EKYC_DATA', data: { id, status: 'ERROR' } },
        })
      ).status,
    ).toBe(200)
    expect(await records(person)).toMatchObject([{ status: 'SUCCESS' }])
  })
})

const failures: Record<string, Reply> = {
  'refuses the credentials': () =>
    Response.json({ errorCode: 'unauthorized', errorMsg: 'hush' }, { status: 401 }),
  'does not know': () => Response.json({ errorCode: 'not_found' }, { status: 404 }),
  fails: () => Response.json({ errorCode: 'internal_server_error' }, { status: 500 }),
  'is overloaded': () =>
    Response.json({ errorCode: 'too_many_requests' }, { status: 429, headers: { 'retry-after': '0' } }),
  'answers with HTML': () => new Response('<html>', { headers: { 'content-type': 'text/html' } }),
  'answers with other JSON': () => Response.json({ ok: true }),
  'answers null': () => Response.json(null),
  'answers with an unknown status': () => Response.json({ id: 'x', status: 'DONE', data: null }),
  'answers 204': () => new Response(null, { status: 204 }),
  'does not answer in time': () =>
    Bun.sleep(1000).then(() =>
      Response.json({ id: 'late', status: 'SUCCESS', kycURL: 'https://kyc.example.com/late', data: null }),
    ),
  'stops in the middle of its answer': () =>
    new Response(new ReadableStream({ start: controller => controller.enqueue('{"id":') })),
}

describe('503: a start when the provider', () => {
  for (const [name, fail] of Object.entries(failures)) {
    test(`${name}: both variants, and nothing half done`, async () => {
      const person = await completed()
      starts = fail
      expect(seen(await start(person))).toEqual([503, enveloped(503)])
      expect(await records(person)).toEqual([])
      starts = undefined
      expect((await start(person)).status).toBe(200)
    })
  }

  test('cannot be reached', async () => {
    const phone = freshPhone()
    await sendRequest(lost.url, 'POST', '/auth', { body: { phoneNumber: phone } })
    const {
      body: { access_token: token, user },
    } = await sendRequest(lost.url, 'POST', '/auth/verify', { body: { phoneNumber: phone, otp: '123456' } })
    await sendRequest(lost.url, 'PUT', '/profile/complete', {
      token,
      body: { firstName: 'Asha', lastName: 'Rao', email: 'a@b.co' },
    })
    expect(seen(await sendRequest(lost.url, 'POST', '/profile/ekyc', { token, body: {} }))).toEqual([
      503,
      plain(503),
    ])
    expect(await records(user, lost)).toEqual([])
  })

  test('fails for all that ask at once, and no record stays', async () => {
    const person = await completed()
    starts = () => new Response(null, { status: 500 })
    const answers = await Promise.all(Array.from({ length: 6 }, () => start(person)))
    expect(answers.map(({ status }) => status)).toEqual(Array(6).fill(503))
    expect(await records(person)).toEqual([])
  })

  test('a create is sent again only where it cannot have happened', async () => {
    const person = await completed(patient.url)
    const tries = () => seenByProvider.filter(({ method }) => method === 'POST').length
    for (const [status, repeated] of [
      [500, false],
      [502, false],
      [503, true],
      [429, true],
    ] as const) {
      const before = tries()
      starts = () => new Response(null, { status, headers: { 'retry-after': '0' } })
      expect((await start(person)).status).toBe(503)
      expect([status, tries() - before]).toEqual([status, repeated ? 3 : 1])
    }
  })
})

describe('503: a completion when the provider', () => {
  for (const [name, fail] of Object.entries(failures)) {
    test(`${name}: nothing is changed, and it succeeds later`, async () => {
      const person = await completed()
      const id = await begin(person)
      reads = fail
      expect(seen(await complete(person, id))).toEqual([503, enveloped(503)])
      expect(seen(await person.call('POST', '/profile/ekyc/complete', { verificationId: id }))).toEqual([
        503,
        plain(503),
      ])
      const [{ provider_request_id }] = (await records(person)) as any
      expect(
        (await sendRequest(it.url, 'POST', '/webhooks/ekyc', { body: { data: { id: provider_request_id } } }))
          .status,
      ).toBe(503)
      expect(await records(person)).toMatchObject([{ status: 'CREATED' }])
      reads = undefined
      Object.assign(check, { status: 'SUCCESS', data: { aadhaar, xml: '' } })
      expect((await complete(person, id)).status).toBe(200)
    })
  }
})

describe('after a change of the provider', () => {
  const countReads = () => seenByProvider.filter(({ method }) => method === 'GET').length
  const setProvider = ({ id }: TestUser, provider: string) =>
    getKysely(it.em()).updateTable('kyc_requests').set({ provider }).where('user_id', '=', id).execute()
  const createEarlierCheck = async () => {
    const person = await completed()
    const id = await begin(person)
    await setProvider(person, 'earlier')
    return { person, id }
  }

  test('400: a check of the earlier one cannot be completed, and the new one is not asked', async () => {
    const { person, id } = await createEarlierCheck()
    Object.assign(check, { status: 'SUCCESS', data: { aadhaar, xml: '' } })
    const reads = countReads()

    const response = await complete(person, id)

    expect([response.status, response.body.error.message]).toEqual([
      400,
      'The verification was started with another provider; start a new one',
    ])
    expect(countReads()).toBe(reads)
    expect(await records(person)).toMatchObject([
      { status: 'ERROR', error_code: 'provider_changed', name: null },
    ])
    expect(await begin(person)).not.toBe(id)
  })

  test('a start replaces an open check of the earlier one', async () => {
    const { person, id } = await createEarlierCheck()

    expect(await begin(person)).not.toBe(id)

    expect(await records(person)).toMatchObject([
      { provider: 'earlier', status: 'ERROR', error_code: 'provider_changed' },
      { provider: 'setu', status: 'CREATED' },
    ])
  })

  test.each([
    ['SUCCESS', 200],
    ['ERROR', 400],
  ])('a check that ended as %s at the earlier one stays so', async (status, expected) => {
    const person = await completed()
    const id = await begin(person)
    Object.assign(check, { status, data: { aadhaar, xml: '' } })
    await complete(person, id)
    await setProvider(person, 'earlier')

    expect((await complete(person, id)).status).toBe(expected)
    expect(await records(person)).toMatchObject([{ status, error_code: null }])
  })
})

describe('while a request is being made at the provider', () => {
  test('whoever else asks waits for it, as long as a provider may take', async () => {
    const person = await completed(slow.url)
    const first = start(person)
    await called
    time.advance(100_000)
    const second = start(person)
    await Bun.sleep(200) // so that it has looked before the first is done
    release()
    const ids = (await Promise.all([first, second])).map(({ status, body }) => [
      status,
      body.data.verification_id,
    ])
    expect(ids[0]).toEqual([200, expect.any(String)])
    expect(ids[1]).toEqual(ids[0]!)
    expect(await records(person, slow)).toMatchObject([
      { provider_request_id: expect.stringMatching(/^slow-/), status: 'CREATED' },
    ])
  })

  test('one that was never finished gives way to a new one', async () => {
    const person = await completed(slow.url)
    await getKysely(slow.em())
      .insertInto('kyc_requests')
      .values({ user_id: person.id, provider: 'setu', status: 'CREATED', expires_at: time.now() })
      .execute()
    release()
    expect((await start(person)).status).toBe(200)
    expect((await records(person, slow)).map(({ status }) => status)).toEqual(['ERROR', 'CREATED'])
  })
})
