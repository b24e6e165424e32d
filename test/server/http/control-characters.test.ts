import { expect, test } from 'bun:test'
import { testServer } from '../../support/server'
import { freshPhone, signInUser } from '../../support/users'

const server = testServer()
const characters = ['\u0000', '\u0001', '\u0008', '\u000b', '\u000c', '\u000e', '\u001f', '\u007f']

test.each(characters)('400: a name with %j', async character => {
  const user = await signInUser(server)
  const first_name = `Ta${character}ra`
  const { status, error } = await user.post('/tenants', { phone_number: freshPhone(), first_name })
  expect([status, error?.code]).toEqual([400, 'VALIDATION_ERROR'])
})
