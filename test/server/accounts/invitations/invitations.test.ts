import { expect, test } from 'bun:test'
import { createOperationsClient } from '@kiraya/sdk/operations'
import type { TooManyRequestsError, ValidationError } from '@kiraya/sdk'
import { Invitation } from '../../../../db/entities'
import { hashPhone } from '../../../../server/domain/phone-hash'
import { refuse } from '../../../../server/errors'
import { purgeExpired } from '../../../../server/jobs/purge-expired'
import { completeProfile, freshPhone, sendRequest, signInUser } from '../../../support/users'
import { fetchChecked } from '../../../support/description'
import { clock, testServer } from '../../../support/server'
import { dump } from '../../privacy/dump'
import { erase } from '../../privacy/erasing'
import { signInWithVariantA } from '../profile/fixtures'

const OPS_TOKEN = 'a token for those who run it'
const DAY_MS = 24 * 60 * 60_000
const LIFETIME_MS = 14 * DAY_MS
const time = clock()
const sent: [phone: string, url: string][] = []
let sendingError: (() => Error) | undefined
let duringSending: (() => Promise<unknown>) | undefined
const server = testServer({
  env: { OPS_TOKEN, FRONTEND_ORIGIN: 'https://app.example.com' },
  overrides: {
    now: time.now,
    sendMessage: async (phone, message) => {
      if (message.kind !== 'invitation') return
      sent.push([phone, message.url])
      await duringSending?.()
      if (sendingError) throw sendingError()
    },
  },
})

const operations = (of: { url: string } = server) =>
  createOperationsClient({ baseUrl: of.url, token: OPS_TOKEN, fetch: fetchChecked, maxRetries: 0 })
const profile = { first_name: 'Meera', last_name: 'Pillai', email: 'meera@example.com' }
const invite = (phone_number: string, changes: object = {}) =>
  operations().invite({ phone_number, ...profile, ...changes })
const countMessages = (phone: string) => sent.filter(([to]) => to === phone).length
const getReason = (request: Promise<unknown>) =>
  request.then(
    () => 'no error',
    (error: ValidationError | TooManyRequestsError) => error.reason,
  )

test('201: an invitation sends one message and creates no account', async () => {
  const phone = freshPhone()

  const invitation = await invite(phone)

  expect(invitation).toEqual({
    id: expect.any(Number),
    phone_number: phone,
    ...profile,
    status: 'open',
    sent_at: time.now().toISOString(),
    expires_at: new Date(time.now().getTime() + LIFETIME_MS).toISOString(),
    created_at: time.now().toISOString(),
  })
  expect(sent.filter(([to]) => to === phone)).toEqual([[phone, 'https://app.example.com']])
  const asked = await sendRequest(server, 'POST', '/auth/send-otp', { body: { phone_number: phone } })
  expect(asked.data).toMatchObject({ is_existing_user: false, user: null })
})

test('the invited person alone finds the names, and only they make them the profile', async () => {
  const phone = freshPhone()
  await invite(phone)

  const [person, other] = [await signInUser(server, phone), await signInUser(server)]
  const before = await person.get('/auth/me')
  expect((await other.get('/auth/me')).data).not.toHaveProperty('invitation')
  await completeProfile(person, { first_name: 'Mira' })
  const after = await person.get('/auth/me')

  expect(before.data).toMatchObject({
    user: { first_name: null, last_name: null, email: null, has_completed_profile: false },
    status: 'NEEDS_PROFILE_COMPLETION',
    invitation: profile,
  })
  expect(after.data).toMatchObject({ user: { first_name: 'Mira' } })
  expect(after.data).not.toHaveProperty('invitation')
  const { data } = await operations().invitations({ phone_number: phone })
  expect(data).toMatchObject([{ ...profile, status: 'accepted' }])
})

test('the names are in camelCase for a client of Variant A', async () => {
  const phone = freshPhone()
  await invite(phone)
  const me = await (await signInWithVariantA(server, phone)).get('/auth/me')
  expect(me.body.invitation).toEqual({ firstName: 'Meera', lastName: 'Pillai', email: profile.email })
})

test('to invite again corrects the names and sends no second message', async () => {
  const phone = freshPhone()
  const first = await invite(phone)
  time.advance(DAY_MS)

  const corrected = { first_name: 'Mira', last_name: 'Nair', email: 'mira@example.com' }
  const second = await invite(phone, corrected)

  expect(second).toMatchObject({ id: first.id, ...corrected, sent_at: first.sent_at })
  expect(Date.parse(second.expires_at) - Date.parse(first.expires_at)).toBe(DAY_MS)
  expect(countMessages(phone)).toBe(1)
})

test('invitations in parallel send one message', async () => {
  const phone = freshPhone()
  duringSending = async () => {
    duringSending = undefined
    await invite(phone)
  }
  await invite(phone)
  expect(countMessages(phone)).toBe(1)
})

test('503: a message that could not be sent is sent with the next invitation', async () => {
  const phone = freshPhone()
  sendingError = () => refuse('provider_unreachable', { provider: 'messaging' })
  const failures = [await getReason(invite(phone)), await getReason(invite(phone))]
  const { data } = await operations().invitations({ phone_number: phone })
  sendingError = undefined

  const invitation = await invite(phone)

  expect(failures).toEqual(['provider_unreachable', 'provider_unreachable'])
  expect(data).toMatchObject([{ status: 'open', sent_at: null }])
  expect([invitation.sent_at, countMessages(phone)]).toEqual([expect.any(String), 3])
})

test('400: who has completed a profile, or whose account is inactive, is not invited', async () => {
  const [complete, inactive, named] = [await signInUser(server), await signInUser(server), freshPhone()]
  await completeProfile(complete)
  await server.em().getConnection().execute(`update users set is_active = false where id = ${inactive.id}`)
  await complete.post('/tenants', { phone_number: named, first_name: 'Tara' })

  expect(await getReason(invite(complete.phone))).toBe('account_exists')
  expect(await getReason(invite(inactive.phone))).toBe('account_exists')
  expect((await invite(named)).status).toBe('open')
  expect(countMessages(complete.phone) + countMessages(inactive.phone)).toBe(0)
})

test('an invitation expires, is purged a week later, and can be made anew', async () => {
  const phone = freshPhone()
  const { id, expires_at } = await invite(phone)
  const count = () => server.em().count(Invitation, { id })
  time.advance(Date.parse(expires_at) - time.now().getTime())
  const person = await signInUser(server, phone)

  expect((await person.get('/auth/me')).data).not.toHaveProperty('invitation')
  expect((await operations().invitations({ phone_number: phone })).data).toMatchObject([
    { status: 'expired' },
  ])
  const renewed = await invite(phone)
  expect([renewed.status, countMessages(phone)]).toEqual(['open', 2])
  expect((await person.get('/auth/me')).data.invitation).toEqual(profile)

  time.advance(LIFETIME_MS + 7 * DAY_MS - 1)
  await purgeExpired(server.deps)
  expect(await count()).toBe(1)
  time.advance(1)
  await purgeExpired(server.deps)
  expect(await count()).toBe(0)
})

test('a cancelled invitation is gone; 404: an unknown one', async () => {
  const phone = freshPhone()
  const { id } = await invite(phone)
  const unwritten = `/operations/invitations/${id}e0`
  expect((await sendRequest(server, 'DELETE', unwritten, { token: OPS_TOKEN })).status).toBe(404)
  await operations().cancelInvitation(id)

  expect((await (await signInUser(server, phone)).get('/auth/me')).data).not.toHaveProperty('invitation')
  expect((await operations().invitations({ phone_number: phone })).data).toEqual([])
  expect(await getReason(operations().cancelInvitation(id))).toBe('invitation_not_found')
})

test('invitations that expire at the same time are sorted by id, both ways', async () => {
  const [first, second] = [await invite(freshPhone()), await invite(freshPhone())]
  const order = async (sort: 'expires_at' | '-expires_at') => {
    const { data } = await operations().invitations({ sort, limit: 100 })
    return data.map(({ id }) => id).filter(id => [first.id, second.id].includes(id))
  }

  // The newer row of a change is the later one in the table.
  await invite(first.phone_number)

  expect(await order('expires_at')).toEqual([first.id, second.id])
  expect(await order('-expires_at')).toEqual([second.id, first.id])
})

test('the list is filtered by status', async () => {
  const [first, second] = [await invite(freshPhone()), await invite(freshPhone())]
  const { data, metadata } = await operations().invitations({ status: 'open', limit: 2 })
  expect([data.map(({ id }) => id), metadata.total >= 2]).toEqual([[second.id, first.id], true])
  const listed = await operations().invitations({ status: 'expired' }).toArray({ limit: 1000 })
  expect(listed.some(({ status }) => status !== 'expired')).toBe(false)
})

test('an export has the invitation of its user, and an erasure deletes it', async () => {
  const [phone, other] = [freshPhone(), freshPhone()]
  await invite(phone)
  await invite(other)
  const person = await signInUser(server, phone)

  const { data } = await person.get('/auth/me/export')
  await erase(server, person)

  const { invitations, rate_limits } = data.tables
  const times = {
    sent_at: expect.any(String),
    expires_at: expect.any(String),
    created_at: expect.any(String),
  }
  expect(invitations).toMatchObject([{ ...profile, ...times }])
  expect(JSON.stringify(rate_limits)).toContain(`invitations:${hashPhone(server.deps.config, phone)}`)
  expect((await dump(server.em())).where(phone)).toEqual([])
  expect(await server.em().count(Invitation, { phone_number: other })).toBe(1)
})
