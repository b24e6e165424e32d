import { describe, expect, test } from 'bun:test'
import { MAX_BODY_BYTES } from '../../../server/http/body'
import { testServer } from '../../support/server'
import { freshPhone, signInUser, type TestUser } from '../../support/users'

const server = testServer()

type Form = 'with its length' | 'in chunks'
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
