import { afterEach, expect, test } from 'bun:test'
import { join } from 'node:path'
import { toJunitXml } from '../../cli/smoke/junit'
import { Property, User } from '../../db/entities'
import { createSandboxClient } from '../../sdk/sandbox'
import { realProviders } from '../support/providers'
import { startSecondInstance, testServer } from '../support/server'
import { createLandlord } from '../support/users'
import { createShell } from './shell'

const server = testServer()
afterEach(() => createSandboxClient({ baseUrl: server.url }).clearFaults())

type Step = { step: string; status: string; error?: { code: string; request_id: string } }

async function countRemains() {
  const em = server.em()
  return {
    users: await em.count(User, { is_active: true }),
    properties: await em.count(Property, { is_active: true }),
  }
}

test('smoke waits for webhooks, passes, leaves the stored sign-in alone and removes what it made', async () => {
  using shell = createShell(server.url)
  await shell.getData('sandbox fault add esign late --delay 300ms --times 50')

  const smoke = await shell.kiraya('smoke')

  expect(smoke.exitCode).toBe(0)
  expect(smoke.out).toMatch(/^sign in a landlord +\d+ ms$/m)
  expect(smoke.err).toContain('All 24 steps passed')
  expect((await shell.kiraya('status')).exitCode).toBe(4)
  expect(await countRemains()).toEqual({ users: 0, properties: 0 })
})

test('8: --json and --junit name the failed step and its error, and what was made is removed', async () => {
  using shell = createShell(server.url)
  await shell.getData('sandbox fault add esign error --on create --times 50 --status 400')

  const smoke = await shell.kiraya('smoke --junit smoke.xml --json')
  const report = await Bun.file(join(shell.home, 'smoke.xml')).text()

  expect(smoke.exitCode).toBe(8)
  expect(smoke.data).toMatchObject({ passed: false, failed_step: 'sign-landlord' })
  const [failed, cleanUp] = smoke.data.steps.slice(-2)
  const error = { code: 'SERVICE_UNAVAILABLE', request_id: expect.stringMatching(/\S/) }
  expect(failed).toMatchObject({ step: 'sign-landlord', status: 'failed', error })
  expect(report).toContain('<failure type="SERVICE_UNAVAILABLE"')
  expect(cleanUp).toMatchObject({ step: 'clean-up', status: 'passed' })
  expect(await countRemains()).toEqual({ users: 0, properties: 0 })
})

test('8: a server that cannot be reached is a failed health step, and no old report stays', async () => {
  using shell = createShell('http://127.0.0.1:1')
  const file = join(shell.home, 'smoke.xml')
  await Bun.write(file, '<testsuites failures="0"/>')

  const dryRun = await shell.kiraya('smoke --junit smoke.xml --dry-run')
  expect([dryRun.exitCode, await Bun.file(file).text()]).toEqual([0, '<testsuites failures="0"/>'])
  expect(dryRun.data).toMatchObject({ steps: expect.arrayContaining(['sign-in', 'close']), dry_run: true })
  const smoke = await shell.kiraya('smoke --junit smoke.xml --json')

  expect(smoke.exitCode).toBe(8)
  expect(smoke.data).toMatchObject({ passed: false, failed_step: 'health' })
  expect(smoke.data.steps).toMatchObject([{ step: 'health', error: { code: 'NETWORK_ERROR' } }])
  expect(await Bun.file(file).text()).toContain('<failure type="NETWORK_ERROR"')
})

test('without the sandbox smoke uses the sign-in, if any, and says what it skips', async () => {
  const real = await startSecondInstance(server, realProviders)
  const landlord = await createLandlord(server)
  using shell = createShell(real.url)

  const signedOut = await shell.getData('smoke --json')
  const signedIn = await shell.getData('smoke --json', { env: { KIRAYA_TOKEN: landlord.token } })
  await real.stop()

  const selectPassed = ({ steps }: { steps: Step[] }) =>
    steps.flatMap(({ step, status }) => (status === 'passed' ? [step] : []))
  expect(selectPassed(signedOut)).toEqual(['health', 'clean-up'])
  const steps = 'health sign-in profile kyc dashboard property delete clean-up'
  expect(selectPassed(signedIn).join(' ')).toBe(steps)
  const signing = signedIn.steps.find(({ step }: Step) => step === 'sign-landlord')
  expect(signing).toMatchObject({ status: 'skipped', reason: 'needs the step agreement' })
  expect(await countRemains()).toEqual({ users: 1, properties: 0 })
})

test("4: --otp is tried also where there is no sandbox, and a wrong one names the server's setting", async () => {
  using provider = Bun.serve({ port: 0, fetch: () => Response.json({ type: 'success' }) })
  const real = await startSecondInstance(server, { ...realProviders, MSG91_API_URL: provider.url.href })
  using shell = createShell(real.url)

  const smoke = await shell.kiraya('smoke --otp 000000 --json')
  await real.stop()

  expect(smoke.exitCode).toBe(4)
  expect(smoke.data).toMatchObject({ passed: false, failed_step: 'sign-in' })
  const failed = smoke.data.steps.find(({ step }: Step) => step === 'sign-in')
  expect(failed).toMatchObject({ status: 'failed', error: { code: 'UNAUTHORIZED' } })
})

test('a JUnit report has seconds, reasons and failures, without what XML forbids', async () => {
  const xml = await toJunitXml([
    { flow: 1, step: 'health', title: 'see the server ready', status: 'passed', ms: 1_234 },
    { flow: 1, step: 'tenant', title: 'a tenant', status: 'skipped', ms: 0, reason: 'needs <a>\u0007' },
    {
      flow: 1,
      step: 'kyc',
      title: 'verify the identity',
      status: 'failed',
      ms: 56,
      error: { code: 'FORBIDDEN', message: 'No "way"\u0001', request_id: 'r1' },
    },
  ])

  for (const text of [
    '<testsuites name="kiraya smoke" tests="3" failures="1" skipped="1" time="1.290">',
    '<testcase name="see the server ready" classname="smoke.1.health" time="1.234"/>',
    '<skipped message="needs &lt;a&gt; "/>',
    '<failure type="FORBIDDEN" message="No &quot;way&quot; ">',
  ])
    expect(xml).toContain(text)
})
