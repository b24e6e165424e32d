import { describe, expect, test } from 'bun:test'
import { getKysely } from '../../../db/database'
import {
  sendRequest,
  freshPhone,
  createLandlord,
  signInUser,
  type TestResponse,
  type TestUser,
} from '../../support/users'
import { clock, testServer } from '../../support/server'
import { broken, brokenInA, enveloped, plain, userInA, userInB, UUID } from '../http/forms'

const time = clock()
const it = testServer({ poolSize: 20 })
const manual = testServer({ env: { SANDBOX_EKYC: 'manual' }, overrides: { now: time.now }, poolSize: 20 })
type Server = ReturnType<typeof testServer>
const DAY = 24 * 3_600_000
const profile = { first_name: 'Asha', last_name: 'Rao', email: 'asha@example.com' }
const seen = ({ status, body }: TestResponse) => [status, body]

async function completed({ url }: Server) {
  const person = await signInUser(url)
  await person.call('PUT', '/profile/complete', profile)
  return person
}
const start = (person: TestUser, body: unknown = {}) => person.call('POST', '/profile/ekyc', body)
const complete = (person: TestUser, verification_id: unknown) =>
  person.call('POST', '/profile/ekyc/complete', { verification_id })
const begin = async (person: TestUser) =>
  (await start(person)).body.data as { verification_id: string; verification_url: string }
const press = async ({ verification_url }: { verification_url: string }, button: string) =>
  (await fetch(`${verification_url}/${button}`, { method: 'POST' })).status
const records = ({ em }: Server, { id }: TestUser) =>
  getKysely(em()).selectFrom('kyc_requests').where('user_id', '=', id).orderBy('id').selectAll().execute()
const user = ({ em }: Server, { id }: TestUser) =>
  getKysely(em()).selectFrom('users').where('id', '=', id).selectAll().executeTakeFirstOrThrow()

describe('POST /profile/ekyc', () => {
  test('200 in both variants', async () => {
    const phone = freshPhone()
    await sendRequest(it.url, 'POST', '/auth', { body: { phoneNumber: phone } })
    const {
      body: { access_token: token },
    } = await sendRequest(it.url, 'POST', '/auth/verify', { body: { phoneNumber: phone, otp: '123456' } })
    await sendRequest(it.url, 'PUT', '/profile/complete', {
      token,
      body: { firstName: 'Asha', lastName: 'Rao', email: 'asha@example.com' },
    })
    const inA = await sendRequest(it.url, 'POST', '/profile/ekyc', { token, body: {} })
    expect(seen(inA)).toEqual([
      200,
      {
        message: expect.any(String),
        verificationId: UUID,
        verificationUrl: expect.stringMatching(/^http/),
        status: 'initiated',
      },
    ])
    const done = await sendRequest(it.url, 'POST', '/profile/ekyc/complete', {
      token,
      body: { verificationId: inA.body.verificationId },
    })
    expect(seen(done)).toEqual([
      200,
      {
        message: expect.any(String),
        user: userInA(phone, {
          firstName: 'Asha',
          lastName: 'Rao',
          email: 'asha@example.com',
          hasCompletedProfile: true,
          hasVerifiedProfile: true,
        }),
      },
    ])

    const person = await completed(it)
    const inB = await start(person)
    expect(seen(inB)).toEqual([
      200,
      {
        success: true,
        data: {
          message: expect.any(String),
          verification_id: UUID,
          verification_url: expect.stringMatching(/^http/),
          status: 'initiated',
        },
      },
    ])
    expect(seen(await complete(person, inB.body.data.verification_id))).toEqual([
      200,
      {
        success: true,
        data: {
          message: expect.any(String),
          user: userInB(person.phone, {
            ...profile,
            has_completed_profile: true,
            has_verified_profile: true,
          }),
        },
      },
    ])
  })

  test('400: before the profile is complete, and no record is made', async () => {
    const person = await signInUser(it.url)
    expect(seen(await start(person))).toEqual([400, enveloped(400)])
    expect(await records(it, person)).toEqual([])
  })

  test('400: when verified already, both variants', async () => {
    const person = await createLandlord(it.url)
    expect(seen(await start(person))).toEqual([400, enveloped(400)])
    await sendRequest(it.url, 'POST', '/auth', { body: { phoneNumber: person.phone } })
    const {
      body: { access_token: token },
    } = await sendRequest(it.url, 'POST', '/auth/verify', {
      body: { phoneNumber: person.phone, otp: '123456' },
    })
    expect(seen(await sendRequest(it.url, 'POST', '/profile/ekyc', { token, body: {} }))).toEqual([
      400,
      plain(400),
    ])
  })

  test('200: an open one is returned again', async () => {
    const person = await completed(it)
    const first = await begin(person)
    expect(await begin(person)).toEqual({ ...first, message: expect.any(String), status: 'initiated' } as any)
    expect(await records(it, person)).toHaveLength(1)
  })

  test('200: without a body at all', async () => {
    const { token } = await completed(it)
    expect((await sendRequest(it.url, 'POST', '/profile/ekyc', { token })).status).toBe(200)
  })

  test('concurrent starts share one verification and one request at the provider', async () => {
    for (let round = 0; round < 5; round++) {
      const person = await completed(it)
      const answers = await Promise.all(Array.from({ length: 10 }, () => start(person)))
      expect(new Set(answers.map(({ body }) => body.data.verification_id)).size).toBe(1)
      const [record] = await records(it, person)
      expect(
        await getKysely(it.em())
          .selectFrom('sandbox_records')
          .where('id', '=', record!.provider_request_id!)
          .select('id')
          .execute(),
      ).toHaveLength(1)
      expect(await records(it, person)).toHaveLength(1)
    }
    const made = await getKysely(it.em())
      .selectFrom('sandbox_records')
      .where('kind', '=', 'ekyc')
      .select('id')
      .execute()
    const known = await getKysely(it.em()).selectFrom('kyc_requests').select('id').execute()
    expect(made).toHaveLength(known.length)
  })

  test('the record holds what the specification names', async () => {
    const person = await completed(manual)
    const { verification_id, verification_url } = await begin(person)
    expect(await records(manual, person)).toMatchObject([
      {
        kyc_request_id: verification_id,
        user_id: person.id,
        provider: 'sandbox',
        provider_request_id: expect.any(String),
        verification_url,
        status: 'CREATED',
        error_code: null,
        name: null,
        masked_aadhaar: null,
      },
    ])
  })
})

describe('POST /profile/ekyc/complete', () => {
  test('SUCCESS sets the flag, the status and what little is kept of the identity', async () => {
    const person = await completed(it)
    await complete(person, (await begin(person)).verification_id)
    expect(await user(it, person)).toMatchObject({ kyc_verified: true, ...profile })
    expect(await records(it, person)).toMatchObject([
      { status: 'SUCCESS', name: 'Sandbox Resident', masked_aadhaar: '0000', error_code: null },
    ])
    expect((await person.call('GET', '/auth/me')).body.data.status).toBe('LOGIN_SUCCESSFUL')
  })

  test('200 again for the same id', async () => {
    const person = await completed(it)
    const { verification_id } = await begin(person)
    expect([
      (await complete(person, verification_id)).status,
      (await complete(person, verification_id)).status,
    ]).toEqual([200, 200])
  })

  test('concurrent completions answer 200 and tell of it once', async () => {
    const person = await completed(it)
    const { verification_id } = await begin(person)
    const answers = await Promise.all(Array.from({ length: 10 }, () => complete(person, verification_id)))
    expect(answers.map(({ status }) => status)).toEqual(Array(10).fill(200))
    expect(
      (await person.call('GET', '/dashboard')).body.data.recent_activity.map(({ type }: any) => type),
    ).toEqual(['kyc_succeeded', 'profile_completed'])
  })

  describe('400', () => {
    for (const [name, id] of Object.entries({
      'an unknown id': crypto.randomUUID(),
      'no UUID': 'x',
      'a number in text': '1',
      'injected SQL': "' or 1=1 --",
    })) {
      test(`${name}, both variants`, async () => {
        const person = await completed(it)
        await begin(person)
        expect(seen(await complete(person, id))).toEqual([400, enveloped(400)])
        expect(seen(await person.call('POST', '/profile/ekyc/complete', { verificationId: id }))).toEqual([
          400,
          plain(400),
        ])
        expect(await user(it, person)).toMatchObject({ kyc_verified: false })
      })
    }

    test("somebody else's id, in the words of an unknown one, and it stays open", async () => {
      const [mine, yours] = [await completed(it), await completed(it)]
      const { verification_id } = await begin(yours)
      expect((await complete(mine, verification_id)).body).toEqual(
        (await complete(mine, crypto.randomUUID())).body,
      )
      expect([await user(it, mine), await user(it, yours)]).toMatchObject([
        { kyc_verified: false },
        { kyc_verified: false },
      ])
      expect((await complete(yours, verification_id)).status).toBe(200)
    })

    for (const id of [undefined, null, '', ' ', 1, true, ['x'], { $ne: null }, 'x'.repeat(256), 'a\0b']) {
      test(`verification id ${JSON.stringify(id)?.slice(0, 30)}, both variants`, async () => {
        const person = await completed(it)
        expect(
          seen(
            await person.call('POST', '/profile/ekyc/complete', {
              verification_id: id,
              first_name: 'tells the variant',
            }),
          ),
        ).toEqual([400, broken('verification_id')])
        expect(
          seen(
            await person.call('POST', '/profile/ekyc/complete', {
              verificationId: id,
              firstName: 'tells the variant',
            }),
          ),
        ).toEqual([400, brokenInA('verificationId')])
      })
    }
  })
})

describe('SANDBOX_EKYC=manual', () => {
  test('400: not completed yet, until Approve is pressed on the page', async () => {
    const person = await completed(manual)
    const begun = await begin(person)
    expect(seen(await complete(person, begun.verification_id))).toEqual([400, enveloped(400)])
    expect(await user(manual, person)).toMatchObject({ kyc_verified: false })
    const page = await fetch(begun.verification_url)
    const html = await page.text()
    expect([page.status, page.headers.get('content-type')]).toEqual([
      200,
      expect.stringContaining('text/html'),
    ])
    expect(html).toContain('Approve')
    expect(html).toContain('Fail')
    expect(await press(begun, 'approve')).toBe(200)
    expect(await user(manual, person)).toMatchObject({ kyc_verified: true }) // the callback made the server read the status
    expect((await complete(person, begun.verification_id)).status).toBe(200)
  })

  test('400: failed, which is final, and a retry is a new record', async () => {
    const person = await completed(manual)
    const failed = await begin(person)
    expect(await press(failed, 'fail')).toBe(200)
    expect(seen(await complete(person, failed.verification_id))).toEqual([400, enveloped(400)])
    expect(await records(manual, person)).toMatchObject([
      { status: 'ERROR', error_code: 'upstream_service_error', error_message: expect.any(String) },
    ])
    const retry = await begin(person)
    expect(retry.verification_id).not.toBe(failed.verification_id)
    expect(await press(failed, 'approve')).toBe(400)
    expect((await complete(person, failed.verification_id)).status).toBe(400)
    expect(await press(retry, 'approve')).toBe(200)
    expect((await complete(person, retry.verification_id)).status).toBe(200)
    expect((await complete(person, failed.verification_id)).status).toBe(400)
    expect((await records(manual, person)).map(({ status }) => status)).toEqual(['ERROR', 'SUCCESS'])
    expect(
      (await person.call('GET', '/dashboard')).body.data.recent_activity.map(({ type }: any) => type),
    ).toEqual(['kyc_succeeded', 'kyc_failed', 'profile_completed'])
  })

  test('after it has expired a start makes a new record', async () => {
    const person = await completed(manual)
    const first = await begin(person)
    time.advance(DAY - 1)
    expect((await begin(person)).verification_id).toBe(first.verification_id)
    time.advance(1)
    const second = await begin(person)
    expect(second.verification_id).not.toBe(first.verification_id)
    expect((await records(manual, person)).map(({ status }) => status)).toEqual(['ERROR', 'CREATED'])
    expect(await press(second, 'approve')).toBe(200)
    expect((await complete(person, second.verification_id)).status).toBe(200)
  })

  test('one that succeeded cannot be failed on its page', async () => {
    const person = await completed(manual)
    const begun = await begin(person)
    await press(begun, 'approve')
    expect(await press(begun, 'fail')).toBe(400)
    expect([await records(manual, person), await user(manual, person)]).toMatchObject([
      [{ status: 'SUCCESS' }],
      { kyc_verified: true },
    ])
  })
})

describe('POST /webhooks/ekyc', () => {
  const news = (id: unknown, status = 'SUCCESS') =>
    sendRequest(manual.url, 'POST', '/webhooks/ekyc', {
      body: {
        event: 'EKYC_DATA',
        data: { id, status, aadhaar: { name: 'Mallory', aadhaarNumber: '123412341234' }, xml: '<x/>' },
      },
    })

  test('200: it is not believed, only the status is read', async () => {
    const person = await completed(manual)
    await begin(person)
    const [record] = await records(manual, person)
    expect((await news(record!.provider_request_id)).status).toBe(200)
    expect([await records(manual, person), await user(manual, person)]).toMatchObject([
      [{ status: 'CREATED', name: null, masked_aadhaar: null }],
      { kyc_verified: false, ...profile },
    ])
  })

  test('200: for an unknown request, and again after the end', async () => {
    const person = await completed(manual)
    const begun = await begin(person)
    await press(begun, 'approve')
    const [record] = await records(manual, person)
    for (const id of [crypto.randomUUID(), 'x', '', '\0', 'x'.repeat(5000), record!.provider_request_id])
      expect((await news(id, 'ERROR')).status).toBe(200)
    expect(await records(manual, person)).toMatchObject([{ status: 'SUCCESS', name: 'Sandbox Resident' }])
  })

  test('nothing of a delivery is kept', async () => {
    await news(crypto.randomUUID())
    expect(await getKysely(manual.em()).selectFrom('webhook_deliveries').select('id').execute()).toEqual([])
  })

  for (const body of [
    '',
    'x',
    'null',
    '[]',
    '1',
    '{}',
    '{"data":null}',
    '{"data":{"id":1}}',
    '{"data":{"id":null}}',
    '{"data":[]}',
    '<xml/>',
    '{"data":{"id":{"$ne":null}}}',
  ]) {
    test(`400: ${body || 'an empty body'}`, async () =>
      expect(seen(await sendRequest(manual.url, 'POST', '/webhooks/ekyc', { body }))).toEqual([
        400,
        enveloped(400),
      ]))
  }
})
