import { expect } from 'bun:test'
import { readConfig } from '../../server/config'
import { ApiError } from '../../server/errors'
import { createLog } from '../../server/observability/log'
import { createMetrics } from '../../server/observability/metrics'
import { createProviders } from '../../server/providers/index'
import type { Constants } from '../../server/settings/constants'

/** A recorded response: JSON, or text with its type, or no body. */
export type Recorded = { status?: number; body?: unknown; type?: string }

type RecordedRequest = { method: string; path: string; headers: Headers; body: string }

export const WEBHOOK_SECRET = 'the webhook secret of more than 32 bytes'
const CREDENTIALS = {
  clientSecret: 'the-client-secret',
  productInstanceId: 'the-product-instance',
  accessToken: 'the-access-token',
  authKey: 'the-auth-key',
  webhookSecret: WEBHOOK_SECRET,
}

/** Starts a provider that replays recorded responses, and creates the adapters as a server does. */
export function createRecordedProvider(env: Record<string, string> = {}, constants: Partial<Constants> = {}) {
  const requests: RecordedRequest[] = []
  const logLines: string[] = []
  let responses: Recorded[] = []
  let metrics = createMetrics()

  const listener = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch: async request => {
      const { method, headers } = request
      const path = new URL(request.url).pathname
      requests.push({ method, path, headers, body: await request.text() })
      return toResponse(responses.shift() ?? { status: 418 })
    },
  })
  listener.unref() // files of one worker share it
  const url = `http://127.0.0.1:${listener.port}`
  const log = createLog('trace', false, { write: line => void logLines.push(line) })

  return {
    url,
    requests,
    logLines,
    getMetric: (name: string) => metrics.registry.getSingleMetricAsString(name),

    /** Creates adapters whose circuit breakers are closed; the provider replays the responses in order. */
    replay: (...recorded: Recorded[]) => {
      responses = [...recorded]
      requests.length = 0
      logLines.length = 0
      metrics = createMetrics()
      const config = readConfig({ ...toEnvironment(url), ...env }, { ...toConstants(url), ...constants })
      const now = () => new Date('2026-03-01T00:00:00Z')
      return createProviders({ config, ownUrl: () => '', log, metrics, now })
    },

    /** The error of a failed call. Neither it nor the log repeats a credential or a response. */
    getFailure: async (call: Promise<unknown>, ...recorded: Recorded[]) => {
      const error = await call.then(
        result => expect.unreachable(`resolved to ${JSON.stringify(result)}`),
        (failure: unknown) => failure,
      )
      expect(error).toBeInstanceOf(ApiError)
      const { code, status, message, cause } = error as ApiError
      log.error({ err: error }, message)

      const output = `${logLines.join('\n')}\n${Bun.inspect(error, { depth: 20 })}`
      const secrets = [...Object.values(CREDENTIALS), ...recorded.flatMap(({ body }) => listTexts(body))]
      const isInPath = (text: string) => requests.some(({ path }) => path.includes(text))
      expect(secrets.filter(text => output.includes(text) && !isInPath(text))).toEqual([])
      return { code, status, cause: cause instanceof Error ? cause.message : cause }
    },
  }
}

function toResponse({ status = 200, body, type }: Recorded): Response {
  if (body === undefined) return new Response(null, { status })
  if (type === undefined) return Response.json(body, { status })
  return new Response(String(body), { status, headers: { 'content-type': type } })
}

const toEnvironment = (url: string) => ({
  NODE_ENV: 'test',
  JWT_SECRET: 'j',
  ESIGN_API_URL: url,
  ESIGN_CLIENT_ID: 'client',
  ESIGN_CLIENT_SECRET: CREDENTIALS.clientSecret,
  ESIGN_PRODUCT_INSTANCE_ID: CREDENTIALS.productInstanceId,
  ESIGN_WEBHOOK_SECRET: CREDENTIALS.webhookSecret,
  EKYC_API_URL: url,
  EKYC_CLIENT_ID: 'client',
  EKYC_CLIENT_SECRET: CREDENTIALS.clientSecret,
  EKYC_PRODUCT_INSTANCE_ID: CREDENTIALS.productInstanceId,
  WHATSAPP_API_URL: `${url}/v23.0`,
  WHATSAPP_PHONE_NUMBER_ID: '106540352242922',
  WHATSAPP_ACCESS_TOKEN: CREDENTIALS.accessToken,
  MSG91_AUTH_KEY: CREDENTIALS.authKey,
  MSG91_TEMPLATE_ID: 'the-template',
  MSG91_REMINDER_TEMPLATE_ID: 'the-flow',
  MSG91_INVITATION_TEMPLATE_ID: 'the-other-flow',
  MSG91_LEASE_RECORDED_TEMPLATE_ID: 'the-third-flow',
  MSG91_SETTLEMENT_TEMPLATE_ID: 'the-fourth-flow',
})
const toConstants = (url: string) => ({ PROVIDER_RETRIES: 0, PROVIDER_TIMEOUT_MS: 5000, MSG91_API_URL: url })

/** The texts of a response that can be recognized: long ones, except codes of one word. */
function listTexts(body: unknown): string[] {
  if (typeof body === 'string') return body.length >= 6 && !/^[a-z_]+$/.test(body) ? [body] : []
  if (typeof body !== 'object' || body === null) return []
  return Object.values(body).flatMap(listTexts)
}

export const unavailable = (cause: unknown) => ({ code: 'SERVICE_UNAVAILABLE' as const, status: 503, cause })

/** Responses that no provider's schema allows. */
export const MALFORMED: Record<string, Recorded> = {
  HTML: { body: '<html><body>Bad gateway, please wait</body></html>', type: 'text/html' },
  'half of an object': { body: '{"id": "cut in the middle', type: 'application/json' },
  'an empty body': { body: '', type: 'application/json' },
  'an empty object': { body: {} },
  null: { body: null },
  'a list': { body: [{ id: 'a list of things' }] },
  'a text': { body: 'nothing but a text' },
  'no content': { status: 204 },
}
