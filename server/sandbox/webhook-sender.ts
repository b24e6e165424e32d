import ky, { HTTPError } from 'ky'
import type { Deps } from '../deps'
import { signWebhook, WEBHOOK_HEADER } from '../providers/signing/setu/signature'
import type { Behaviour, SimulatedFailures } from './simulated-failures'
import type { Scheduler } from './scheduler'

const LATE_MS = 10_000
const TASK = 'webhook'

export type OutgoingWebhook = {
  provider: 'esign' | 'ekyc'
  path: string
  body: string
  headers: Record<string, string>
  subjects: string[]
}

/** Delivers webhooks to this server, as the first matching simulated failure says or normally. */
export function createWebhookSender(deps: Deps, failures: SimulatedFailures, scheduler: Scheduler) {
  const post = (webhook: OutgoingWebhook) => postWebhook(deps, webhook)
  scheduler.handle(TASK, post)

  return {
    /** Resolves when the webhook is delivered or scheduled. */
    send: async (webhook: OutgoingWebhook) => {
      const failure = await failures.consume('webhook', webhook.provider, 'webhook', webhook.subjects)
      if (!failure) return post(webhook)

      const { behaviour, delay_ms } = failure
      const simulations: Record<Behaviour<'webhook'>, () => Promise<void>> = {
        never: async () => {},
        late: () => scheduler.schedule(TASK, webhook, delay_ms ?? LATE_MS),
        twice: async () => {
          await post(webhook)
          await post(webhook)
        },
        forged: () => {
          const signature = signWebhook(webhook.body, 'a secret that the server does not accept')
          return post({ ...webhook, headers: { [WEBHOOK_HEADER]: signature } })
        },
      }
      deps.log.info({ route: webhook.path, behaviour }, 'A simulated failure changes a sandbox webhook')
      await simulations[behaviour]()
    },
    countScheduled: () => scheduler.count(TASK),
  }
}

/** Retries twice and then gives up, as providers do. */
async function postWebhook({ log, ownUrl }: Deps, { path, body, headers }: OutgoingWebhook) {
  const status = await ky
    .post(`${ownUrl()}${path}`, {
      body,
      headers: { 'content-type': 'application/json', ...headers },
      // A person waits for this, so it does not wait for as long as Retry-After says.
      retry: { limit: 2, methods: ['post'], afterStatusCodes: [] },
      timeout: 60_000,
    })
    .then(
      response => response.status,
      (error: unknown) => (error instanceof HTTPError ? error.response.status : 0),
    )
  if (status !== 200) log.warn({ route: path, sent: status }, 'The sandbox could not deliver a webhook')
}
