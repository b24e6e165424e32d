import { expect, test } from 'bun:test'
import { clock, testServer } from '../../support/server'
import { freshPhone, signInUser } from '../../support/users'

const time = clock()
const server = testServer({ overrides: { now: time.now }, env: { TENANT_LIMIT_PER_LANDLORD: '1' } })
// In development, as in tests, each limit counts twenty times.
const LIMIT = 20

test('Retry-After is in whole seconds, rounded up, and never zero', async () => {
  const user = await signInUser(server)
  const nameTenant = () => user.post('/tenants', { phone_number: freshPhone() })
  const getWait = async () => (await nameTenant()).headers.get('retry-after')
  for (let named = 0; named < LIMIT; named++) await nameTenant()

  expect(await getWait()).toBe('3600')
  time.advance(3_598_800)
  expect(await getWait()).toBe('2')
  time.advance(700)
  expect(await getWait()).toBe('1')
  time.advance(499)
  expect(await getWait()).toBe('1')
  time.advance(1)
  expect(await getWait()).toBeNull()
})

test('429: the limit of a user is not counted as one of the service', async () => {
  const user = await signInUser(server)
  for (let named = 0; named <= LIMIT; named++) await user.post('/tenants', { phone_number: freshPhone() })

  expect((await server.deps.metrics.serviceLimits.get()).values).toEqual([])
})
