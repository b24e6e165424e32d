import { afterEach, expect, test } from 'bun:test'
import { join } from 'node:path'
import { selectSteps } from '../../cli/smoke/steps'
import { Property, User } from '../../db/entities'
import { createSandboxClient } from '../../sdk/sandbox'
import { realProviders } from '../support/providers'
import { startSecondInstance, testServer } from '../support/server'
import { createLandlord } from '../support/users'
import { createShell } from './shell'

const server = testServer()
afterEach(() => createSandboxClient({ baseUrl: server.url }).clearFaults())

type Step = { flow: number; step: string; status: string; error?: { code: string; request_id: string } }
const toNames = (steps: Step[]) => steps.map(({ step }) => step)

async function countRemains() {
  const em = server.em()
  return {
    users: await em.count(User, { is_active: true }),
    properties: await em.count(Property, { is_active: true }),
  }
}

test('smoke passes, leaves the stored sign-in alone and removes its users and records', async () => {
  using shell = createShell(server.url)

  const smoke = await shell.kiraya('smoke --json')
  const status = await shell.kiraya('status')

  expect(smoke.exitCode).toBe(0)
  expect(smoke.data).toMatchObject({ passed: true, failed_step: null })
  expect(smoke.data.steps).toHaveLength(24)
  expect(smoke.data.steps.every((step: Step) => step.status === 'passed')).toBe(true)
  expect(status.exitCode).toBe(4)
  expect(await countRemains()).toEqual({ users: 0, properties: 0 })
})

test('smoke waits for the webhooks of the signatures', async () => {
  using shell = createShell(server.url)
  await shell.kiraya('sandbox fault add esign late --delay 1s --times 50')

  const smoke = await shell.kiraya('smoke --only active --json')

  expect(smoke.data).toMatchObject({ passed: true, failed_step: null })
})

test('--json and --junit name the failed step and its error, and what was made is removed', async () => {
  using shell = createShell(server.url)
  await shell.kiraya('sandbox fault add esign error --on create --times 50 --status 400')

  const smoke = await shell.kiraya('smoke --only sign-landlord --junit smoke.xml --json')
  const report = await Bun.file(join(shell.home, 'smoke.xml')).text()

  expect(smoke.exitCode).toBe(8)
  expect(smoke.data).toMatchObject({ passed: false, failed_step: 'sign-landlord' })
  const [failed, cleanUp] = smoke.data.steps.slice(-2)
  expect(failed).toMatchObject({ status: 'failed', error: { code: 'SERVICE_UNAVAILABLE' } })
  expect(failed.error.request_id).toMatch(/\S/)
  expect(report).toContain('<failure type="SERVICE_UNAVAILABLE"')
  expect(cleanUp).toMatchObject({ step: 'clean-up', status: 'passed' })
  expect(await countRemains()).toEqual({ users: 0, properties: 0 })
})

test('a server that cannot be reached is a failed health step in every report, and no old report stays', async () => {
  using shell = createShell('http://127.0.0.1:1')
  const file = join(shell.home, 'smoke.xml')
  await Bun.write(file, '<testsuites failures="0"/>')

  const smoke = await shell.kiraya('smoke --only dashboard --junit smoke.xml --json')
  const report = await Bun.file(file).text()

  expect(smoke.exitCode).toBe(8)
  expect(smoke.data).toMatchObject({ passed: false, failed_step: 'health' })
  expect(smoke.data.steps).toMatchObject([{ step: 'health', error: { code: 'NETWORK_ERROR' } }])
  expect(report).toContain('<failure type="NETWORK_ERROR"')
})

test('without a terminal the steps are listed for people, and --json prints them for programs', async () => {
  using shell = createShell(server.url)

  const smoke = await shell.kiraya('smoke --only dashboard')

  expect(smoke.exitCode).toBe(0)
  expect(smoke.out.split('\n')[0]).toMatch(/^sign in a landlord +\d+ ms$/)
  expect(smoke.err).toContain('All 5 steps passed')
})

test('--dry-run names the steps, sends nothing and keeps the report of an earlier run', async () => {
  using shell = createShell('http://127.0.0.1:1')
  const file = join(shell.home, 'smoke.xml')
  await Bun.write(file, 'earlier')

  const smoke = await shell.kiraya('smoke --only dashboard --junit smoke.xml --dry-run')

  expect(smoke).toMatchObject({ exitCode: 0, err: '' })
  expect(smoke.data).toEqual({ steps: ['sign-in', 'profile', 'kyc', 'dashboard'], dry_run: true })
  expect(await Bun.file(file).text()).toBe('earlier')
})

test('--only runs the named steps with those that they need', async () => {
  using shell = createShell(server.url)

  const smoke = await shell.kiraya('smoke --only dashboard,tenant --json')
  const unknown = await shell.kiraya('smoke --only dashbord')

  expect(toNames(smoke.data.steps)).toEqual(['sign-in', 'profile', 'kyc', 'dashboard', 'tenant', 'clean-up'])
  expect(unknown.exitCode).toBe(2)
  expect(unknown.err).toContain('dashboard')
})

test('each step can be selected alone: the steps before it make what it reads', () => {
  const selectNames = (name: string): string[] => selectSteps(name).map(step => step.name)

  for (const name of ['document', 'certificate', 'end'])
    expect(selectNames(name)).toEqual([...selectNames('active'), name])
})

test('--only payment leaves a lease and its deposit, which the clean-up ends and takes back', async () => {
  using shell = createShell(server.url)

  const smoke = await shell.kiraya('smoke --only payment,delete --json')

  expect(smoke.exitCode).toBe(0)
  expect(smoke.data.steps.at(-2)).toMatchObject({ step: 'delete', status: 'skipped' })
  expect(await countRemains()).toEqual({ users: 0, properties: 0 })
})

test('what people read of flows in parallel begins with the number of the flow', async () => {
  using shell = createShell(server.url)

  const alone = await shell.kiraya('smoke --only property')
  const smoke = await shell.kiraya('smoke --parallel 3 --only property')

  expect(alone.out).not.toContain('[')
  const prefixes = smoke.out.split('\n').map(line => /^\[\d\] (?=[a-z])/.exec(line)?.[0])
  expect(prefixes.toSorted()).toEqual(['[1] ', '[2] ', '[3] '].flatMap(prefix => [prefix, prefix, prefix]))
})

test('the clean-up deletes a draft itself, before the property that it is of', async () => {
  using shell = createShell(server.url)

  const smoke = await shell.kiraya('smoke --only agreement --verbose')

  expect(smoke.exitCode).toBe(0)
  const paths = [...smoke.err.matchAll(/DELETE (\S+)/g)].map(([, path]) => path!)
  const nouns = paths.map(path => /^(?:https?:\/\/[^/]+)?\/(\w+)/.exec(path)?.[1])
  expect(nouns).toEqual(['agreements', 'properties', 'auth', 'auth'])
})

test('--parallel runs whole flows, and --junit reports each in a suite', async () => {
  using shell = createShell(server.url)

  const smoke = await shell.kiraya('smoke --parallel 3 --only property --junit smoke.xml --json')
  const report = await Bun.file(join(shell.home, 'smoke.xml')).text()

  expect(smoke.exitCode).toBe(0)
  expect(smoke.data.steps.map(({ flow }: Step) => flow)).toEqual([1, 1, 1, 2, 2, 2, 3, 3, 3])
  expect(report).toStartWith('<?xml version="1.0" encoding="UTF-8"?>')
  expect(report).toContain('<testsuites name="kiraya smoke" tests="9" failures="0" skipped="0"')
  expect(report.match(/<testcase /g)).toHaveLength(9)
  expect(report).toContain('classname="smoke.3.property"')
})

test('without the sandbox smoke uses the sign-in, if any, and says what it skips', async () => {
  const real = await startSecondInstance(server, realProviders)
  const landlord = await createLandlord(server)
  using shell = createShell(real.url)

  const signedOut = await shell.kiraya('smoke --json')
  const signedIn = await shell.kiraya('smoke --json', { env: { KIRAYA_TOKEN: landlord.token } })
  await real.stop()

  expect([signedOut.exitCode, signedIn.exitCode]).toEqual([0, 0])
  expect(selectPassed(signedOut.data.steps)).toEqual(['health', 'clean-up'])
  expect(selectPassed(signedIn.data.steps)).toEqual([
    'health',
    'sign-in',
    'profile',
    'kyc',
    'dashboard',
    'property',
    'delete',
    'clean-up',
  ])
  const signing = signedIn.data.steps.find(({ step }: Step) => step === 'sign-landlord')
  expect(signing).toMatchObject({ status: 'skipped', reason: 'needs the step agreement' })
  expect(await countRemains()).toEqual({ users: 1, properties: 0 })
})

test('--otp makes users of its own, also where there is no sandbox', async () => {
  const provider = createOtpProvider()
  const real = await startSecondInstance(server, { ...realProviders, MSG91_API_URL: provider.url.href })
  using shell = createShell(real.url)

  const smoke = await shell.kiraya('smoke --otp 000000 --json')
  await Promise.all([real.stop(), provider.stop(true)])

  expect(smoke.data).toMatchObject({ passed: false, failed_step: 'sign-in' })
  const failed = smoke.data.steps.find(({ step }: Step) => step === 'sign-in')
  expect(failed).toMatchObject({ status: 'failed', error: { code: 'UNAUTHORIZED' } })
  expect(smoke.exitCode).toBe(4)
})

const createOtpProvider = () => Bun.serve({ port: 0, fetch: () => Response.json({ type: 'success' }) })

const selectPassed = (steps: Step[]) => toNames(steps.filter(({ status }) => status === 'passed'))
