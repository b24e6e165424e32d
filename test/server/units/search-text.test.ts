import { beforeAll, expect, test } from 'bun:test'
import { testServer } from '../../support/server'
import { createProperty, signInUser, type TestUser } from '../../support/users'

const server = testServer()
const names = ['A\\B', 'A%B', 'A_B', 'AxB', 'A\\\\B']
let landlord: TestUser
let path: string

beforeAll(async () => {
  landlord = await signInUser(server)
  const property_units = names.map(unit_name => ({ unit_name }))
  path = (await createProperty(landlord, { property_units })).path
})

test.each([
  ['A\\B', ['A\\B']],
  ['A\\\\B', ['A\\\\B']],
  ['A%B', ['A%B']],
  ['A_B', ['A_B']],
  ['a', names],
  ['\\', ['A\\B', 'A\\\\B']],
  ['%', ['A%B']],
  ['_', ['A_B']],
])('the search for %p finds this text and no pattern', async (q, found) => {
  const { data } = await landlord.get(`${path}/units?${new URLSearchParams({ q })}`)
  expect(data.map(({ unit_name }: { unit_name: string }) => unit_name)).toEqual(found)
})
