import { expect, test } from 'bun:test'
import { createOperationsClient } from '@kiraya/sdk/operations'
import { Invitation } from '../../../../db/entities'
import { hashPhone } from '../../../../server/domain/phone-hash'
import { sendRequest, freshPhone, signInUser } from '../../../support/users'
import { testServer } from '../../../support/server'
import { dump } from '../../privacy/dump'

const OPS_TOKEN = 'a token for those who run it'
const NAME = 'Zebulonqx'
const server = testServer({ env: { OPS_TOKEN } })
const names = { first_name: NAME, last_name: 'Pillai', email: 'zq@example.com' }
const invite = (phone_number: string) =>
  createOperationsClient({ baseUrl: server.url, token: OPS_TOKEN }).invite({ phone_number, ...names })

test('an export has the invitation of its user, and an erasure deletes it', async () => {
  const [phone, other] = [freshPhone(), freshPhone()]
  await invite(phone)
  await invite(other)
  const person = await signInUser(server, phone)

  const { data } = await person.get('/auth/me/export')
  await sendRequest(server, 'POST', '/auth/send-otp', { body: { phone_number: phone } })
  const erased = await person.call('DELETE', '/auth/me', { otp: '123456' })

  expect(data.tables.invitations).toMatchObject([
    { ...names, sent_at: expect.any(String), expires_at: expect.any(String), created_at: expect.any(String) },
  ])
  expect(JSON.stringify(data.tables.rate_limits)).toContain(
    `invitations:${hashPhone(server.deps.config, phone)}`,
  )
  expect(erased.status).toBe(200)
  expect((await dump(server.em())).where(phone)).toEqual([])
  expect(await server.em().count(Invitation, { phone_number: other })).toBe(1)
})
