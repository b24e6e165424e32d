import { expect, test } from 'bun:test'
import { createOperationsClient } from '@kiraya/sdk/operations'
import type { KirayaError } from '@kiraya/sdk'
import { serveUntilEnd } from '../../../support/provider-double'
import { fetchChecked } from '../../../support/description'
import { testServer } from '../../../support/server'
import { freshPhone } from '../../../support/users'
import { startWhatsAppStub } from '../auth/whatsapp'

const OPS_TOKEN = 'a token for those who run it'
const chat = startWhatsAppStub()
const perPhone = testServer({
  env: { ...chat.env, OPS_TOKEN, FRONTEND_ORIGIN: 'https://app.example.com,https://b.example.com' },
  constants: { PROVIDER_RETRIES: 0, INVITATION_LIMIT_PER_PHONE: 1 },
})
const texts: unknown[] = []
const msg91 = serveUntilEnd(async request => {
  texts.push([new URL(request.url).pathname, await request.json()])
  return Response.json({ type: 'success', message: '1' })
})
const bySms = testServer({
  env: {
    OPS_TOKEN,
    MESSAGE_CHANNELS: 'sms',
    MSG91_AUTH_KEY: 'x',
    MSG91_TEMPLATE_ID: 'x',
    MSG91_INVITATION_TEMPLATE_ID: 'T2',
  },
  constants: { MSG91_API_URL: msg91 },
})
const withoutTemplate = testServer({
  env: { OPS_TOKEN, MESSAGE_CHANNELS: 'sms', MSG91_AUTH_KEY: 'x', MSG91_TEMPLATE_ID: 'x' },
})

const operations = (server: { url: string }) =>
  createOperationsClient({ baseUrl: server.url, token: OPS_TOKEN, fetch: fetchChecked, maxRetries: 0 })
const invite = (server: { url: string }, phone_number: string) =>
  operations(server).invite({
    phone_number,
    first_name: 'Meera',
    last_name: 'Pillai',
    email: 'm@example.com',
  })
const getFailure = (request: Promise<unknown>) =>
  request.then(
    () => 'sent',
    ({ status, reason }: KirayaError) => [status, reason],
  )

test('the message has the page where people sign in, and no name', async () => {
  const phone = freshPhone()
  await invite(perPhone, phone)
  const { template } = chat.sent.findLast(message => message.phone === phone)!.body
  expect(template.components).toEqual([
    { type: 'body', parameters: [{ type: 'text', text: 'https://app.example.com' }] },
  ])
})

test('429: a phone gets so many messages a day, without one that a provider failed to send', async () => {
  const phone = freshPhone()
  chat.answer = () => Response.json({ error: { code: 131000 } }, { status: 500 })
  expect(await getFailure(invite(perPhone, phone))).toEqual([503, 'provider_unreachable'])
  chat.answer = undefined
  const { id } = await invite(perPhone, phone)
  await operations(perPhone).cancelInvitation(id)

  const error: KirayaError = await invite(perPhone, phone).catch(failure => failure)

  expect([error.status, error.reason]).toEqual([429, 'too_many_invitations'])
  expect(error.retryAfter).toBeWithin(86_340, 86_401)
  const { data } = await operations(perPhone).invitations({ phone_number: phone })
  expect(data).toMatchObject([{ status: 'open', sent_at: null }])
})

test('400: no channel reaches the number; 429: the message counts', async () => {
  const phone = freshPhone()
  chat.answer = () => Response.json({ error: { code: 131026 } }, { status: 400 })
  expect(await getFailure(invite(perPhone, phone))).toEqual([400, 'phone_number_unreachable'])
  chat.answer = undefined
  expect(await getFailure(invite(perPhone, phone))).toEqual([429, 'too_many_invitations'])
})

test('503: no channel has a template for invitations', async () => {
  expect(await getFailure(invite(withoutTemplate, freshPhone()))).toEqual([503, 'provider_unreachable'])
})

test('an SMS is sent by its flow, with the address of the server if no origin is set', async () => {
  const phone = freshPhone()
  await invite(bySms, phone)
  const recipients = [{ mobiles: `91${phone}`, url: bySms.publicUrl }]
  expect(texts).toEqual([['/api/v5/flow', { template_id: 'T2', recipients }]])
})
