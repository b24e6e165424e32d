import { describe, expect, test } from 'bun:test'
import { chmodSync } from 'node:fs'
import { join } from 'node:path'
import manifest from '../../cli/package.json'
import { createStubServer, dataResponse, errorResponse } from '../sdk/stub-server'
import { testServer } from '../support/server'
import { freshPhone } from '../support/users'
import { runAsPerson } from './pty'
import { createActiveLease, createLandlordShell, createLease, createShell, OTP } from './shell'

const server = testServer()

test('--version is that of the package', async () => {
  using shell = createShell(server.url)
  expect((await shell.kiraya('--version')).out).toBe(`${manifest.version}\n`)
})

describe('api', () => {
  test('sends fields as JSON, and reads a query and every page of a list', async () => {
    using shell = await createLandlordShell(server.url)
    const tenant = await shell.kiraya(`api post tenants -f phone_number=${freshPhone()} -F first_name=Tara`)
    expect(tenant.data.data.first_name).toBe('Tara')
    for (const name of ['A', 'B', 'C'])
      await shell.kiraya(`api POST /properties -F pin_code=560048 -f property_type=pg -f alias_name=${name}`)

    const first = await shell.kiraya('api GET /properties -F limit=1 -F sort=id')
    const all = await shell.kiraya('api GET /properties?limit=1&sort=id --paginate --query [].alias_name')

    expect(first.data).toMatchObject({ data: [{ alias_name: 'A' }], metadata: { total: 3 } })
    expect(all.data).toEqual(['A', 'B', 'C'])
  })

  test('takes a body from stdin or a file', async () => {
    using shell = await createLandlordShell(server.url)
    const body = JSON.stringify({ phone_number: freshPhone() })
    await Bun.write(join(shell.home, 'tenant.json'), body)

    const piped = await shell.kiraya('api POST /tenants --input -', { stdin: body })
    const read = await shell.kiraya('api POST /tenants --input tenant.json')

    expect(piped.data.data.id).toBe(read.data.data.id)
  })

  test.each([
    [4, 'GET /properties'],
    [5, 'GET /nothing'],
    [6, 'POST /auth/send-otp -f phone_number=1'],
  ])('%d: %s prints the error', async (exitCode, request) => {
    using shell = createShell(server.url)
    const result = await shell.kiraya(`api ${request}`)
    expect([result.exitCode, result.data.success]).toEqual([exitCode, false])
  })
})

describe('wait agreement', () => {
  test('ends with the status, or with 9 after its time, or with 7 if it cannot come', async () => {
    using shell = await createLandlordShell(server.url)
    const { draft } = await createActiveLease(shell, server.url)

    const active = await shell.kiraya(`wait agreement ${draft.agreement_number} --status active`)
    const late = await shell.kiraya(`wait agreement ${draft.id} --status terminated --timeout 1ms`)
    const past = await shell.kiraya(`wait agreement ${draft.id} --status pending`)

    expect([active.exitCode, active.data.status]).toEqual([0, 'ACTIVE'])
    expect([late.exitCode, late.err]).toEqual([9, 'The agreement is still ACTIVE\n'])
    expect([past.exitCode, past.err]).toEqual([
      7,
      'The agreement is ACTIVE and cannot become PENDING any more\n',
    ])
  })
})

describe('open', () => {
  test('prints the address, and opens it in the browser of a person', async () => {
    using shell = await createLandlordShell(server.url)
    const { draft } = await createLease(shell, server.url)

    const signing = await shell.kiraya(`open signing ${draft.id} --query url`)
    expect(signing.out).toStartWith(`${server.url}/sandbox/sign/`)

    const opened = join(shell.home, 'opened')
    const browser = join(shell.home, 'browser')
    await Bun.write(browser, `#!/bin/sh\necho "$1" > ${opened}.part && mv ${opened}.part ${opened}\n`)
    chmodSync(browser, 0o755)
    const person = runAsPerson('open docs', { url: server.url, home: shell.home, env: { BROWSER: browser } })
    expect((await person.end()).text.trim()).toBe(`${server.url}/docs`)
    while (!(await Bun.file(opened).exists())) await Bun.sleep(20)
    expect(await Bun.file(opened).text()).toBe(`${server.url}/docs\n`)
  })
})

describe('doctor', () => {
  test('finds everything in order, and then a sign-in file that others can read', async () => {
    using shell = await createLandlordShell(server.url)

    const healthy = await shell.kiraya('doctor')
    expect(healthy.exitCode).toBe(0)
    const results = healthy.data.map(({ check, result }: Record<string, string>) => [check, result])
    expect(results).toEqual([
      ['server', 'ok'],
      ['version', 'ok'],
      ['clock', 'ok'],
      ['sign-in', 'ok'],
      ['sign-in file', 'ok'],
      ['runtime', 'ok'],
      ['environment', 'ok'],
    ])

    chmodSync(join(shell.home, '.config/kiraya/credentials.json'), 0o644)
    const open = await shell.kiraya('doctor')
    expect([open.exitCode, open.err]).toEqual([1, 'Failed: sign-in file\n'])
  })

  test('names settings without their values, and a server that is not there', async () => {
    using shell = createShell('http://127.0.0.1:1')
    const { exitCode, out, err } = await shell.kiraya('doctor', { env: { KIRAYA_OPS_TOKEN: 'a-secret' } })
    expect([exitCode, err]).toEqual([1, 'Failed: server, version, clock\n'])
    expect(out).toContain('KIRAYA_OPS_TOKEN')
    expect(out).not.toContain('a-secret')
  })
})

test('profile list, use and remove manage the stored sign-ins', async () => {
  using shell = createShell(server.url)
  const phones = { one: freshPhone(), two: freshPhone() }
  for (const [profile, phone] of Object.entries(phones)) {
    await shell.kiraya(`login --profile ${profile} --phone ${phone}`)
    await shell.kiraya(`login --profile ${profile} --phone ${phone} --otp ${OTP}`)
  }

  const used = await shell.kiraya('profile use two')
  const status = await shell.kiraya('status')
  const overridden = await shell.kiraya('profile use two', { env: { KIRAYA_PROFILE: 'one' } })
  const list = await shell.kiraya('profile list')
  const removed = await shell.kiraya('profile remove two')
  const after = await shell.kiraya('profile list')
  const unknown = await shell.kiraya('profile use three')

  expect([used.exitCode, status.data.phone]).toEqual([0, phones.two])
  expect(overridden.data).toEqual({ profile: 'two', current: false })
  expect(overridden.err).toBe('KIRAYA_PROFILE is set: commands go on using one\n')
  expect(list.data).toEqual([
    { profile: 'one', phone: phones.one, url: server.url, current: false },
    { profile: 'two', phone: phones.two, url: server.url, current: true },
  ])
  expect([removed.exitCode, after.data.length]).toEqual([0, 1])
  expect([unknown.exitCode, unknown.err]).toEqual([5, 'No sign-in is stored as three; there are one\n'])
})

describe('--dry-run', () => {
  test('shows the request without its secrets, and changes nothing', async () => {
    using shell = await createLandlordShell(server.url)
    await shell.kiraya('property create --pin-code 560048 --property-type pg --alias-name Lake')

    const shown = await shell.kiraya('property delete Lake --dry-run')
    const { data: properties } = await shell.kiraya('property list')

    const headers = expect.objectContaining({ authorization: 'Bearer …' })
    const url = `${server.url}/properties/${properties[0].id}`
    expect([shown.exitCode, shown.data]).toEqual([0, { method: 'DELETE', url, headers }])
    const login = await shell.kiraya(`login --phone ${shell.phone} --password-stdin --dry-run`, {
      stdin: 'correct horse',
    })
    expect(login.data.body).toEqual({ phone_number: shell.phone, password: '…' })
  })
})

test('--verbose reports each request on stderr, without tokens', async () => {
  using shell = await createLandlordShell(server.url)
  const { out, err } = await shell.kiraya('property list --verbose')
  expect(out).toBe('[]\n')
  expect(err).toMatch(/^> GET http:\S+\/properties\n< 200, request [\da-f-]{36}, \d+ ms\n$/)
})

describe('a hint', () => {
  test('names the runner and the profile that were used', async () => {
    using shell = createShell(server.url)
    const env = { npm_command: 'exec', npm_lifecycle_event: 'npx' }
    const { err } = await shell.kiraya('property list --profile two', { env })
    expect(err).toEndWith('Sign in: npx kiraya --profile two login --phone <number>\n')
  })
})

test('a request that lasts over a second shows its progress at a terminal alone', async () => {
  const release = Promise.withResolvers<void>()
  using slow = createStubServer(async () => {
    await release.promise
    return dataResponse({ user: { phone: '9876543210' }, status: 'LOGIN_SUCCESSFUL' })()
  })
  using shell = createShell(slow.url)
  const person = runAsPerson('status', { url: slow.url, home: shell.home })

  await person.read('Waiting for the server')
  release.resolve()

  expect((await person.end()).raw).toContain('\r\u001b[K')
})

test('an error is JSON on stderr with --json', async () => {
  using refusing = createStubServer(errorResponse(403, 'FORBIDDEN'))
  using shell = createShell(refusing.url)
  const refused = await shell.kiraya('property get 1 --json id')
  const wrong = await shell.kiraya('property lst --json')

  expect([refused.exitCode, refused.out]).toEqual([7, ''])
  const { error } = JSON.parse(refused.err)
  expect(error).toEqual({ code: 'FORBIDDEN', message: 'No', request_id: 'r1', exit_code: 7 })
  expect([wrong.exitCode, JSON.parse(wrong.err).error.code]).toEqual([2, 'USAGE'])
})
