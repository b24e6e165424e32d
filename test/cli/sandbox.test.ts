import { expect, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sendRequest, signInUser } from '../support/users'
import { server } from '../support/server'
import { getSignature, startSigning } from '../server/sandbox/provider'

const TOKEN = 'the token of the sandbox'
const it = server({ env: { SANDBOX_EKYC: 'manual' } })
const guarded = server({ env: { SANDBOX_TOKEN: TOKEN } })

async function kiraya(args: string[], env: Record<string, string> = {}) {
  const home = mkdtempSync(join(tmpdir(), 'kiraya-cli-'))
  try {
    const run = Bun.spawn(
      [process.execPath, '--no-env-file', join(import.meta.dir, '../../cli/index.ts'), 'sandbox', ...args],
      {
        cwd: home,
        env: { PATH: process.env.PATH, HOME: home, KIRAYA_URL: it.url, ...env },
        stdin: 'ignore',
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
  } finally {
    rmSync(home, { recursive: true })
  }
}

test('faults are added, listed, taken back and cleared', async () => {
  const added = await kiraya([
    'fault',
    'add',
    'esign',
    'late',
    '--delay',
    '90s',
    '--times',
    '2',
    '--match',
    'somebody',
    '--json',
  ])
  expect([added.exit, added.data]).toEqual([
    0,
    {
      id: expect.any(String),
      provider: 'esign',
      on: 'any',
      behaviour: 'late',
      times: 2,
      delay_ms: 90_000,
      status: null,
      retry_after_s: null,
      match: 'somebody',
    },
  ])
  const other = (
    await kiraya([
      'fault',
      'add',
      'esign',
      'error',
      '--on',
      'create',
      '--status',
      '503',
      '--retry-after',
      '5',
    ])
  ).data
  expect(other).toMatchObject({ on: 'create', status: 503, retry_after_s: 5 })
  expect((await kiraya(['fault', 'list'])).data).toEqual([added.data, other])
  expect((await kiraya(['fault', 'remove', added.data.id])).exit).toBe(0)
  expect((await kiraya(['state'])).data.faults).toEqual([other])
  expect((await kiraya(['fault', 'remove', added.data.id])).exit).toBe(5)
  expect((await kiraya(['fault', 'clear'])).exit).toBe(0)
  expect((await kiraya(['fault', 'list'])).data).toEqual([])
})

test('the clock is moved on, set and set back', async () => {
  expect((await kiraya(['clock', 'advance', '1.5h'])).data.offset_ms).toBe(5_400_000)
  expect((await kiraya(['clock', 'set', '2027-01-01T09:00:00+05:30'])).data.now).toStartWith(
    '2027-01-01T03:30:0',
  )
  expect((await kiraya(['clock', 'reset'])).data.offset_ms).toBe(0)
})

test('a signer signs, by the address or its id; another declines; what is closed is refused', async () => {
  const one = await startSigning(it)
  const other = await startSigning(it)
  expect((await kiraya(['fail-otp', one.id])).data).toMatchObject({ id: one.id, error: 'invaild_otp' })
  expect((await kiraya(['sign', `${one.address}/`])).data).toMatchObject({ id: one.id, status: 'signed' })
  expect((await kiraya(['decline', other.address])).data.error).toBe('signer_declined')
  expect([(await getSignature(one)).status, (await getSignature(other)).status]).toEqual([
    'signed',
    'declined',
  ])
  const [closed, unknown] = [await kiraya(['expire', one.id]), await kiraya(['sign', crypto.randomUUID()])]
  expect([closed.exit, unknown.exit]).toEqual([6, 5])
})

for (const [verb, status] of [
  ['approve-kyc', 'SUCCESS'],
  ['fail-kyc', 'ERROR'],
] as const) {
  test(`${verb} settles an identity check`, async () => {
    const person = await signInUser(it.url)
    await person.call('PUT', '/profile/complete', { first_name: 'A', last_name: 'B', email: 'a@b.co' })
    const {
      body: { data },
    } = await person.call('POST', '/profile/ekyc', {})
    expect((await kiraya([verb, data.verification_url])).data).toMatchObject({ status })
    expect((await person.call('GET', '/auth/me')).body.data.user.has_verified_profile).toBe(
      status === 'SUCCESS',
    )
  })
}

test('messages of a phone', async () => {
  const { phone } = await signInUser(it.url)
  expect((await kiraya(['messages', '--phone', phone])).data).toMatchObject([{ phone, otp: '123456' }])
  expect((await kiraya(['messages', '--phone', '1'])).exit).toBe(6)
})

test('KIRAYA_SANDBOX_TOKEN opens a guarded sandbox; without it the exit code says so', async () => {
  expect((await kiraya(['state'], { KIRAYA_URL: guarded.url })).exit).toBe(4)
  expect((await kiraya(['state'], { KIRAYA_URL: guarded.url, KIRAYA_SANDBOX_TOKEN: TOKEN })).exit).toBe(0)
  expect((await sendRequest(guarded.url, 'GET', '/sandbox/control')).status).toBe(401)
})

for (const args of [
  ['fault', 'add', 'esign'],
  ['fault', 'add', 'esign', 'late', '--delay', 'soon'],
  ['clock', 'advance', '5'],
  ['sign'],
  ['clock'],
])
  test(`2: ${args.join(' ')}`, async () => expect((await kiraya(args)).exit).toBe(2))
for (const args of [
  ['fault', 'add', 'x', 'late'],
  ['fault', 'add', 'esign', 'x'],
  ['clock', 'set', 'tomorrow'],
])
  test(`6: ${args.join(' ')}`, async () => expect((await kiraya(args)).exit).toBe(6))

test('every command has a help with an example where it takes something', async () => {
  const { out } = await kiraya(['--help'])
  for (const verb of [
    'state',
    'messages',
    'fault',
    'clock',
    'sign',
    'decline',
    'fail-otp',
    'expire',
    'approve-kyc',
    'fail-kyc',
  ])
    expect(out).toContain(`  ${verb}`)
  for (const args of [
    ['sign'],
    ['expire'],
    ['approve-kyc'],
    ['fault', 'add'],
    ['clock', 'advance'],
    ['messages'],
  ])
    expect([args, (await kiraya([...args, '--help'])).out]).toEqual([
      args,
      expect.stringContaining('Example'),
    ])
})
