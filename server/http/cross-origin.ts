import { cors } from '@elysiajs/cors'
import { Elysia } from 'elysia'
import type { Deps } from '../deps'

const PREFLIGHT_MAX_AGE_S = 600
/** What the SDK sends, and what a front-end adds that is traced by OpenTelemetry or Sentry. */
const ALLOWED_HEADERS = [
  'Authorization',
  'Content-Type',
  'Idempotency-Key',
  'x-kiraya-client',
  'traceparent',
  'tracestate',
  'baggage',
  'sentry-trace',
]
/** Pages on a developer's machine, such as those of a development server of a front-end. */
const LOCAL_ORIGIN = /^https?:\/\/(localhost|127\.0\.0\.1)(:\d{1,5})?$/

/**
 * Lets pages of the configured origins call the API, and in development those of this machine.
 * Tokens are in a header, so cookies are not allowed.
 */
export function crossOrigin({ config, log }: Deps) {
  const { FRONTEND_ORIGIN, NODE_ENV } = config
  const origins = NODE_ENV === 'development' ? [...FRONTEND_ORIGIN, LOCAL_ORIGIN] : FRONTEND_ORIGIN
  const isAllowed = (origin: string) =>
    origins.some(allowed => (typeof allowed === 'string' ? allowed === origin : allowed.test(origin)))

  /** Tells a developer why the browser hides a response. */
  const logRefusal = ({ headers, url }: Request) => {
    const origin = headers.get('origin')
    if (!origin || isAllowed(origin) || origin === URL.parse(url)?.origin) return
    log.info({ origin }, 'Pages of this origin may not call the API; FRONTEND_ORIGIN lists those that may')
  }

  const plugin = new Elysia({ name: 'cross-origin' }).onRequest(({ request }) => logRefusal(request))
  if (origins.length === 0) return plugin
  return plugin.use(
    cors({
      origin: origins,
      credentials: false,
      methods: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'],
      allowedHeaders: ALLOWED_HEADERS,
      exposeHeaders: ['Content-Disposition', 'Idempotency-Replayed', 'Retry-After', 'x-request-id'],
      maxAge: PREFLIGHT_MAX_AGE_S,
    }),
  )
}
