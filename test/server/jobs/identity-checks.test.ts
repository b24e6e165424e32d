import { expect, test } from 'bun:test'
import type { KycRequest } from '../../../db/entities'
import { reconcileKyc } from '../../../server/accounts/profile/reconciliation'
import { isAutomaticKyc } from '../../../server/accounts/profile/kyc'
import { setManualKyc } from '../../support/manual-kyc'
import { clock, testServer } from '../../support/server'
import { completeCheck, createCompletedUser, findChecks, startCheck } from '../accounts/profile/fixtures'
import { DAY_MS, HOUR_MS, MINUTE_MS } from './durations'

const time = clock()
const server = testServer({ overrides: { now: time.now } })

/** Checks at the provider, whose checks all have a status, as if a person had to answer them. */
async function reconcileAt(status: KycRequest['status']) {
  await setManualKyc(server)
  return reconcileKyc({ ...server.deps, kyc: { ...server.deps.kyc, status: async () => ({ status }) } })
}

test('an automatic identity check waits for its user', async () => {
  expect(await isAutomaticKyc(server.deps)).toBe(true)
  const user = await createCompletedUser(server)
  await startCheck(user)
  time.advance(DAY_MS)

  await reconcileKyc(server.deps)

  expect(await findChecks(server, user)).toMatchObject([{ status: 'CREATED', next_check_at: null }])
})

test('an identity check is completed without its user', async () => {
  const user = await createCompletedUser(server)
  await startCheck(user)
  time.advance(6 * MINUTE_MS)

  await reconcileAt('SUCCESS')

  expect((await user.get('/auth/me')).data.status).toBe('LOGIN_SUCCESSFUL')
})

test.each([
  [0, 'ERROR'],
  [1, 'KYC_REQUESTED'],
] as const)('an open identity check that expires in %d ms is %s', async (expiresInMs, status) => {
  const user = await createCompletedUser(server)
  const { verification_id } = await startCheck(user)
  const expires_at = new Date(time.now().getTime() + HOUR_MS + expiresInMs)
  const checks = server.db.updateTable('kyc_requests').where('user_id', '=', user.id)
  await checks.set({ expires_at }).execute()
  time.advance(HOUR_MS)

  await reconcileAt('KYC_REQUESTED')

  expect((await findChecks(server, user))[0]!.status).toBe(status)
  if (status === 'ERROR') {
    expect((await completeCheck(user, verification_id)).status).toBe(400)
    expect((await startCheck(user)).verification_id).not.toBe(verification_id)
  }
})
