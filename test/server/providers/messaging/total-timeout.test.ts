import { expect, test } from 'bun:test'
import { serveUntilEnd } from '../../../support/provider-double'
import { readConfig } from '../../../../server/config'
import { createLog } from '../../../../server/observability/log'
import { createMetrics } from '../../../../server/observability/metrics'
import { createProviders } from '../../../../server/providers/index'

const SHARE_MS = 300
const asked: string[] = []
const host = serveUntilEnd(async request => {
  const isSms = new URL(request.url).pathname.startsWith('/api/v5')
  asked.push(isSms ? 'sms' : 'whatsapp')
  // Within the time for both, but not within the share of one.
  if (asked.length === 1) await Bun.sleep(1.5 * SHARE_MS)
  return Response.json(isSms ? { type: 'success' } : { messages: [{ id: 'wamid.1' }] })
})

test.each([
  ['whatsapp', 'sms'],
  ['sms', 'whatsapp'],
])('%s shares the time for all attempts with %s, which has some left', async (first, second) => {
  asked.length = 0
  const env = {
    NODE_ENV: 'test',
    JWT_SECRET: 'x',
    ESIGN_WEBHOOK_SECRET: 'x',
    MESSAGE_CHANNELS: `${first},${second}`,
    WHATSAPP_API_URL: `${host}/v23.0`,
    WHATSAPP_PHONE_NUMBER_ID: '42',
    WHATSAPP_ACCESS_TOKEN: 'x',
    MSG91_AUTH_KEY: 'x',
    MSG91_TEMPLATE_ID: 'x',
  }
  const config = readConfig(env, {
    PROVIDER_RETRIES: 0,
    PROVIDER_TIMEOUT_MS: 10 * SHARE_MS,
    PROVIDER_TOTAL_TIMEOUT_MS: 2 * SHARE_MS,
    MSG91_API_URL: host,
  })
  const log = createLog('silent', false)
  const { sendMessage } = createProviders({
    config,
    ownUrl: () => '',
    log,
    metrics: createMetrics(),
    now: () => new Date(),
  })

  await sendMessage('9876543210', { kind: 'otp', otp: '123456', lifetimeMs: 60_000 })

  expect(asked).toEqual([first, second])
})
