import { describe, expect, test } from 'bun:test'
import {
  NewAgreement,
  NewProperty,
  NewTenant,
  NewUnit,
  PropertyChange,
  SignInput,
} from '@kiraya/sdk/contract'
import { getMaxBodyBytes } from '../../../server/http/body-limits'
import { testServer } from '../../support/server'
import { freshPhone, signInUser, type TestUser } from '../../support/users'

const server = testServer()

type Form = 'with its length' | 'in chunks'
const MAX_BODY_BYTES = getMaxBodyBytes(NewTenant)
const CHUNK_BYTES = 10_000

const toBody: Record<Form, (text: string) => BodyInit> = {
  'with its length': text => text,
  'in chunks': text =>
    new ReadableStream({
      start(stream) {
        const bytes = new TextEncoder().encode(text)
        for (let at = 0; at < bytes.length; at += CHUNK_BYTES)
          stream.enqueue(bytes.subarray(at, at + CHUNK_BYTES))
        stream.close()
      },
    }),
}

/** Names a tenant with a body of the given size. */
async function sendBytes(user: TestUser, size: number, form: Form) {
  const text = JSON.stringify({ phone_number: freshPhone() }).padEnd(size)
  const { status } = await fetch(`${server.url}/tenants`, {
    method: 'POST',
    headers: { authorization: `Bearer ${user.token}`, 'content-type': 'application/json' },
    body: toBody[form](text),
  })
  return status
}

test.each<Form>(['with its length', 'in chunks'])('413: a byte more than the limit, %s', async form => {
  const user = await signInUser(server)
  expect(await sendBytes(user, MAX_BODY_BYTES, form)).toBe(201)
  expect(await sendBytes(user, MAX_BODY_BYTES + 1, form)).toBe(413)
})

describe('an unknown field', () => {
  /** Lists within a list; the body is the first level. */
  const nest = (levels: number) => JSON.parse(`${'['.repeat(levels - 1)}${']'.repeat(levels - 1)}`)

  test('400: makes the body too deep at 33 levels', async () => {
    const user = await signInUser(server)
    const send = (levels: number) =>
      user.post('/tenants', { phone_number: freshPhone(), unknown: nest(levels) })
    expect((await send(32)).status).toBe(201)
    expect((await send(33)).status).toBe(400)
  })
})

test.each([
  ['a tenant', NewTenant, 64],
  ['the change of a property', PropertyChange, 128],
  ['a unit', NewUnit, 192],
  ['an agreement', NewAgreement, 256],
  ['a signature with variables', SignInput, 2048],
  ['a property with its units', NewProperty, 14_848],
])('the body of %s may have as much as its fields, rounded up', (_, schema, kibibytes) => {
  expect(getMaxBodyBytes(schema)).toBe(kibibytes * 1024)
})

test('a long body is read at an address with a slash at its end too', async () => {
  const user = await signInUser(server)
  const response = await user.post('/properties/', { alias_name: 'x'.repeat(100_000) })
  expect([response.status, response.error.reason]).toEqual([400, 'invalid_fields'])
})
