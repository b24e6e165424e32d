import { expect, test } from 'bun:test'
import { createClient, UnauthorizedError } from '../../sdk'
import { createApp } from '../../server/app'
import { testServer } from '../support/server'
import { freshPhone } from '../support/users'
import { catchError } from './stub-server'

const server = testServer()

test('a client calls an application in this process, without a connection', async () => {
  const app = createApp(server.deps)
  const kiraya = createClient({ baseUrl: 'http://localhost', fetch: request => app.handle(request) })
  const phone = freshPhone()

  expect(await catchError(kiraya.auth.me())).toBeInstanceOf(UnauthorizedError)
  await kiraya.auth.sendOtp(phone)
  const { user } = await kiraya.auth.verify(phone, '123456')
  await kiraya.profile.complete({ first_name: 'Asha', last_name: 'Rao', email: 'asha@example.com' })
  const { verification_id } = await kiraya.profile.startKyc()
  await kiraya.profile.completeKyc(verification_id)
  const created = await kiraya.properties
    .create({ pin_code: 560048, property_type: 'apartment', property_units: [{ unit_name: 'A-101' }] })
    .withResponse()
  const listed = await kiraya.properties.iterate().toArray({ limit: 10 })

  expect(user.phone).toBe(phone)
  expect(created).toMatchObject({ status: 201, requestId: expect.any(String) })
  expect(listed.map(({ id }) => id)).toEqual([created.data.id])
  expect(app.server).toBeNull()
})

test('a handler may answer at once, and a failing one is a network error', async () => {
  const answering = createClient({
    baseUrl: 'http://localhost',
    fetch: () => Response.json({ success: true, data: { user: { id: 7 } } }),
  })
  expect((await answering.auth.me()).user.id).toBe(7)

  const failing = createClient({
    baseUrl: 'http://localhost',
    fetch: () => {
      throw new Error('broken')
    },
  })
  expect(await catchError(failing.auth.me({ maxRetries: 0 }))).toMatchObject({ code: 'NETWORK_ERROR' })
})
