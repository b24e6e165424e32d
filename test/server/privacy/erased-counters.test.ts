import { expect, test } from 'bun:test'
import { getKysely } from '../../../db/database'
import { interrupt } from '../../support/locks'
import { testServer } from '../../support/server'
import { sendRequest, signInUser } from '../../support/users'

const server = testServer()

test('an erasure locks the counters of a phone number by ascending key, as a limit does', async () => {
  const user = await signInUser(server)
  await sendRequest(server, 'POST', '/auth/send-otp', { body: { phone_number: user.phone } })
  const [first, last] = [`login:${user.phone}`, `login:${user.phone}:198.51.100.0/24`]
  const counter = { count: 1, resets_at: new Date(Date.now() + 3_600_000) }

  await getKysely(server.em())
    .insertInto('rate_limits')
    .values([last, first].map(key => ({ key, ...counter })))
    .execute()

  const { status } = await interrupt(server, {
    lock: db => db.selectFrom('rate_limits').where('key', '=', last).select('key').forUpdate().execute(),
    start: () => user.call('DELETE', '/auth/me', { otp: '123456' }),
    meanwhile: async db => {
      const free = db
        .selectFrom('rate_limits')
        .where('key', '=', first)
        .select('key')
        .forUpdate()
        .skipLocked()
      expect(await free.execute()).toEqual([])
    },
  })

  expect(status).toBe(200)
})
