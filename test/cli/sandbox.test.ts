import { afterAll, beforeAll, expect, test } from 'bun:test'
import { createClient } from '../../sdk'
import { fetchChecked } from '../support/description'
import { startSecondInstance, testServer } from '../support/server'
import { createDraft, freshPhone, signInUser } from '../support/users'
import { createShell, OTP, type Shell } from './shell'

const server = testServer({ env: { SANDBOX_EKYC: 'manual' } })
let shell: Shell
beforeAll(() => {
  shell = createShell(server.url)
})
afterAll(() => shell[Symbol.dispose]())

test('fault rules are added, listed and cleared', async () => {
  const late = await shell.getData(
    'sandbox fault add Esign LATE --delay 90s --times 2 --match somebody --json',
  )
  expect(late).toEqual({
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
  const error = await shell.getData('sandbox fault add esign error --on create --status 503 --retry-after 5')
  expect(error).toMatchObject({ on: 'create', status: 503, retry_after_s: 5 })
  expect(await shell.getData('sandbox fault list')).toEqual([late, error])

  await shell.getData('sandbox fault clear')
  expect(await shell.getData('sandbox fault list')).toEqual([])
})

test.each([
  ['sign', 'signed', null],
  ['decline', 'declined', 'signer_declined'],
  ['expire', 'expired', null],
])('a signing request is ended by its id or address with %s, once', async (command, status, error) => {
  const landlord = await signInUser(server)
  const tenant = await signInUser(server)
  const { path } = await createDraft(landlord, [tenant])
  const { data: started } = await landlord.post(`${path}/sign`, { signer_id: tenant.id })
  const url: string = started.signing_url
  const id = url.split('/').pop()!

  const failed = await shell.getData(`sandbox fail-otp ${id}`)
  expect(failed).toMatchObject({ id, error: 'invaild_otp' })
  const ended = await shell.getData(`sandbox ${command} ${url}/`)
  expect(ended).toMatchObject({ id, status, ...(error && { error }) })

  const { data } = await landlord.get(`${path}/signatures`)
  expect(data.signatures[0].status).toBe(status)
  expect((await shell.kiraya(`sandbox expire ${id}`)).exitCode).toBe(6)
})

test.each([
  ['approve-kyc', 'SUCCESS', true],
  ['fail-kyc', 'ERROR', false],
])(
  '%s ends an identity check with %s; messages are listed by number',
  async (command, status, isVerified) => {
    const client = createClient({ fetch: fetchChecked, baseUrl: server.url })
    const phone = freshPhone()
    await client.auth.sendOtp(phone)
    expect(await shell.getData(`sandbox messages --phone ${phone}`)).toMatchObject([{ phone, otp: OTP }])
    await client.auth.verify(phone, OTP)
    await client.profile.complete({ first_name: 'A', last_name: 'B', email: 'a@b.co' })
    const { verification_url } = await client.profile.startKyc()

    expect(await shell.getData(`sandbox ${command} ${verification_url}`)).toMatchObject({ status })
    expect((await client.auth.me()).user.has_verified_profile).toBe(isVerified)
  },
)

test('4: a sandbox that has a token opens for KIRAYA_SANDBOX_TOKEN', async () => {
  const token = 'the token of the sandbox'
  const guarded = await startSecondInstance(server, { SANDBOX_TOKEN: token })
  const line = `sandbox state --url ${guarded.url}`

  expect((await shell.kiraya(line)).exitCode).toBe(4)
  expect(await shell.getData(line, { env: { KIRAYA_SANDBOX_TOKEN: token } })).toHaveProperty('faults')
  await guarded.stop()
})
