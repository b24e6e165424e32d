import { expect, test } from 'bun:test'
import { clock, testServer } from '../../support/server'
import { signInUser, type TestUser } from '../../support/users'

const time = clock()
const server = testServer({ env: { PROPERTY_LIMIT_PER_LANDLORD: '1' }, overrides: { now: time.now } })
// In development, as in tests, each limit counts twenty times.
const LIMIT = 20

const list = (landlord: TestUser) => landlord.post('/properties', { pin_code: 560048, property_type: 'pg' })

test('429: a landlord lists only so many properties a day, and others are not kept from it', async () => {
  const [landlord, other] = [await signInUser(server), await signInUser(server)]
  for (let listed = 0; listed < LIMIT; listed++) expect((await list(landlord)).status).toBe(201)

  const { status, error, headers } = await list(landlord)

  expect([status, error.reason, headers.get('retry-after')]).toEqual([429, 'too_many_properties', '86400'])
  expect((await landlord.get('/properties')).body.metadata.total).toBe(LIMIT)
  expect((await list(other)).status).toBe(201)
  time.advance(86_400_000)
  expect((await list(landlord)).status).toBe(201)
})

test('a property that could not be listed does not count', async () => {
  const landlord = await signInUser(server)
  const unit = { unit_name: 'A-101', unit_type: 'flat', managed_by_id: 2_000_000_000 }
  const refused = { pin_code: 560048, property_type: 'pg', property_units: [unit] }
  for (let listed = 1; listed < LIMIT; listed++) expect((await list(landlord)).status).toBe(201)

  expect((await landlord.post('/properties', refused)).error.reason).toBe('manager_not_nameable')
  expect((await list(landlord)).status).toBe(201)

  expect((await list(landlord)).status).toBe(429)
})
