import { afterAll, describe, expect, test } from 'bun:test'
import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freshPhone } from '../support/users'
import { server } from '../support/server'

const it = server()
const homes: string[] = []
afterAll(() => homes.forEach(home => rmSync(home, { recursive: true })))

/** A terminal-less shell in an empty home. */
function shell() {
  const home = mkdtempSync(join(tmpdir(), 'kiraya-cli-'))
  homes.push(home)
  const kiraya = async (
    args: string[],
    { stdin, env = {} }: { stdin?: string; env?: Record<string, string> } = {},
  ) => {
    const run = Bun.spawn(
      [process.execPath, '--no-env-file', join(import.meta.dir, '../../cli/index.ts'), ...args],
      {
        cwd: home,
        env: { PATH: process.env.PATH, HOME: home, KIRAYA_URL: it.url, ...env },
        stdin: stdin === undefined ? 'ignore' : new Blob([stdin]),
        stdout: 'pipe',
        stderr: 'pipe',
      },
    )
    const [out, err] = await Promise.all([new Response(run.stdout).text(), new Response(run.stderr).text()])
    return {
      exit: await run.exited,
      out,
      err,
      get data() {
        return JSON.parse(out)
      },
    }
  }
  return { home, kiraya }
}

async function onboarded() {
  const { home, kiraya } = shell()
  const phone = freshPhone()
  expect(
    (
      await kiraya([
        'onboard',
        '--phone',
        phone,
        '--otp',
        '123456',
        '--first-name',
        'Asha',
        '--last-name',
        'Rao',
        '--email',
        'asha@example.com',
      ])
    ).exit,
  ).toBe(0)
  return { home, kiraya, phone }
}

test('walks from the sign-in to an active agreement', async () => {
  const { kiraya, phone, home } = await onboarded()
  expect((await kiraya(['status'])).data).toMatchObject({ phone, status: 'LOGIN_SUCCESSFUL' })
  expect(statSync(join(home, '.config/kiraya/credentials.json')).mode & 0o777).toBe(0o600)
  expect(statSync(join(home, '.config/kiraya')).mode & 0o777).toBe(0o700)

  const property = (
    await kiraya([
      'property',
      'create',
      '--pin-code',
      '560048',
      '--property-type',
      'apartment',
      '--alias-name',
      'White House',
      '--common-amenities',
      'lift',
      '--common-amenities',
      'pool',
    ])
  ).data
  expect(property).toMatchObject({
    alias_name: 'White House',
    city: 'Bengaluru',
    common_amenities: ['lift', 'pool'],
  })
  const unit = (
    await kiraya(['unit', 'create', String(property.id), '--unit-name', 'A-101', '--is-available', 'true'])
  ).data
  const tenant = (await kiraya(['tenant', 'add', '--phone', freshPhone(), '--first-name', 'Tara'])).data
  const agreement = (
    await kiraya([
      'agreement',
      'create',
      '--unit',
      String(unit.id),
      '--tenant',
      String(tenant.id),
      '--document-url',
      'https://example.com/lease.pdf',
      '--start',
      '2026-12-01',
      '--months',
      '11',
      '--rent',
      '25000',
      '--deposit',
      '100000',
      '--due-day',
      '5',
      '--notice-days',
      '30',
    ])
  ).data
  expect(agreement).toMatchObject({ status: 'DRAFT', rent_amount: 25000, deposit_amount: 100000 })
  for (const signer of [[], ['--signer', String(tenant.id)]]) {
    const { signing_url } = (await kiraya(['agreement', 'sign', String(agreement.id), ...signer])).data
    await fetch(`${signing_url}/sign`, { method: 'POST' })
  }
  expect((await kiraya(['agreement', 'signatures', agreement.agreement_id])).data.allSigned).toBe(true)
  const timeline = (await kiraya(['agreement', 'timeline', String(agreement.id)])).data
  expect([timeline.intact, timeline.events.map(({ type }: { type: string }) => type)]).toEqual([
    true,
    expect.arrayContaining(['created', 'sent', 'signed', 'activated']),
  ])
  expect((await kiraya(['agreement', 'list', '--status', 'ACTIVE', '--json'])).data).toMatchObject([
    { id: agreement.id },
  ])
  expect((await kiraya(['dashboard'])).data.stats.total_tenants).toBe(1)
  expect((await kiraya(['tenant', 'list'])).data).toMatchObject([{ first_name: 'Tara' }])
  expect((await kiraya(['agreement', 'update', String(agreement.id), '--rent', '1'])).exit).toBe(7)
  expect((await kiraya(['unit', 'delete', String(property.id), String(unit.id), '--yes'])).exit).toBe(6)
  expect(
    (await kiraya(['agreement', 'terminate', String(agreement.id), '--reason', 'Moved'])).data.status,
  ).toBe('TERMINATED')
  expect((await kiraya(['agreement', 'complete', String(agreement.id)])).data.status).toBe('COMPLETED')
  expect(
    (
      await kiraya([
        'property',
        'update',
        String(property.id),
        '--landmark',
        'Lake',
        '--clear',
        'common-amenities',
      ])
    ).data,
  ).toMatchObject({ landmark: 'Lake', common_amenities: null })
  expect((await kiraya(['property', 'search', '--name', 'White', '--pin-code', '560048'])).exit).toBe(0)
  expect((await kiraya(['unit', 'list', String(property.id)])).data).toHaveLength(1)
  expect((await kiraya(['property', 'delete', String(property.id), '--yes'])).exit).toBe(0)
  expect((await kiraya(['logout'])).exit).toBe(0)
  expect((await kiraya(['status'])).exit).toBe(4)
})

test('gives out all that is kept, and erases it with a one-time password', async () => {
  const { kiraya, phone, home } = await onboarded()
  const file = join(home, 'me.json')
  expect((await kiraya(['auth', 'export'])).data).toMatchObject({
    user: { phone, first_name: 'Asha' },
    identity_checks: [{ status: 'SUCCESS' }],
  })
  expect((await kiraya(['auth', 'export', '--file', file])).exit).toBe(0)
  expect([(await Bun.file(file).json()).user.phone, statSync(file).mode & 0o777]).toEqual([phone, 0o600])
  expect((await kiraya(['auth', 'erase'])).exit).toBe(2)
  const asked = await kiraya(['auth', 'erase', '--yes'])
  expect([asked.exit, asked.err]).toEqual([0, expect.stringContaining('--otp')])
  expect((await kiraya(['auth', 'erase', '--yes', '--otp', '000000'])).exit).toBe(6)
  expect((await kiraya(['auth', 'erase', '--yes', '--otp', '123456'])).data).toEqual({
    message: expect.any(String),
  })
  expect((await kiraya(['status'])).exit).toBe(4)
})

test('smoke runs the whole job in a session of its own', async () => {
  const { kiraya } = shell()
  const { exit, data } = await kiraya(['smoke', '--json'])
  expect({ exit, steps: data.length, stored: (await kiraya(['status'])).exit }).toEqual({
    exit: 0,
    steps: 16,
    stored: 4,
  })
})

describe('without a terminal', () => {
  test('login sends the OTP, exits 0 and names the next command', async () => {
    const { kiraya } = shell()
    const phone = freshPhone()
    const sent = await kiraya(['login', '--phone', phone])
    expect(sent).toMatchObject({
      exit: 0,
      err: expect.stringContaining(`kiraya login --phone ${phone} --otp`),
    })
    expect((await kiraya(['login', '--phone', phone, '--otp', '123456'])).data).toMatchObject({
      phone,
      status: 'NEEDS_PROFILE_COMPLETION',
    })
    expect((await kiraya(['kyc', 'start'])).exit).toBe(6)
  })

  test('a password comes from stdin alone', async () => {
    const { kiraya, phone } = await onboarded()
    expect(
      (
        await kiraya(
          [
            'profile',
            'complete',
            '--first-name',
            'Asha',
            '--last-name',
            'Rao',
            '--email',
            'a@b.co',
            '--password-stdin',
          ],
          { stdin: 'correct horse\n' },
        )
      ).exit,
    ).toBe(0)
    const other = shell()
    expect(
      (await other.kiraya(['login', '--phone', phone, '--password-stdin'], { stdin: 'wrong horse\n' })).exit,
    ).toBe(4)
    expect(
      (await other.kiraya(['login', '--phone', phone, '--password-stdin'], { stdin: 'correct horse\n' }))
        .exit,
    ).toBe(0)
  })

  test.each([
    [['login'], '--phone'],
    [['onboard', '--phone', '9876543210'], '--otp'],
    [['property', 'delete', '1'], '--yes'],
    [['unit', 'delete', '1', '1'], '--yes'],
    [['agreement', 'delete', '1'], '--yes'],
    [['property', 'create', '--pin-code', '560048'], '--property-type'],
    [['unit', 'create', '1'], '--unit-name'],
    [['tenant', 'add'], '--phone'],
    [['agreement', 'create', '--unit', '1'], '--tenant'],
    [['property', 'create', '--pin-code', 'x', '--property-type', 'pg'], 'whole number'],
    [['unit', 'create', '1', '--unit-name', 'a', '--is-available', 'maybe'], 'true or false'],
    [['property', 'lst'], 'unknown command'],
    [['--nope'], 'unknown option'],
    [['status', '--url', 'ftp://x'], '--url'],
  ])('2: %p says what is wrong with the call', async (args, word) => {
    const { exit, out, err } = await shell().kiraya(args)
    expect({ exit, out }).toEqual({ exit: 2, out: '' })
    expect(err).toContain(word)
  })
})

describe('a failure has an exit code, a reason with the request id, and a next step', () => {
  test('4: not signed in', async () =>
    expect(await shell().kiraya(['property', 'list'])).toMatchObject({
      exit: 4,
      out: '',
      err: expect.stringMatching(/UNAUTHORIZED, request [0-9a-f-]{36}[^]*kiraya login/),
    }))
  test('5: not found', async () =>
    expect(await (await onboarded()).kiraya(['agreement', 'get', '999999'])).toMatchObject({
      exit: 5,
      err: expect.stringContaining('NOT_FOUND'),
    }))
  test('6: invalid', async () =>
    expect(
      await (await onboarded()).kiraya(['property', 'create', '--pin-code', '12', '--property-type', 'pg']),
    ).toMatchObject({ exit: 6, err: expect.stringContaining('pin_code') }))
  test('8: unreachable', async () =>
    expect(await shell().kiraya(['status', '--url', 'http://127.0.0.1:1'])).toMatchObject({
      exit: 8,
      err: expect.stringContaining('NETWORK_ERROR'),
    }))
})

test('a token is shown to the server that gave it and to no other', async () => {
  const { kiraya } = await onboarded()
  let seen: string | null = 'nothing'
  using other = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch: request => (
      (seen = request.headers.get('authorization')),
      Response.json(
        { success: false, data: null, error: { code: 'UNAUTHORIZED', message: 'No' } },
        { status: 401 },
      )
    ),
  })
  expect((await kiraya(['status', '--url', `http://127.0.0.1:${other.port}`])).exit).toBe(4)
  expect(seen).toBeNull()
})

test('several sign-ins are kept apart by --profile, and KIRAYA_TOKEN stands in for them', async () => {
  const { kiraya } = shell()
  const [one, two] = [freshPhone(), freshPhone()]
  for (const [profile, phone] of [
    ['one', one],
    ['two', two],
  ] as const)
    for (const otp of [[], ['--otp', '123456']])
      await kiraya(['login', '--profile', profile, '--phone', phone, ...otp])
  expect((await kiraya(['status', '--profile', 'one'])).data.phone).toBe(one)
  expect((await kiraya(['--profile', 'two', 'status'])).data.phone).toBe(two)
  expect((await kiraya(['status'], { env: { KIRAYA_TOKEN: 'not.a.token' } })).exit).toBe(4)
})

test('help has examples and exits 0', async () => {
  const { kiraya } = shell()
  expect(await kiraya(['--help'])).toMatchObject({ exit: 0, out: expect.stringContaining('kiraya onboard') })
  expect(await kiraya(['agreement', 'create', '--help'])).toMatchObject({
    exit: 0,
    out: expect.stringContaining('--due-day'),
  })
})
