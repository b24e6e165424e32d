import { describe, expect, test } from 'bun:test'
import { getKysely } from '../../../db/database'
import { sendRequest } from '../../support/users'
import { clock, testServer } from '../../support/server'
import { enveloped, plain } from '../http/forms'
import {
  completeCheck,
  createCompletedUser,
  findChecks,
  requestCheck,
  signInWithVariantA,
  startCheck,
  toResult,
} from './fixtures'
import { createKycProvider, failures } from './kyc-provider'

const provider = createKycProvider()
const server = testServer({
  env: {
    ...provider.env,
    PROVIDER_TIMEOUT_MS: '400',
    PROVIDER_TOTAL_TIMEOUT_MS: '800',
    PROVIDER_RETRIES: '0',
  },
  poolSize: 20,
})
const patient = testServer({
  env: {
    ...provider.env,
    PROVIDER_TIMEOUT_MS: '2000',
    PROVIDER_TOTAL_TIMEOUT_MS: '20000',
    PROVIDER_RETRIES: '2',
  },
})
const unreachable = testServer({
  env: { ...provider.env, EKYC_API_URL: 'http://127.0.0.1:1', PROVIDER_RETRIES: '0' },
})
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

const aadhaar = {
  name: 'Asha Rao',
  dateOfBirth: '01-01-1990',
  gender: 'F',
  address: { pin: '560048', state: 'Karnataka', district: 'Bengaluru' },
  photo: 'PHOTOPHOTO',
  aadhaarNumber: '912345678901',
  generatedAt: '2026-01-01',
}

describe('a start', () => {
  test('sends the three credentials, the redirection URL and the webhook URL', async () => {
    const user = await createCompletedUser(server)
    const { body } = await requestCheck(user)
    expect(provider.requests.findLast(({ method }) => method === 'POST')).toMatchObject({
      path: '/api/ekyc/',
      body: {
        redirection_url: 'https://api.example.com/verified',
        webhook_url: 'https://api.example.com/webhooks/ekyc',
      },
    })
    const { headers } = provider.requests.findLast(({ method }) => method === 'POST')!
    expect(
      ['x-client-id', 'x-client-secret', 'x-product-instance-id'].map(name => headers.get(name)),
    ).toEqual(['client', 'hush', 'product'])
    expect(body.data.verification_url).toBe(`https://kyc.example.com/${provider.countCreated()}`)
    expect(await findChecks(server, user)).toMatchObject([
      { provider: 'setu', provider_request_id: `request-${provider.countCreated()}` },
    ])
  })

  test('accepts kycUrl instead of kycURL', async () => {
    provider.replies.start = () =>
      Response.json(
        { id: `other-${crypto.randomUUID()}`, status: 'CREATED', kycUrl: 'https://kyc.example.com/spelt' },
        { status: 201 },
      )
    expect((await requestCheck(await createCompletedUser(server))).body.data.verification_url).toBe(
      'https://kyc.example.com/spelt',
    )
  })
})

describe('the identity', () => {
  test('is stored only as a name and four digits', async () => {
    const user = await createCompletedUser(server)
    const { verification_id: id } = await startCheck(user)
    provider.setStatus('SUCCESS', { aadhaar, xml: '<xml>912345678901</xml>' })
    expect((await completeCheck(user, id)).status).toBe(200)
    expect(await findChecks(server, user)).toMatchObject([
      { status: 'SUCCESS', name: 'Asha Rao', masked_aadhaar: '8901' },
    ])
    const everything = JSON.stringify([
      await findChecks(server, user),
      await getKysely(server.em()).selectFrom('users').selectAll().execute(),
      await getKysely(server.em()).selectFrom('activities').selectAll().execute(),
      await getKysely(server.em()).selectFrom('webhook_deliveries').selectAll().execute(),
    ])
    for (const secret of ['912345678901', '12345678', 'PHOTOPHOTO', '<xml>', '01-01-1990'])
      expect(everything).not.toContain(secret)
  })

  for (const [number, digits] of [
    ['XXXXXXXX1234', '1234'],
    ['xxxx-xxxx-5678', '5678'],
    ['9012', '9012'],
    ['12', null],
    ['', null],
    [undefined, null],
    [null, null],
  ] as const) {
    test(`the Aadhaar number ${number} is stored as ${digits}`, async () => {
      const user = await createCompletedUser(server)
      const { verification_id: id } = await startCheck(user)
      provider.setStatus('SUCCESS', { aadhaar: { ...aadhaar, aadhaarNumber: number }, xml: '' })
      expect((await completeCheck(user, id)).status).toBe(200)
      expect((await findChecks(server, user))[0]!.masked_aadhaar).toBe(digits)
    })
  }

  test('200: the verification accepts a name that is too long or has invalid characters', async () => {
    for (const name of ['x'.repeat(400), 'As\0ha', '\ud83c']) {
      const user = await createCompletedUser(server)
      const { verification_id: id } = await startCheck(user)
      provider.setStatus('SUCCESS', { aadhaar: { ...aadhaar, name }, xml: '' })
      expect((await completeCheck(user, id)).status).toBe(200)
    }
  })
})

describe('a status', () => {
  test('changes from CREATED to KYC_REQUESTED and SUCCESS, and never back', async () => {
    const user = await createCompletedUser(server)
    const { verification_id: id } = await startCheck(user)
    const complete = async (status: string, data: unknown = null) => {
      provider.setStatus(status, data)
      const response = await completeCheck(user, id)
      return [response.status, (await findChecks(server, user))[0]!.status]
    }
    expect(await complete('CREATED')).toEqual([400, 'CREATED'])
    expect(await complete('KYC_REQUESTED')).toEqual([400, 'KYC_REQUESTED'])
    expect(await complete('CREATED')).toEqual([400, 'KYC_REQUESTED'])
    expect((await requestCheck(user)).body.data.verification_id).toBe(id)
    expect(await complete('SUCCESS', { aadhaar, xml: '' })).toEqual([200, 'SUCCESS'])
    expect(await complete('ERROR')).toEqual([200, 'SUCCESS'])
  })

  test('ERROR is final; its code and message are stored', async () => {
    const user = await createCompletedUser(server)
    const { verification_id: id } = await startCheck(user)
    provider.setStatus('ERROR', null, { errorCode: 'upstream_service_error', errorMsg: 'UIDAI is down' })
    expect(toResult(await completeCheck(user, id))).toEqual([400, enveloped(400)])
    provider.setStatus('SUCCESS', { aadhaar, xml: '' })
    expect(toResult(await completeCheck(user, id))).toEqual([400, enveloped(400)])
    expect(await findChecks(server, user)).toMatchObject([
      { status: 'ERROR', error_code: 'upstream_service_error', error_message: 'UIDAI is down' },
    ])
  })

  for (const more of [
    { data: undefined },
    { data: {} },
    { data: { aadhaar: null, xml: null } },
    { errorCode: null, errorMsg: null },
  ]) {
    test(`400: an open check may have ${JSON.stringify(more)}`, async () => {
      const user = await createCompletedUser(server)
      const { verification_id: id } = await startCheck(user)
      provider.setStatus('KYC_REQUESTED', null, more)
      expect(toResult(await completeCheck(user, id))).toEqual([400, enveloped(400)])
    })
  }

  test('is read after a callback', async () => {
    const user = await createCompletedUser(server)
    await startCheck(user)
    provider.setStatus('SUCCESS', { aadhaar, xml: '' })
    const [{ provider_request_id: id }] = (await findChecks(server, user)) as any
    expect(
      (
        await sendRequest(server, 'POST', '/webhooks/ekyc', {
          body: { event: 'EKYC_DATA', data: { id, status: 'ERROR' } },
        })
      ).status,
    ).toBe(200)
    expect(await findChecks(server, user)).toMatchObject([{ status: 'SUCCESS' }])
  })
})

describe('503: a start, if the provider', () => {
  for (const [name, fail] of Object.entries(failures)) {
    test(`${name}: no record is left`, async () => {
      const user = await createCompletedUser(server)
      provider.replies.start = fail
      expect(toResult(await requestCheck(user))).toEqual([503, enveloped(503)])
      expect(await findChecks(server, user)).toEqual([])
      delete provider.replies.start
      expect((await requestCheck(user)).status).toBe(200)
    })
  }

  test('cannot be reached', async () => {
    const user = await signInWithVariantA(unreachable)
    await user.put('/profile/complete', { firstName: 'Asha', lastName: 'Rao', email: 'a@b.co' })
    expect(toResult(await requestCheck(user))).toEqual([503, plain(503)])
    expect(await findChecks(unreachable, user)).toEqual([])
  })

  test('fails for concurrent requests: no record is left', async () => {
    const user = await createCompletedUser(server)
    provider.replies.start = () => new Response(null, { status: 500 })
    const responses = await Promise.all(Array.from({ length: 6 }, () => requestCheck(user)))
    expect(responses.map(({ status }) => status)).toEqual(Array(6).fill(503))
    expect(await findChecks(server, user)).toEqual([])
  })

  test('fails: the start is repeated only if the provider cannot have processed it', async () => {
    const user = await createCompletedUser(patient)
    const tries = () => provider.requests.filter(({ method }) => method === 'POST').length
    for (const [status, repeated] of [
      [500, false],
      [502, false],
      [503, true],
      [429, true],
    ] as const) {
      const before = tries()
      provider.replies.start = () => new Response(null, { status, headers: { 'retry-after': '0' } })
      expect((await requestCheck(user)).status).toBe(503)
      expect([status, tries() - before]).toEqual([status, repeated ? 3 : 1])
    }
  })
})

describe('503: a completion, if the provider', () => {
  const { 'does not know the request': _, ...failuresToAnswer } = failures
  for (const [name, fail] of Object.entries(failuresToAnswer)) {
    test(`${name}: in both variants; nothing is changed, and a later one succeeds`, async () => {
      const user = await createCompletedUser(server)
      const { verification_id: id } = await startCheck(user)
      provider.replies.status = fail
      expect(toResult(await completeCheck(user, id))).toEqual([503, enveloped(503)])
      expect(toResult(await user.call('POST', '/profile/ekyc/complete', { verificationId: id }))).toEqual([
        503,
        plain(503),
      ])
      const [{ provider_request_id }] = (await findChecks(server, user)) as any
      expect(
        (await sendRequest(server, 'POST', '/webhooks/ekyc', { body: { data: { id: provider_request_id } } }))
          .status,
      ).toBe(503)
      expect(await findChecks(server, user)).toMatchObject([{ status: 'CREATED' }])
      delete provider.replies.status
      provider.setStatus('SUCCESS', { aadhaar, xml: '' })
      expect((await completeCheck(user, id)).status).toBe(200)
    })
  }
})

describe('while the provider processes a start', () => {
  test('another start waits for it up to the total timeout', async () => {
    const user = await createCompletedUser(slow)
    const first = requestCheck(user)
    await called
    time.advance(100_000)
    const second = requestCheck(user)
    // The second start must read the record before the first is done.
    await Bun.sleep(200)
    release()
    const ids = (await Promise.all([first, second])).map(({ status, body }) => [
      status,
      body.data.verification_id,
    ])
    expect(ids[0]).toEqual([200, expect.any(String)])
    expect(ids[1]).toEqual(ids[0]!)
    expect(await findChecks(slow, user)).toMatchObject([
      { provider_request_id: expect.stringMatching(/^slow-/), status: 'CREATED' },
    ])
  })

  test('an unfinished start that has expired is replaced', async () => {
    const user = await createCompletedUser(slow)
    await getKysely(slow.em())
      .insertInto('kyc_requests')
      .values({ user_id: user.id, provider: 'setu', status: 'CREATED', expires_at: time.now() })
      .execute()
    release()
    expect((await requestCheck(user)).status).toBe(200)
    expect((await findChecks(slow, user)).map(({ status }) => status)).toEqual(['ERROR', 'CREATED'])
  })
})
