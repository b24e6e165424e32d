import { describe, expect, test } from 'bun:test'
import { createClient } from '../../sdk'
import { fetchChecked } from '../support/description'
import { testServer } from '../support/server'
import { freshPhone } from '../support/users'
import { createShell, OTP } from './shell'

const SANDBOX_TOKEN = 'the token of the sandbox'
const server = testServer({ env: { SANDBOX_EKYC: 'manual' } })
const guardedServer = testServer({ env: { SANDBOX_TOKEN } })

async function createUser() {
  const client = createClient({ fetch: fetchChecked, baseUrl: server.url })
  const phone = freshPhone()
  await client.auth.sendOtp(phone)
  const { user } = await client.auth.verify(phone, OTP)
  return { client, phone, id: user.id }
}

/** An agreement whose tenant has been asked to sign. */
async function createSigning() {
  const landlord = await createUser()
  const tenant = await createUser()
  const property = await landlord.client.properties.create({
    pin_code: 560048,
    property_type: 'apartment',
    property_units: [{ unit_name: 'A-101' }],
  })
  const agreement = await landlord.client.agreements.create({
    property_unit_id: property.property_units[0]!.id,
    tenant_ids: [tenant.id],
    document_url: 'https://example.com/lease.pdf',
    agreement_start_date: '2026-12-01',
    tenure_in_months: 11,
    rent_amount: 25000,
    rent_due_day: 5,
    notice_period_days: 30,
  })
  const { signing_url } = await landlord.client.agreements.sign(agreement.id, { signer_id: tenant.id })
  const getStatus = async () => {
    const { signatures } = await landlord.client.agreements.signatures(agreement.id)
    return signatures[0]!.status
  }
  return { url: signing_url, requestId: signing_url.split('/').pop()!, getStatus }
}

test('fault rules are added, listed, removed and cleared', async () => {
  using shell = createShell(server.url)

  const late = await shell.kiraya(
    'sandbox fault add Esign LATE --delay 90s --times 2 --match somebody --json',
  )
  expect(late.exitCode).toBe(0)
  expect(late.data).toEqual({
    id: expect.any(String),
    provider: 'esign',
    on: 'any',
    behaviour: 'late',
    times: 2,
    delay_ms: 90_000,
    status: null,
    retry_after_s: null,
    match: 'somebody',
  })
  const error = await shell.kiraya('sandbox fault add esign error --on create --status 503 --retry-after 5')
  expect(error.data).toMatchObject({ on: 'create', status: 503, retry_after_s: 5 })
  const list = await shell.kiraya('sandbox fault list')
  expect(list.data).toEqual([late.data, error.data])

  const removal = await shell.kiraya(`sandbox fault remove ${late.data.id}`)
  expect(removal.exitCode).toBe(0)
  const state = await shell.kiraya('sandbox state')
  expect(state.data.faults).toEqual([error.data])
  const repeatedRemoval = await shell.kiraya(`sandbox fault remove ${late.data.id}`)
  expect(repeatedRemoval.exitCode).toBe(5)

  const clearing = await shell.kiraya('sandbox fault clear')
  expect(clearing.exitCode).toBe(0)
  const emptyList = await shell.kiraya('sandbox fault list')
  expect(emptyList.data).toEqual([])
})

test('the clock is advanced, set and reset', async () => {
  using shell = createShell(server.url)

  const advanced = await shell.kiraya('sandbox clock advance 1.5h')
  expect(advanced.data.offset_ms).toBe(5_400_000)
  const set = await shell.kiraya('sandbox clock set 2027-01-01T09:00:00+05:30')
  expect(set.data.now).toStartWith('2027-01-01T03:30:0')
  const reset = await shell.kiraya('sandbox clock reset')
  expect(reset.data.offset_ms).toBe(0)
})

describe('a signing request', () => {
  test('is failed and signed by its id or address, and then closed', async () => {
    using shell = createShell(server.url)
    const { url, requestId, getStatus } = await createSigning()

    const failedOtp = await shell.kiraya(`sandbox fail-otp ${requestId}`)
    expect(failedOtp.data).toMatchObject({ id: requestId, error: 'invaild_otp' })
    const signed = await shell.kiraya(`sandbox sign ${url}/`)
    expect(signed.data).toMatchObject({ id: requestId, status: 'signed' })

    expect(await getStatus()).toBe('signed')
    const closed = await shell.kiraya(`sandbox expire ${requestId}`)
    expect(closed.exitCode).toBe(6)
  })

  test('is declined', async () => {
    using shell = createShell(server.url)
    const { url, getStatus } = await createSigning()

    const declined = await shell.kiraya(`sandbox decline ${url}`)

    expect(declined.data).toMatchObject({ status: 'declined', error: 'signer_declined' })
    expect(await getStatus()).toBe('declined')
  })

  test('is expired', async () => {
    using shell = createShell(server.url)
    const { url, getStatus } = await createSigning()

    const expired = await shell.kiraya(`sandbox expire ${url}`)

    expect(expired.data).toMatchObject({ status: 'expired' })
    expect(await getStatus()).toBe('expired')
  })

  test('5: does not exist', async () => {
    using shell = createShell(server.url)
    const { exitCode } = await shell.kiraya(`sandbox sign ${crypto.randomUUID()}`)
    expect(exitCode).toBe(5)
  })
})

const checkOutcomes: [command: string, status: string, isVerified: boolean][] = [
  ['approve-kyc', 'SUCCESS', true],
  ['fail-kyc', 'ERROR', false],
]
test.each(checkOutcomes)('%s ends an identity check with %s', async (command, status, isVerified) => {
  using shell = createShell(server.url)
  const { client } = await createUser()
  await client.profile.complete({ first_name: 'A', last_name: 'B', email: 'a@b.co' })
  const { verification_url } = await client.profile.startKyc()

  const check = await shell.kiraya(`sandbox ${command} ${verification_url}`)

  expect(check.data).toMatchObject({ status })
  const { user } = await client.auth.me()
  expect(user.has_verified_profile).toBe(isVerified)
})

test('messages are listed by phone number', async () => {
  using shell = createShell(server.url)
  const { phone } = await createUser()

  const messages = await shell.kiraya(`sandbox messages --phone ${phone}`)

  expect(messages.data).toMatchObject([{ phone, otp: OTP }])
})

test('KIRAYA_SANDBOX_TOKEN opens a sandbox that has a token', async () => {
  using shell = createShell(guardedServer.url)

  const withoutToken = await shell.kiraya('sandbox state')
  const withToken = await shell.kiraya('sandbox state', { env: { KIRAYA_SANDBOX_TOKEN: SANDBOX_TOKEN } })
  const response = await fetch(`${guardedServer.url}/sandbox/control`)

  expect([withoutToken.exitCode, withToken.exitCode, response.status]).toEqual([4, 0, 401])
})

const wrongCommandLines: [exitCode: number, commandLine: string][] = [
  [2, 'fault add esign'],
  [2, 'fault add esign late --delay soon'],
  [2, 'clock advance 5'],
  [2, 'sign'],
  [2, 'clock'],
  [6, 'fault add x late'],
  [6, 'fault add esign x'],
  [6, 'clock set tomorrow'],
  [6, 'messages --phone 1'],
]
test.each(wrongCommandLines)('%d: sandbox %s', async (expectedExitCode, commandLine) => {
  using shell = createShell(server.url)
  const { exitCode } = await shell.kiraya(`sandbox ${commandLine}`)
  expect(exitCode).toBe(expectedExitCode)
})

test('sandbox --help lists every command', async () => {
  using shell = createShell(server.url)
  const { out } = await shell.kiraya('sandbox --help')
  for (const command of [
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
    expect(out).toContain(`  ${command}`)
})

const commandsWithExamples = ['sign', 'expire', 'approve-kyc', 'fault add', 'clock advance', 'messages']
test.each(commandsWithExamples)('sandbox %s --help has an example', async command => {
  using shell = createShell(server.url)
  const { out } = await shell.kiraya(`sandbox ${command} --help`)
  expect(out).toContain('Example')
})
