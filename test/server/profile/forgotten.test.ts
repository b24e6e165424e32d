import { expect, test } from 'bun:test'
import { getKysely } from '../../../db/database'
import { reconcileKyc } from '../../../server/jobs/reconcile'
import { clock, testServer, type TestServer } from '../../support/server'
import { sendRequest, type TestUser } from '../../support/users'
import { completeCheck, createCompletedUser, findChecks, requestCheck, startCheck } from './fixtures'
import { createKycProvider, failures } from './kyc-provider'

const FIRST_CHECK_MS = 6 * 60_000
const time = clock()
const overrides = { now: time.now }
const provider = createKycProvider()
const server = testServer({ env: { ...provider.env, PROVIDER_RETRIES: '0' }, overrides })
const automatic = testServer({ overrides })

const forget = () => void (provider.replies.status = failures['does not know the request'])
const forgotten = { status: 'ERROR', error_code: 'unknown_to_provider' }

async function createForgottenCheck() {
  const user = await createCompletedUser(server)
  const { verification_id: id } = await startCheck(user)
  forget()
  return { user, id }
}

const makeForeign = (at: TestServer, { id }: TestUser) =>
  getKysely(at.em())
    .updateTable('kyc_requests')
    .set({ provider: 'earlier' })
    .where('user_id', '=', id)
    .execute()

test('400: a check that the provider no longer knows has failed, and a new one can start', async () => {
  const { user, id } = await createForgottenCheck()

  const response = await completeCheck(user, id)

  expect([response.status, response.error.message]).toEqual([400, 'The verification failed; start a new one'])
  expect(await findChecks(server, user)).toMatchObject([forgotten])
  expect((await startCheck(user)).verification_id).not.toBe(id)
})

test('200: a start replaces a check that the provider no longer knows', async () => {
  const { user, id } = await createForgottenCheck()

  expect((await startCheck(user)).verification_id).not.toBe(id)

  expect(await findChecks(server, user)).toMatchObject([forgotten, { status: 'CREATED' }])
})

test('400: a start whose open check has succeeded at the provider meanwhile', async () => {
  const user = await createCompletedUser(server)
  await startCheck(user)
  provider.setStatus('SUCCESS', { aadhaar: { name: 'Asha Rao', aadhaarNumber: '1234' }, xml: '' })

  expect((await requestCheck(user)).status).toBe(400)

  expect(await findChecks(server, user)).toMatchObject([{ status: 'SUCCESS' }])
})

test('200: a start returns the open check if the provider fails to answer about it', async () => {
  const user = await createCompletedUser(server)
  const { verification_id: id } = await startCheck(user)
  provider.replies.status = failures.fails!

  expect((await startCheck(user)).verification_id).toBe(id)
})

test('200: a callback about a check that the provider no longer knows ends it', async () => {
  const { user } = await createForgottenCheck()
  const [check] = await findChecks(server, user)
  const body = { event: 'EKYC_DATA', data: { id: check!.provider_request_id } }

  expect((await sendRequest(server, 'POST', '/webhooks/ekyc', { body })).status).toBe(200)

  expect(await findChecks(server, user)).toMatchObject([forgotten])
})

test('the job ends a check that the provider no longer knows', async () => {
  const { user } = await createForgottenCheck()
  time.advance(FIRST_CHECK_MS)

  await reconcileKyc(server.deps)

  expect(await findChecks(server, user)).toMatchObject([forgotten])
})

test('the job ends a check of another provider, also while the sandbox’s own wait for their users', async () => {
  const atProvider = await createCompletedUser(server)
  const [foreign, own] = [await createCompletedUser(automatic), await createCompletedUser(automatic)]
  for (const user of [atProvider, foreign, own]) await startCheck(user)
  await makeForeign(server, atProvider)
  await makeForeign(automatic, foreign)
  time.advance(FIRST_CHECK_MS)

  for (const { deps } of [server, automatic]) await reconcileKyc(deps)

  const changed = [{ status: 'ERROR', error_code: 'provider_changed' }]
  expect(await findChecks(server, atProvider)).toMatchObject(changed)
  expect(await findChecks(automatic, foreign)).toMatchObject(changed)
  expect(await findChecks(automatic, own)).toMatchObject([{ status: 'CREATED' }])
})
