import { expect, test } from 'bun:test'
import type { Deps } from '../../../server/deps'
import { testServer } from '../../support/server'
import {
  createActiveAgreement,
  createLandlord,
  createTenant,
  freshPhone,
  sendRequest,
  signInUser,
} from '../../support/users'

let isBlocked = false
let reads = 0
const replica: Deps['replica'] = {
  read: (text, values) => {
    reads++
    return server.deps.db.sendStatement(text, values)
  },
  isBlockingCommits: () => isBlocked,
  close: async () => {},
}
const ORIGIN = 'https://app.example.com'
const server = testServer({ env: { FRONTEND_ORIGIN: ORIGIN }, overrides: { replica } })

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

test('while the standby is offline a browser may ask whether it can send a request', async () => {
  isBlocked = true
  const { status, headers } = await fetch(`${server.url}/properties`, {
    method: 'OPTIONS',
    headers: { origin: ORIGIN, 'access-control-request-method': 'GET' },
  })
  expect([status, headers.get('access-control-allow-origin')]).toEqual([204, ORIGIN])
})

test.each(['', '/signatures', '/timeline', '/document', '/certificate', '/schedule', '/statement'])(
  'GET /agreements/:id%s is read from the replica',
  async path => {
    isBlocked = false
    const landlord = await createLandlord(server)
    const { agreement } = await createActiveAgreement(landlord, [await createTenant(server)])
    reads = 0
    expect((await landlord.get(`/agreements/${agreement.id}${path}`)).status).toBe(200)
    expect(reads).toBeGreaterThan(0)
  },
)

test('lists are read from the replica, and an export of personal data from the primary', async () => {
  isBlocked = false
  const user = await signInUser(server)
  reads = 0
  expect((await user.get('/properties')).status).toBe(200)
  expect(reads).toBe(1)
  expect((await user.get('/auth/me/export')).status).toBe(200)
  expect(reads).toBe(1)
})
