import { expect, spyOn, test } from 'bun:test'
import { PgBoss } from 'pg-boss'
import { getKysely } from '../../../db/database'
import { waitUntil } from '../../support/round'
import { startSecondInstance, testServer } from '../../support/server'
import { createCompletedUser, findChecks, startCheck } from '../profile/fixtures'
import { createKycProvider } from '../profile/kyc-provider'

const provider = createKycProvider()
const server = testServer({ env: provider.env })

/** Another instance, with the jobs and with less time for a request than its provider takes. */
async function startJobs(env: Record<string, string>) {
  using starting = spyOn(PgBoss.prototype, 'start')
  const impatient = { ...provider.env, RUN_JOBS: 'true', PROVIDER_TOTAL_TIMEOUT_MS: '300', ...env }
  const instance = await startSecondInstance(server, impatient)
  await waitUntil(() => starting.mock.contexts.length > 0, 'the queue is opened')
  const boss = starting.mock.contexts[0] as PgBoss
  const hasQueue = () => boss.getQueue('reconcile-kyc').then(Boolean, () => false)
  await waitUntil(hasQueue, 'the jobs are registered')
  return { instance, boss }
}

test.each([
  [
    'an attempt that takes longer',
    { PROVIDER_TIMEOUT_MS: '5000', PROVIDER_RETRIES: '0' },
    () => Bun.sleep(900),
  ],
  [
    'a wait that the provider asks for',
    { PROVIDER_TIMEOUT_MS: '1500', PROVIDER_RETRIES: '1' },
    () => Response.json({}, { status: 503, headers: { 'retry-after': '4' } }),
  ],
])(
  'a job has more time for a provider than a request: for %s',
  async (_, env, reply) => {
    const { instance, boss } = await startJobs(env)
    try {
      const user = await createCompletedUser(server)
      await startCheck(user)
      await getKysely(server.em())
        .updateTable('kyc_requests')
        .set({ next_check_at: new Date(0) })
        .execute()
      provider.setStatus('ERROR')
      const first = provider.requests.length
      provider.replies.status = async () => {
        delete provider.replies.status
        return (await reply()) ?? Response.json({ id: 'x', status: 'ERROR', data: null })
      }

      await boss.send('reconcile-kyc', {})
      await waitUntil(async () => (await findChecks(server, user))[0]!.status === 'ERROR', 'a result')

      expect(provider.requests.length - first).toBe(1 + Number(env.PROVIDER_RETRIES))
    } finally {
      await instance.stop()
    }
  },
  60_000,
)
