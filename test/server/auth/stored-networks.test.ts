import { expect, test } from 'bun:test'
import { getKysely } from '../../../db/database'
import { clock, testServer } from '../../support/server'
import { freshPhone, requireSuccess, sendRequest } from '../../support/users'

const OTP = '123456'
const MINUTE_MS = 60_000
const MAX_NETWORKS = 10

const time = clock()
const server = testServer({ env: { TRUSTED_PROXIES: '1' }, overrides: { now: time.now } })

const toAddress = (network: number) => `198.51.${network}.7`

type SentFrom = { address?: string; token?: string }
const send = (
  method: string,
  path: string,
  body: unknown,
  { address = toAddress(0), token }: SentFrom = {},
) => sendRequest(server, method, path, { body, token, headers: { 'x-forwarded-for': address } })

async function signIn(phone: string, address: string) {
  requireSuccess(await send('POST', '/auth/send-otp', { phone_number: phone }, { address }), 'Sending an OTP')
  const verified = await send('POST', '/auth/verify', { phone_number: phone, otp: OTP }, { address })
  const { access_token: token, user } = requireSuccess(verified, 'The sign-in').data
  return { token, phone, id: user.id as number }
}

const loadNetworks = (userId: number) =>
  getKysely(server.em())
    .selectFrom('known_networks')
    .where('user_id', '=', userId)
    .orderBy('last_seen_at')
    .selectAll()
    .execute()

test('a network is stored as a hash, which is another one for another user', async () => {
  const [first, second] = [await signIn(freshPhone(), toAddress(1)), await signIn(freshPhone(), toAddress(1))]
  const [own, others] = [await loadNetworks(first.id), await loadNetworks(second.id)]

  const row = { user_id: first.id, network_hash: expect.stringMatching(/^[0-9a-f]{64}$/) }
  expect(own).toEqual([{ ...row, last_seen_at: time.now().toISOString() }] as never)
  expect(own[0]!.network_hash).not.toBe(others[0]!.network_hash)
})

test('sign-ins from an IPv4 /24 or an IPv6 /48 are of one network', async () => {
  const phone = freshPhone()
  const addresses = ['198.51.100.7', '198.51.100.8', '2001:db8:1:1::1', '2001:db8:1:2::1']
  for (const address of addresses) await signIn(phone, address)
  const { id } = await signIn(phone, '198.51.100.9')

  expect(await loadNetworks(id)).toHaveLength(2)
})

test('the newest ten networks of a user are kept; a sign-in renews one', async () => {
  const phone = freshPhone()
  const other = await signIn(freshPhone(), toAddress(0))
  const { id } = await signIn(phone, toAddress(0))
  const [oldest] = await loadNetworks(id)
  for (let network = 1; network < MAX_NETWORKS; network++) {
    time.advance(MINUTE_MS)
    await signIn(phone, toAddress(network))
  }
  const second = (await loadNetworks(id))[1]!
  time.advance(MINUTE_MS)
  await signIn(phone, toAddress(0))
  expect(await loadNetworks(id)).toHaveLength(MAX_NETWORKS)
  time.advance(MINUTE_MS)
  await signIn(phone, toAddress(MAX_NETWORKS))

  const hashes = (await loadNetworks(id)).map(({ network_hash }) => network_hash)
  expect(hashes).toHaveLength(MAX_NETWORKS)
  expect(hashes.indexOf(oldest!.network_hash)).toBe(MAX_NETWORKS - 2)
  expect(hashes).not.toContain(second.network_hash)
  expect(await loadNetworks(other.id)).toHaveLength(1)
})

test('a wrong OTP makes no network known', async () => {
  const { phone, id } = await signIn(freshPhone(), toAddress(1))
  await send('POST', '/auth/send-otp', { phone_number: phone })
  await send('POST', '/auth/verify', { phone_number: phone, otp: '000000' })

  expect(await loadNetworks(id)).toHaveLength(1)
})

test('a sign-out everywhere keeps them, the export lists them, an erasure deletes them', async () => {
  const other = await signIn(freshPhone(), toAddress(1))
  const first = await signIn(freshPhone(), toAddress(1))
  await send('POST', '/auth/logout', { all: true }, { token: first.token })
  time.advance(MINUTE_MS)
  const { token, phone, id } = await signIn(first.phone, toAddress(2))

  const { data } = await send('GET', '/auth/me/export', undefined, { token })
  const stored = await loadNetworks(id)
  expect(data.known_networks).toHaveLength(2)
  expect(data.known_networks).toEqual(stored.map(({ last_seen_at }) => ({ last_seen_at })))

  await send('POST', '/auth/send-otp', { phone_number: phone })
  requireSuccess(await send('DELETE', '/auth/me', { otp: OTP }, { token }), 'The erasure')
  expect(await loadNetworks(id)).toEqual([])
  expect(await loadNetworks(other.id)).toHaveLength(1)
})
