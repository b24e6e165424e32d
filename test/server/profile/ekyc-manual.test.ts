import { describe, expect, test } from 'bun:test'
import { getKysely } from '../../../db/database'
import { sendRequest } from '../../support/users'
import { clock, testServer } from '../../support/server'
import { enveloped } from '../http/forms'
import { completeCheck, createCompletedUser, findChecks, getUser, startCheck, toResult } from './fixtures'

const DAY_MS = 24 * 3_600_000
const time = clock()
const server = testServer({ env: { SANDBOX_EKYC: 'manual' }, overrides: { now: time.now }, poolSize: 20 })
const profile = { first_name: 'Asha', last_name: 'Rao', email: 'asha@example.com' }
const press = async ({ verification_url }: { verification_url: string }, button: string) =>
  (await fetch(`${verification_url}/${button}`, { method: 'POST' })).status

describe('an open or successful check', () => {
  test('the record has the specified fields', async () => {
    const user = await createCompletedUser(server)
    const { verification_id, verification_url } = await startCheck(user)
    expect(await findChecks(server, user)).toMatchObject([
      {
        kyc_request_id: verification_id,
        user_id: user.id,
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

  test('400: the check is open until Approve is pressed on the page', async () => {
    const user = await createCompletedUser(server)
    const check = await startCheck(user)
    expect(toResult(await completeCheck(user, check.verification_id))).toEqual([400, enveloped(400)])
    expect(await getUser(server, user)).toMatchObject({ kyc_verified: false })
    const page = await fetch(check.verification_url)
    const html = await page.text()
    expect([page.status, page.headers.get('content-type')]).toEqual([
      200,
      expect.stringContaining('text/html'),
    ])
    expect(html).toContain('Approve')
    expect(html).toContain('Fail')
    expect(await press(check, 'approve')).toBe(200)
    // The callback made the server read the status.
    expect(await getUser(server, user)).toMatchObject({ kyc_verified: true })
    expect((await completeCheck(user, check.verification_id)).status).toBe(200)
  })

  test('a successful check cannot fail on its page', async () => {
    const user = await createCompletedUser(server)
    const check = await startCheck(user)
    await press(check, 'approve')
    expect(await press(check, 'fail')).toBe(400)
    expect([await findChecks(server, user), await getUser(server, user)]).toMatchObject([
      [{ status: 'SUCCESS' }],
      { kyc_verified: true },
    ])
  })
})

describe('a failed or expired check', () => {
  test('400: a failed check stays failed, and a retry is a new record', async () => {
    const user = await createCompletedUser(server)
    const failed = await startCheck(user)
    expect(await press(failed, 'fail')).toBe(200)
    expect(toResult(await completeCheck(user, failed.verification_id))).toEqual([400, enveloped(400)])
    expect(await findChecks(server, user)).toMatchObject([
      { status: 'ERROR', error_code: 'upstream_service_error', error_message: expect.any(String) },
    ])
    const retry = await startCheck(user)
    expect(retry.verification_id).not.toBe(failed.verification_id)
    expect(await press(failed, 'approve')).toBe(400)
    expect((await completeCheck(user, failed.verification_id)).status).toBe(400)
    expect(await press(retry, 'approve')).toBe(200)
    expect((await completeCheck(user, retry.verification_id)).status).toBe(200)
    expect((await completeCheck(user, failed.verification_id)).status).toBe(400)
    expect((await findChecks(server, user)).map(({ status }) => status)).toEqual(['ERROR', 'SUCCESS'])
    expect(
      (await user.call('GET', '/dashboard')).body.data.recent_activity.map(({ type }: any) => type),
    ).toEqual(['kyc_succeeded', 'kyc_failed', 'profile_completed'])
  })

  test('a start after the expiry creates a new record', async () => {
    const user = await createCompletedUser(server)
    const first = await startCheck(user)
    time.advance(DAY_MS - 1)
    expect((await startCheck(user)).verification_id).toBe(first.verification_id)
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
})

describe('POST /webhooks/ekyc', () => {
  const sendWebhook = (id: unknown, status = 'SUCCESS') =>
    sendRequest(server, 'POST', '/webhooks/ekyc', {
      body: {
        event: 'EKYC_DATA',
        data: { id, status, aadhaar: { name: 'Mallory', aadhaarNumber: '123412341234' }, xml: '<x/>' },
      },
    })

  test('200: only makes the server read the status', async () => {
    const user = await createCompletedUser(server)
    await startCheck(user)
    const [record] = await findChecks(server, user)
    expect((await sendWebhook(record!.provider_request_id)).status).toBe(200)
    expect([await findChecks(server, user), await getUser(server, user)]).toMatchObject([
      [{ status: 'CREATED', name: null, masked_aadhaar: null }],
      { kyc_verified: false, ...profile },
    ])
  })

  test('200: changes nothing for an unknown or a completed request', async () => {
    const user = await createCompletedUser(server)
    const check = await startCheck(user)
    await press(check, 'approve')
    const [record] = await findChecks(server, user)
    for (const id of [crypto.randomUUID(), 'x', '', '\0', 'x'.repeat(5000), record!.provider_request_id])
      expect((await sendWebhook(id, 'ERROR')).status).toBe(200)
    expect(await findChecks(server, user)).toMatchObject([{ status: 'SUCCESS', name: 'Sandbox Resident' }])
  })

  test('200: is not stored', async () => {
    await sendWebhook(crypto.randomUUID())
    expect(await getKysely(server.em()).selectFrom('webhook_deliveries').select('id').execute()).toEqual([])
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
      expect(toResult(await sendRequest(server, 'POST', '/webhooks/ekyc', { body }))).toEqual([
        400,
        enveloped(400),
      ]))
  }
})
