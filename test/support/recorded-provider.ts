import { afterAll, expect } from 'bun:test'
import { readConfig } from '../../server/config'
import { Fault } from '../../server/faults'
import { createLog } from '../../server/observability/log'
import { createMetrics } from '../../server/observability/metrics'
import { createProviders } from '../../server/providers/index'

/** What a provider once answered: JSON, or text with its type, or nothing. */
export type Recorded = { status?: number; body?: unknown; type?: string }

const CREDENTIALS = [
  'the-client-secret',
  'the-product-instance',
  'the-access-token',
  'the-auth-key',
  'the webhook secret, of more than 32 bytes',
]

/** Providers that answer what was recorded, one answer after the other, and the adapters as a server builds them. */
export function createRecordedProvider(env: Record<string, string> = {}) {
  const asked: { method: string; path: string; headers: Headers; body: string }[] = []
  const lines: string[] = []
  let answers: Recorded[] = []
  const listener = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch: async request => {
      asked.push({
        method: request.method,
        path: new URL(request.url).pathname,
        headers: request.headers,
        body: await request.text(),
      })
      const { status = 200, body, type } = answers.shift() ?? { status: 418 }
      return body === undefined
        ? new Response(null, { status })
        : type
          ? new Response(String(body), { status, headers: { 'content-type': type } })
          : Response.json(body, { status })
    },
  })
  afterAll(() => listener.stop(true))
  const url = `http://127.0.0.1:${listener.port}`
  const log = createLog('trace', false, { write: line => void lines.push(line) })
  const [secret, product, token, key, webhook] = CREDENTIALS as [string, string, string, string, string]

  return {
    url,
    /** New adapters, which have not failed yet, before the given answers. */
    answering: (...recorded: Recorded[]) => {
      answers = [...recorded]
      asked.length = lines.length = 0
      return createProviders(
        readConfig({
          NODE_ENV: 'test',
          JWT_SECRET: 'j',
          PROVIDER_RETRIES: '0',
          PROVIDER_TIMEOUT_MS: '5000',
          ESIGN_API_URL: url,
          ESIGN_CLIENT_ID: 'client',
          ESIGN_CLIENT_SECRET: secret,
          ESIGN_PRODUCT_INSTANCE_ID: product,
          ESIGN_WEBHOOK_SECRET: webhook,
          EKYC_API_URL: url,
          EKYC_CLIENT_ID: 'client',
          EKYC_CLIENT_SECRET: secret,
          EKYC_PRODUCT_INSTANCE_ID: product,
          WHATSAPP_API_URL: `${url}/v23.0`,
          WHATSAPP_PHONE_NUMBER_ID: '106540352242922',
          WHATSAPP_ACCESS_TOKEN: token,
          MSG91_API_URL: url,
          MSG91_AUTH_KEY: key,
          MSG91_TEMPLATE_ID: 'the-template',
          MSG91_REMINDER_TEMPLATE_ID: 'the-flow',
          ...env,
        }),
        () => '',
        log,
        createMetrics(),
        () => new Date('2026-03-01T00:00:00Z'),
      )
    },
    asked,
    /** The status and the cause of the fault that it fails with; neither the fault nor the log tells a credential or what was answered. */
    failure: async (call: Promise<unknown>, ...recorded: Recorded[]) => {
      const error = await call.then(
        answer => expect.unreachable(`answered ${JSON.stringify(answer)}`),
        (failed: unknown) => failed,
      )
      expect(error).toBeInstanceOf(Fault)
      const { code, status, message, cause } = error as Fault
      log.error({ err: error }, message)
      const told = `${lines.join('\n')}\n${Bun.inspect(error, { depth: 20 })}`
      expect(
        [...CREDENTIALS, ...recorded.flatMap(({ body }) => textsOf(body))].filter(
          text => told.includes(text) && !asked.some(({ path }) => path.includes(text)),
        ),
      ).toEqual([])
      return { code, status, cause: cause instanceof Error ? cause.message : cause }
    },
  }
}

/** The texts in an answer that are long enough to be known again, but for its one-word codes. */
const textsOf = (body: unknown): string[] =>
  typeof body === 'string'
    ? body.length >= 6 && !/^[a-z_]+$/.test(body)
      ? [body]
      : []
    : body && typeof body === 'object'
      ? Object.values(body).flatMap(textsOf)
      : []

export const unavailable = (cause: unknown) => ({ code: 'SERVICE_UNAVAILABLE' as const, status: 503, cause })

/** Answers that are none of any provider's. */
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
