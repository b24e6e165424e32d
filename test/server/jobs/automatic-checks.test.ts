import { expect, test } from 'bun:test'
import { getKysely } from '../../../db/database'
import { isAutomaticKyc } from '../../../server/profile/kyc'
import { reconcileKyc } from '../../../server/jobs/reconcile'
import { clock, testServer } from '../../support/server'
import { createCompletedUser, findChecks, startCheck } from '../profile/fixtures'
import { DAY_MS } from './with-server'

const time = clock()
const server = testServer({ overrides: { now: time.now } })

test('an automatic identity check waits for its user; one of another provider is ended', async () => {
  expect(isAutomaticKyc(server.deps.config)).toBe(true)
  const [automatic, other] = [await createCompletedUser(server), await createCompletedUser(server)]
  for (const user of [automatic, other]) await startCheck(user)
  await getKysely(server.em())
    .updateTable('kyc_requests')
    .set({ provider: 'earlier' })
    .where('user_id', '=', other.id)
    .execute()
  time.advance(DAY_MS)
  await reconcileKyc(server.deps)
  const [[kept], [ended]] = [await findChecks(server, automatic), await findChecks(server, other)]
  expect([kept!.status, kept!.next_check_at]).toEqual(['CREATED', null])
  expect([ended!.status, ended!.error_code]).toEqual(['ERROR', 'provider_changed'])
})
