import { describe, expect, test } from 'bun:test'
import { interrupt, lockRow } from '../../../support/locks'
import { useManualKyc } from '../../../support/manual-kyc'
import { clock, testServer } from '../../../support/server'
import { createLandlord, sendRequest, signInUser, type TestUser } from '../../../support/users'
import { enveloped, plain, userInA, userInB, UUID } from '../../http/forms'
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

const DAY_MS = 24 * 3_600_000
const time = clock()
const automatic = testServer()
/** A check waits for its user to press a button. */
const server = testServer({ overrides: { now: time.now } })
useManualKyc(server)
const profile = { first_name: 'Asha', last_name: 'Rao', email: 'asha@example.com' }
const press = async ({ verification_url }: { verification_url: string }, button: string) =>
  (await fetch(`${verification_url}/${button}`, { method: 'POST' })).status
const listActivities = async (user: TestUser) =>
  (await user.get('/dashboard')).data.recent_activity.map(({ type }: { type: string }) => type)
const initiated = { message: 'Open the address to prove your identity', status: 'initiated' }

describe('200: a successful identity check', () => {
  const url = expect.stringMatching(/^http/)

  test('in Variant A', async () => {
    const user = await signInWithVariantA(automatic)
    const names = { firstName: 'Asha', lastName: 'Rao', email: 'asha@example.com' }
    await user.put('/profile/complete', names)
    const started = await requestCheck(user)
    expect(toResult(started)).toEqual([200, { ...initiated, verificationId: UUID, verificationUrl: url }])
    const { verificationId } = started.body
    const flags = { hasCompletedProfile: true, hasVerifiedProfile: true }
    expect(toResult(await user.post('/profile/ekyc/complete', { verificationId }))).toEqual([
      200,
      { message: expect.any(String), user: userInA(user.phone, { ...names, ...flags }) },
    ])
  })

  test('in Variant B; a repetition is the same, and records nothing', async () => {
    const user = await createCompletedUser(automatic)
    const started = await requestCheck(user)
    expect(toResult(started)).toEqual([
      200,
      { success: true, data: { ...initiated, verification_id: UUID, verification_url: url } },
    ])
    const flags = { has_completed_profile: true, has_verified_profile: true }
    const view = userInB(user.phone, { ...profile, ...flags })
    for (let times = 0; times < 2; times++)
      expect(toResult(await completeCheck(user, started.data.verification_id))).toEqual([
        200,
        { success: true, data: { message: expect.any(String), user: view } },
      ])
    expect(await findChecks(automatic, user)).toMatchObject([
      { status: 'SUCCESS', name: 'Sandbox Resident', masked_aadhaar: '0000', error_code: null },
    ])
    expect(await getUser(automatic, user)).toMatchObject({ kyc_verified: true, ...profile })
    expect((await user.get('/auth/me')).data.status).toBe('LOGIN_SUCCESSFUL')
    expect(await listActivities(user)).toEqual(['kyc_succeeded', 'profile_completed'])
  })

  test('completed by requests at once is recorded once', async () => {
    const user = await createCompletedUser(automatic)
    const { verification_id } = await startCheck(user)
    const responses = await interrupt(automatic, {
      lock: lockRow('users', user.id),
      start: () => Promise.all([1, 2].map(() => completeCheck(user, verification_id))),
      waitingCount: 2,
    })
    expect(responses.map(({ status }) => status)).toEqual([200, 200])
    expect(await listActivities(user)).toEqual(['kyc_succeeded', 'profile_completed'])
  })
})

describe('POST /profile/ekyc', () => {
  test('400: an incomplete profile; no record is created', async () => {
    const user = await signInUser(server)
    expect(toResult(await requestCheck(user))).toEqual([400, enveloped(400)])
    expect(await findChecks(server, user)).toEqual([])
  })

  test('400: a verified identity, in both variants', async () => {
    const user = await createLandlord(automatic)
    expect(toResult(await requestCheck(user))).toEqual([400, enveloped(400)])
    const inA = await signInWithVariantA(automatic, user.phone)
    expect(toResult(await requestCheck(inA))).toEqual([400, plain(400)])
  })

  test('200: returns an open check again, also without a body, for a day', async () => {
    const user = await createCompletedUser(server)
    const first = await startCheck(user)
    const [check] = await findChecks(server, user)
    expect(check).toMatchObject({
      kyc_request_id: first.verification_id,
      provider: 'sandbox',
      provider_request_id: expect.any(String),
      verification_url: first.verification_url,
      status: 'CREATED',
      error_code: null,
      name: null,
      masked_aadhaar: null,
    })
    const { token } = user
    expect((await sendRequest(server, 'POST', '/profile/ekyc', { token })).data).toEqual({
      ...first,
      ...initiated,
    })
    time.advance(DAY_MS - 1)
    expect((await startCheck(user)).verification_id).toBe(first.verification_id)
    expect(await findChecks(server, user)).toEqual([check!])

    time.advance(1)
    const second = await startCheck(user)
    expect(second.verification_id).not.toBe(first.verification_id)
    expect(await findChecks(server, user)).toMatchObject([
      { status: 'ERROR', error_code: 'expired' },
      { status: 'CREATED' },
    ])
    expect(await press(second, 'approve')).toBe(200)
    expect((await completeCheck(user, second.verification_id)).status).toBe(200)
  })

  test('200: requests at once share one check and one request at the provider', async () => {
    const user = await createCompletedUser(server)
    const responses = await interrupt(server, {
      lock: lockRow('users', user.id),
      start: () => Promise.all([1, 2].map(() => requestCheck(user))),
      waitingCount: 2,
    })
    expect(new Set(responses.map(({ data }) => data?.verification_id)).size).toBe(1)
    expect(await findChecks(server, user)).toHaveLength(1)
    const db = server.db
    const records = await db.selectFrom('sandbox_records').where('kind', '=', 'ekyc').select('id').execute()
    const known = await db.selectFrom('kyc_requests').select('id').execute()
    expect(records).toHaveLength(known.length)
  })
})

describe('the page of a check', () => {
  test('400: the check is open until Approve is pressed', async () => {
    const user = await createCompletedUser(server)
    const check = await startCheck(user)
    expect(toResult(await completeCheck(user, check.verification_id))).toEqual([400, enveloped(400)])
    expect(await getUser(server, user)).toMatchObject({ kyc_verified: false })
    expect(await press(check, 'approve')).toBe(200)
    // The callback made the server read the status.
    expect(await getUser(server, user)).toMatchObject({ kyc_verified: true })
    expect(await findChecks(server, user)).toMatchObject([{ status: 'SUCCESS' }])
    expect((await completeCheck(user, check.verification_id)).status).toBe(200)
  })

  test('400: a failed check stays failed, and another one can succeed', async () => {
    const user = await createCompletedUser(server)
    const failed = await startCheck(user)
    expect(await press(failed, 'fail')).toBe(200)
    expect(toResult(await completeCheck(user, failed.verification_id))).toEqual([400, enveloped(400)])
    expect(await findChecks(server, user)).toMatchObject([
      { status: 'ERROR', error_code: 'upstream_service_error', error_message: expect.any(String) },
    ])
    const retry = await startCheck(user)
    expect(retry.verification_id).not.toBe(failed.verification_id)
    expect([await press(failed, 'approve'), await press(retry, 'approve')]).toEqual([400, 200])
    expect((await completeCheck(user, retry.verification_id)).status).toBe(200)
    expect((await completeCheck(user, failed.verification_id)).status).toBe(400)
    expect((await findChecks(server, user)).map(({ status }) => status)).toEqual(['ERROR', 'SUCCESS'])
    expect(await listActivities(user)).toEqual(['kyc_succeeded', 'kyc_failed', 'profile_completed'])
  })
})

describe('400: POST /profile/ekyc/complete', () => {
  test('an unknown id, in both variants', async () => {
    const user = await createCompletedUser(server)
    await startCheck(user)
    const id = crypto.randomUUID()
    const inA = await user.post('/profile/ekyc/complete', { verificationId: id })
    expect(toResult(await completeCheck(user, id))).toEqual([400, enveloped(400)])
    expect(toResult(inA)).toEqual([400, plain(400)])
    expect(await getUser(server, user)).toMatchObject({ kyc_verified: false })
  })

  test("another user's check: the same response as for an unknown id; the check stays open", async () => {
    const [user, other] = [await createCompletedUser(automatic), await createCompletedUser(automatic)]
    const { verification_id } = await startCheck(other)
    const unknown = await completeCheck(user, crypto.randomUUID())
    expect(toResult(await completeCheck(user, verification_id))).toEqual([400, unknown.body])
    for (const { id } of [user, other])
      expect(await getUser(automatic, { id })).toMatchObject({ kyc_verified: false })
    expect((await completeCheck(other, verification_id)).status).toBe(200)
  })
})

describe('POST /webhooks/ekyc', () => {
  const sendWebhook = (id: unknown, status = 'SUCCESS') =>
    sendRequest(server, 'POST', '/webhooks/ekyc', {
      body: {
        event: 'EKYC_DATA',
        data: { id, status, aadhaar: { name: 'Mallory', aadhaarNumber: '123412341234' }, xml: '<x/>' },
      },
    })

  test('200: only makes the server read the status, and is not stored', async () => {
    const user = await createCompletedUser(server)
    await startCheck(user)
    const [check] = await findChecks(server, user)
    expect((await sendWebhook(check!.provider_request_id)).status).toBe(200)
    expect(await findChecks(server, user)).toEqual([check!])
    expect(await getUser(server, user)).toMatchObject({ kyc_verified: false, ...profile })
    const webhooks = server.db.selectFrom('received_webhooks').select('id')
    expect(await webhooks.execute()).toEqual([])
  })

  test('200: changes nothing for an unknown or a completed request', async () => {
    const user = await createCompletedUser(server)
    const check = await startCheck(user)
    await press(check, 'approve')
    const before = await findChecks(server, user)
    const ids = [crypto.randomUUID(), 'x', '', '\0', 'x'.repeat(5000), before[0]!.provider_request_id]
    for (const id of ids) expect((await sendWebhook(id, 'ERROR')).status).toBe(200)
    expect(before).toMatchObject([{ status: 'SUCCESS', name: 'Sandbox Resident' }])
    expect(await findChecks(server, user)).toEqual(before)
  })

  test.each(['', 'null', '{"data":{"id":1}}'])('400: the body %p', async body => {
    const response = await sendRequest(server, 'POST', '/webhooks/ekyc', { body })
    expect(toResult(response)).toEqual([400, enveloped(400)])
  })
})
