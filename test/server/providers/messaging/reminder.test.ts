import { afterAll, afterEach, describe, expect, test } from 'bun:test'
import { readConfig } from '../../../../server/config'
import { createLog } from '../../../../server/observability/log'
import { createMetrics } from '../../../../server/observability/metrics'
import { createProviders } from '../../../../server/providers/index'

const asked: { path: string; authkey: string | null; authorization: string | null; body: any }[] = []
let failing: RegExp | undefined
const stub = Bun.serve({
  port: 0,
  hostname: '127.0.0.1',
  fetch: async request => {
    const path = new URL(request.url).pathname
    asked.push({
      path,
      authkey: request.headers.get('authkey'),
      authorization: request.headers.get('authorization'),
      body: await request.json(),
    })
    if (failing?.test(path)) return new Response('x', { status: 500 })
    return path.startsWith('/api/v5')
      ? Response.json({ type: 'success', request_id: 'r' })
      : Response.json({ messaging_product: 'whatsapp', contacts: [], messages: [{ id: 'wamid.1' }] })
  },
})
afterAll(() => stub.stop(true))
afterEach(() => {
  asked.length = 0
  failing = undefined
  metrics.messages.reset()
})
const url = `http://127.0.0.1:${stub.port}`
const metrics = createMetrics()
const reminding = (env: Record<string, string>) =>
  createProviders(
    readConfig({
      NODE_ENV: 'test',
      JWT_SECRET: 'x',
      ESIGN_WEBHOOK_SECRET: 'x',
      PROVIDER_RETRIES: '0',
      WHATSAPP_API_URL: `${url}/v23.0`,
      WHATSAPP_PHONE_NUMBER_ID: '42',
      WHATSAPP_ACCESS_TOKEN: 'hush',
      MSG91_API_URL: url,
      MSG91_AUTH_KEY: 'key',
      MSG91_TEMPLATE_ID: 'otp',
      ...env,
    }),
    () => url,
    createLog('silent', false),
    metrics,
    () => new Date(),
  ).sendReminder('9876543210', {
    agreement_number: 'AGR-2026-000001',
    signing_url: 'https://sign.example.com/x',
  })

const byWhatsApp = {
  path: '/v23.0/42/messages',
  authorization: 'Bearer hush',
  authkey: null,
  body: {
    messaging_product: 'whatsapp',
    recipient_type: 'individual',
    to: '919876543210',
    type: 'template',
    template: {
      name: 'kiraya_sign_reminder',
      language: { code: 'en_US' },
      components: [
        {
          type: 'body',
          parameters: [
            { type: 'text', text: 'AGR-2026-000001' },
            { type: 'text', text: 'https://sign.example.com/x' },
          ],
        },
      ],
    },
  },
}
const bySms = {
  path: '/api/v5/flow',
  authorization: null,
  authkey: 'key',
  body: {
    template_id: 'flow',
    recipients: [{ mobiles: '919876543210', number: 'AGR-2026-000001', url: 'https://sign.example.com/x' }],
  },
}

describe('a reminder', () => {
  test('is sent by the first channel', async () => {
    await reminding({ MESSAGE_CHANNELS: 'whatsapp,sms', MSG91_REMINDER_TEMPLATE_ID: 'flow' })
    await reminding({ MESSAGE_CHANNELS: 'sms,whatsapp', MSG91_REMINDER_TEMPLATE_ID: 'flow' })
    expect(asked).toEqual([byWhatsApp, bySms])
    const { values } = await metrics.messages.get()
    expect(values.map(({ labels, value }) => [labels.channel, labels.kind, labels.outcome, value])).toEqual([
      ['whatsapp', 'reminder', 'sent', 1],
      ['sms', 'reminder', 'sent', 1],
    ])
  })

  test('is sent by the next channel if the first fails or has no template', async () => {
    failing = /messages$/
    await reminding({ MESSAGE_CHANNELS: 'whatsapp,sms', MSG91_REMINDER_TEMPLATE_ID: 'flow' })
    expect(asked.map(({ path }) => path)).toEqual([byWhatsApp.path, bySms.path])
    failing = undefined
    await reminding({ MESSAGE_CHANNELS: 'sms,whatsapp' })
    expect(asked.at(-1)).toEqual(byWhatsApp)
  })

  test('503: no channel can send it', async () => {
    const failure = (env: Record<string, string>) =>
      reminding(env).then(
        () => 'sent',
        error => [error.status, error.cause.message],
      )
    expect(await failure({ MESSAGE_CHANNELS: 'sms' })).toEqual([503, 'No channel sends the reminder'])
    failing = /./
    expect(await failure({ MESSAGE_CHANNELS: 'whatsapp,sms', MSG91_REMINDER_TEMPLATE_ID: 'flow' })).toEqual([
      503,
      'messaging POST /api/v5/flow answered 500',
    ])
  })
})
