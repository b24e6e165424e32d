import { afterEach, expect, test } from 'bun:test'
import { join } from 'node:path'
import { toJunitXml } from '../../cli/smoke/junit'
import { Property, User } from '../../db/entities'
import { createSandboxClient } from '../../sdk/sandbox'
import { testServer } from '../support/server'
import { createShell } from './shell'

const server = testServer()
afterEach(() => createSandboxClient({ baseUrl: server.url }).clearFailures())

async function countRemains() {
  const em = server.em()
  return {
    users: await em.count(User, { is_active: true }),
    properties: await em.count(Property, { is_active: true }),
  }
}

test('smoke waits for webhooks, passes, leaves the stored sign-in alone and removes what it made', async () => {
  using shell = createShell(server.url)
  await shell.getData('sandbox failure add esign late --delay 100ms --times 1')

  const smoke = await shell.kiraya('smoke')

  expect(smoke.exitCode).toBe(0)
  expect(smoke.out).toMatch(/^sign in a landlord +\d+ ms$/m)
  expect(smoke.err).toContain('All 22 steps passed')
  expect((await shell.kiraya('status')).exitCode).toBe(4)
  expect(await countRemains()).toEqual({ users: 0, properties: 0 })
})

test('8: a server that cannot be reached is a failed first step, and no old report stays', async () => {
  using shell = createShell('http://127.0.0.1:1')
  const file = join(shell.home, 'smoke.xml')
  await Bun.write(file, '<testsuites failures="0"/>')

  const dryRun = await shell.kiraya('smoke --junit smoke.xml --dry-run')
  expect([dryRun.exitCode, await Bun.file(file).text()]).toEqual([0, '<testsuites failures="0"/>'])
  expect(dryRun.data).toMatchObject({
    steps: expect.arrayContaining(['sign in a landlord', 'complete the agreement']),
    dry_run: true,
  })
  const smoke = await shell.kiraya('smoke --junit smoke.xml --json')

  expect(smoke.exitCode).toBe(8)
  expect(smoke.data).toMatchObject({ passed: false, failed_step: 'see the server ready' })
  expect(smoke.data.steps).toMatchObject([
    { status: 'failed', error: { code: 'NETWORK_ERROR' } },
    { step: 'clean up', status: 'passed' },
  ])
  expect(await Bun.file(file).text()).toContain('<failure type="NETWORK_ERROR"')
})

test('a JUnit report has seconds, reasons and failures, without what XML forbids', async () => {
  const xml = await toJunitXml([
    { step: 'see the server ready', status: 'passed', ms: 1_234 },
    { step: 'create a tenant', status: 'skipped', ms: 0, reason: 'needs <a>\u0007' },
    {
      step: 'verify the identity',
      status: 'failed',
      ms: 56,
      error: { code: 'FORBIDDEN', message: 'No "way"\u0001', request_id: 'r1' },
    },
  ])

  for (const text of [
    '<testsuites name="kiraya smoke" tests="3" failures="1" skipped="1" time="1.290">',
    '<testcase name="see the server ready" classname="kiraya.smoke" time="1.234"/>',
    '<skipped message="needs &lt;a&gt; "/>',
    '<failure type="FORBIDDEN" message="No &quot;way&quot; ">',
  ])
    expect(xml).toContain(text)
})
