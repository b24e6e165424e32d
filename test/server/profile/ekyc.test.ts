import { describe, expect, test } from 'bun:test'
import { getKysely } from '../../../db/database'
import { sendRequest, createLandlord, signInUser } from '../../support/users'
import { testServer } from '../../support/server'
import { broken, brokenInA, enveloped, plain, userInA, userInB, UUID } from '../http/forms'
import {
  completeCheck,
  createCompletedUser,
  findChecks,
  getUser,
  requestCheck,
  signInWithVariantA,
  startCheck,
  toResult,
} from './fixtures'

const server = testServer({ poolSize: 20 })
const profile = { first_name: 'Asha', last_name: 'Rao', email: 'asha@example.com' }

const initiated = { message: 'Open the address to prove your identity', status: 'initiated' }
const address = expect.stringMatching(/^http/)

describe('a successful identity check', () => {
  test('200: Variant A', async () => {
    const user = await signInWithVariantA(server)
    await user.put('/profile/complete', { firstName: 'Asha', lastName: 'Rao', email: 'asha@example.com' })
    const started = await requestCheck(user)
    expect(toResult(started)).toEqual([200, { ...initiated, verificationId: UUID, verificationUrl: address }])
    const { verificationId } = started.body
    const completed = await user.post('/profile/ekyc/complete', { verificationId })
    const verified = userInA(user.phone, {
      firstName: 'Asha',
      lastName: 'Rao',
      email: 'asha@example.com',
      hasCompletedProfile: true,
      hasVerifiedProfile: true,
    })
    expect(toResult(completed)).toEqual([200, { message: expect.any(String), user: verified }])
  })

  test('200: Variant B', async () => {
    const user = await createCompletedUser(server)
    const started = await requestCheck(user)
    expect(toResult(started)).toEqual([
      200,
      { success: true, data: { ...initiated, verification_id: UUID, verification_url: address } },
    ])
    const verified = userInB(user.phone, {
      ...profile,
      has_completed_profile: true,
      has_verified_profile: true,
    })
    expect(toResult(await completeCheck(user, started.data.verification_id))).toEqual([
      200,
      { success: true, data: { message: expect.any(String), user: verified } },
    ])
  })
})

describe('POST /profile/ekyc', () => {
  test('400: an incomplete profile; no record is created', async () => {
    const user = await signInUser(server)
    expect(toResult(await requestCheck(user))).toEqual([400, enveloped(400)])
    expect(await findChecks(server, user)).toEqual([])
  })

  test('400: a verified identity, in both variants', async () => {
    const user = await createLandlord(server)
    expect(toResult(await requestCheck(user))).toEqual([400, enveloped(400)])
    const inVariantA = await signInWithVariantA(server, user.phone)
    expect(toResult(await requestCheck(inVariantA))).toEqual([400, plain(400)])
  })

  test('200: returns an open check again', async () => {
    const user = await createCompletedUser(server)
    const first = await startCheck(user)
    expect(await startCheck(user)).toEqual({
      ...first,
      message: expect.any(String),
      status: 'initiated',
    } as any)
    expect(await findChecks(server, user)).toHaveLength(1)
  })

  test('200: without a body', async () => {
    const { token } = await createCompletedUser(server)
    expect((await sendRequest(server, 'POST', '/profile/ekyc', { token })).status).toBe(200)
  })

  test('200: concurrent requests share one check and one request at the provider', async () => {
    for (let round = 0; round < 5; round++) {
      const user = await createCompletedUser(server)
      const responses = await Promise.all(Array.from({ length: 10 }, () => requestCheck(user)))
      expect(new Set(responses.map(({ body }) => body.data.verification_id)).size).toBe(1)
      const [record] = await findChecks(server, user)
      expect(
        await getKysely(server.em())
          .selectFrom('sandbox_records')
          .where('id', '=', record!.provider_request_id!)
          .select('id')
          .execute(),
      ).toHaveLength(1)
      expect(await findChecks(server, user)).toHaveLength(1)
    }
    const records = await getKysely(server.em())
      .selectFrom('sandbox_records')
      .where('kind', '=', 'ekyc')
      .select('id')
      .execute()
    const known = await getKysely(server.em()).selectFrom('kyc_requests').select('id').execute()
    expect(records).toHaveLength(known.length)
  })
})

describe('POST /profile/ekyc/complete', () => {
  test('SUCCESS sets the flag and the status, and stores the name and four digits', async () => {
    const user = await createCompletedUser(server)
    await completeCheck(user, (await startCheck(user)).verification_id)
    expect(await getUser(server, user)).toMatchObject({ kyc_verified: true, ...profile })
    expect(await findChecks(server, user)).toMatchObject([
      { status: 'SUCCESS', name: 'Sandbox Resident', masked_aadhaar: '0000', error_code: null },
    ])
    expect((await user.call('GET', '/auth/me')).body.data.status).toBe('LOGIN_SUCCESSFUL')
  })

  test('200: a repeated request', async () => {
    const user = await createCompletedUser(server)
    const { verification_id } = await startCheck(user)
    expect([
      (await completeCheck(user, verification_id)).status,
      (await completeCheck(user, verification_id)).status,
    ]).toEqual([200, 200])
  })

  test('200: concurrent requests record one activity', async () => {
    const user = await createCompletedUser(server)
    const { verification_id } = await startCheck(user)
    const responses = await Promise.all(
      Array.from({ length: 10 }, () => completeCheck(user, verification_id)),
    )
    expect(responses.map(({ status }) => status)).toEqual(Array(10).fill(200))
    expect(
      (await user.call('GET', '/dashboard')).body.data.recent_activity.map(({ type }: any) => type),
    ).toEqual(['kyc_succeeded', 'profile_completed'])
  })
})

describe('400: POST /profile/ekyc/complete', () => {
  for (const [name, id] of Object.entries({
    'an unknown id': crypto.randomUUID(),
    'a text': 'x',
    'a number in text': '1',
    'injected SQL': "' or 1=1 --",
  })) {
    test(`${name}, both variants`, async () => {
      const user = await createCompletedUser(server)
      await startCheck(user)
      expect(toResult(await completeCheck(user, id))).toEqual([400, enveloped(400)])
      expect(toResult(await user.call('POST', '/profile/ekyc/complete', { verificationId: id }))).toEqual([
        400,
        plain(400),
      ])
      expect(await getUser(server, user)).toMatchObject({ kyc_verified: false })
    })
  }

  test("the id of another user's check: the same response as for an unknown id; the check stays open", async () => {
    const [user, other] = [await createCompletedUser(server), await createCompletedUser(server)]
    const { verification_id } = await startCheck(other)
    expect((await completeCheck(user, verification_id)).body).toEqual(
      (await completeCheck(user, crypto.randomUUID())).body,
    )
    expect([await getUser(server, user), await getUser(server, other)]).toMatchObject([
      { kyc_verified: false },
      { kyc_verified: false },
    ])
    expect((await completeCheck(other, verification_id)).status).toBe(200)
  })

  for (const id of [undefined, null, '', ' ', 1, true, ['x'], { $ne: null }, 'x'.repeat(256), 'a\0b']) {
    test(`verification id ${JSON.stringify(id)?.slice(0, 30)}, both variants`, async () => {
      const user = await createCompletedUser(server)
      expect(
        toResult(
          await user.call('POST', '/profile/ekyc/complete', {
            verification_id: id,
            first_name: 'selects the variant',
          }),
        ),
      ).toEqual([400, broken('verification_id')])
      expect(
        toResult(
          await user.call('POST', '/profile/ekyc/complete', {
            verificationId: id,
            firstName: 'selects the variant',
          }),
        ),
      ).toEqual([400, brokenInA('verificationId')])
    })
  }
})
