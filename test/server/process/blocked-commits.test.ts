import { expect, test } from 'bun:test'
import type { Deps } from '../../../server/deps'
import { testServer } from '../../support/server'
import { freshPhone, sendRequest, signInUser } from '../../support/users'

let isBlocked = false
const replica: Deps['replica'] = {
  read: (text, values) => server.deps.db.sendStatement(text, values),
  isBlockingCommits: () => isBlocked,
  close: async () => {},
}
const server = testServer({ overrides: { replica } })

test('503: while the standby is offline changes are refused, and reads are not', async () => {
  const user = await signInUser(server)
  isBlocked = true

  const change = await sendRequest(server, 'POST', '/auth/send-otp', { body: { phone_number: freshPhone() } })
  const statuses = [
    (await user.get('/properties')).status,
    (await fetch(`${server.url}/health/ready`, { method: 'HEAD' })).status,
    (await user.patch('/properties/1', {})).status,
    (await user.delete('/properties/1')).status,
  ]

  expect([change.status, change.error.reason]).toEqual([503, 'standby_offline'])
  expect(statuses).toEqual([200, 200, 503, 503])
})
