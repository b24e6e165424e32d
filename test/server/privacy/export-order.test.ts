import { expect, test } from 'bun:test'
import { getKysely } from '../../../db/database'
import { testServer } from '../../support/server'
import { signInUser } from '../../support/users'

const server = testServer()
const days = [3, 1, 2].map(day => new Date(Date.UTC(2026, 0, day)))
const inOrder = ['2026-01-01T00:00:00.000Z', '2026-01-02T00:00:00.000Z', '2026-01-03T00:00:00.000Z']

test('networks and repeatable requests are exported from the oldest on, counters by their keys', async () => {
  const user = await signInUser(server)
  const db = getKysely(server.em())
  await db.deleteFrom('known_networks').where('user_id', '=', user.id).execute()
  for (const [index, day] of days.entries()) {
    const network = { user_id: user.id, network_hash: `hash ${index}`, last_seen_at: day }
    await db.insertInto('known_networks').values(network).execute()
    const key = { user_id: user.id, key: `key ${index}`, digest: 'x', claimed_until: day, created_at: day }
    await db.insertInto('idempotency_keys').values(key).execute()
    const counter = { key: `${9 - index}:${user.phone}`, count: 1, resets_at: day, created_at: day }
    await db.insertInto('rate_limits').values(counter).execute()
  }

  const { body } = await user.call('GET', '/auth/me/export')
  const { known_networks, repeatable_requests, counters } = body.data

  expect(known_networks).toEqual(inOrder.map(last_seen_at => ({ last_seen_at })))
  expect(repeatable_requests.map(({ created_at }: { created_at: string }) => created_at)).toEqual(inOrder)
  const keys = counters.map(({ key }: { key: string }) => key).filter((key: string) => /^\d:/.test(key))
  expect(keys).toEqual([`7:${user.phone}`, `8:${user.phone}`, `9:${user.phone}`])
})

test('a webhook is exported if it has the phone number, however its digits are grouped', async () => {
  const user = await signInUser(server)
  const [head, tail] = [user.phone.slice(0, 5), user.phone.slice(5)]
  const texts = [
    `${head}${tail}`,
    `${head} - ${tail}`,
    `(${head}) ${tail}`,
    `${head}  - ${tail}`,
    `${head},${tail}`,
    `${head}:${tail}`,
    `${head}x${tail}`,
  ]
  const db = getKysely(server.em())
  for (const [index, text] of texts.entries())
    await db
      .insertInto('webhook_deliveries')
      .values({
        provider: 'setu',
        digest: `${user.phone} ${index}`,
        payload: `{"at":"${text}"}`,
        outcome: text,
      })
      .execute()

  const { body } = await user.call('GET', '/auth/me/export')

  expect(body.data.webhooks.map(({ outcome }: { outcome: string }) => outcome)).toEqual(texts.slice(0, 3))
})
