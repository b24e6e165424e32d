import { expect, spyOn, test } from 'bun:test'
import { PgBoss } from 'pg-boss'
import { getKysely } from '../../../db/database'
import { waitUntil } from '../../faults/round'
import { startTestServer } from '../../support/server'
import { createCompletedUser, findChecks, startCheck } from '../profile/fixtures'
import { createKycProvider } from '../profile/kyc-provider'

const provider = createKycProvider()
const soon = { RUN_JOBS: 'true', PROVIDER_TOTAL_TIMEOUT_MS: '300' }

async function startServerWithJobs(env: Record<string, string>) {
  using starting = spyOn(PgBoss.prototype, 'start')
  const server = await startTestServer({ env: { ...provider.env, ...soon, ...env } })
  await waitUntil(() => starting.mock.contexts.length > 0, 'the queue is opened')
  const boss = starting.mock.contexts[0] as PgBoss
  const hasQueue = () => boss.getQueue('reconcile-kyc').then(Boolean, () => false)
  await waitUntil(hasQueue, 'the jobs are registered')
  return { server, boss }
}

test.each([
  [
    'an attempt that takes longer',
    { PROVIDER_TIMEOUT_MS: '5000', PROVIDER_RETRIES: '0' },
    () => Bun.sleep(900),
  ],
  [
    'a wait that the provider asks for',
    { PROVIDER_TIMEOUT_MS: '300', PROVIDER_RETRIES: '1' },
    () => Response.json({}, { status: 503, headers: { 'retry-after': '2' } }),
  ],
])(
  'a job has more time for a provider than a request: for %s',
  async (_, env, reply) => {
    const { server, boss } = await startServerWithJobs(env)
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
      await waitUntil(async () => (await findChecks(server, user))[0]!.status === 'ERROR', 'a result', 15_000)

      expect(provider.requests.length - first).toBe(1 + Number(env.PROVIDER_RETRIES))
    } finally {
      await server.end()
    }
  },
  40_000,
)
