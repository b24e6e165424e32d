import { randomUUID } from 'node:crypto'
import ky from 'ky'
import type { SandboxCall, SandboxProvider } from '@kiraya/sdk/contract'
import type { Deps } from '../deps'
import { getBearerToken, equalsInConstantTime } from '../http/constant-time'
import { sandboxSecret } from '../providers/index'
import { signWebhook } from '../providers/signing/setu/signature'
import type { Behaviour, FaultRules } from './fault-rules'
import type { Scheduler } from './scheduler'

const SILENCE_MS = 120_000
const LATE_MS = 10_000
const SHUFFLED_MS = 60_000

/** Whether the request comes from this installation's own adapters. */
export const isInternalCall = ({ config }: Deps, request: Request) =>
  equalsInConstantTime(
    request.headers.get('x-client-secret') ?? getBearerToken(request),
    sandboxSecret(config),
  )

export const toProviderError = (
  status: number,
  code: string,
  detail: string,
  headers: Record<string, string> = {},
) => Response.json({ error: { code, detail, traceId: randomUUID() } }, { status, headers })

/** The connection ends where the answer would have begun. */
const cut = () => new Response(new ReadableStream({ start: controller => controller.error(undefined) }))

/** Until the caller gives up, or for as long. */
const patience = (request: Request, ms: number) =>
  new Promise<void>(resolve => {
    const end = () => {
      clearTimeout(timer)
      resolve()
    }
    const timer = setTimeout(end, ms)
    if (request.signal.aborted) end()
    else request.signal.addEventListener('abort', end, { once: true })
  })

type Refuse = (status: number, headers: Record<string, string>) => Response

/** Answers a provider's call, or lets it go wrong as the control says; `about` are the ids and phone numbers that it is about. */
export const createCallSimulator =
  (faults: FaultRules) =>
  async (
    provider: SandboxProvider,
    call: SandboxCall,
    about: readonly string[],
    request: Request,
    refuse: Refuse,
    answer: () => Promise<Response>,
  ): Promise<Response> => {
    const fault = await faults.take(provider, call, 'call', about)
    if (!fault) return answer()
    const { status, retry_after_s, delay_ms } = fault
    const ways: Record<Behaviour<'call'>, () => Promise<Response>> = {
      error: async () =>
        refuse(status ?? 500, retry_after_s === null ? {} : { 'retry-after': String(retry_after_s) }),
      timeout: () => patience(request, SILENCE_MS).then(cut),
      slow: () => patience(request, delay_ms ?? LATE_MS).then(answer),
      garbage: async () =>
        new Response('<html><body>Bad gateway</body></html>', {
          headers: { 'content-type': call === 'pdf' ? 'application/pdf' : 'application/json' },
        }),
      malformed: async () => Response.json({ ok: true, items: [] }),
      lost: async () => {
        await answer()
        await patience(request, delay_ms ?? 0)
        return cut()
      },
    }
    return ways[fault.behaviour]()
  }

export type OutgoingWebhook = {
  provider: 'esign' | 'ekyc'
  path: string
  body: string
  headers: Record<string, string>
  about: string[]
}

/** Delivers webhooks to this server, or lets them go astray as the control says. */
export const createWebhookSender = ({ config, log, ownUrl }: Deps, faults: FaultRules, later: Scheduler) => {
  /** Again where it is not taken. That it may be lost in the end is part of what a provider is. */
  async function post({ path, body, headers }: OutgoingWebhook) {
    const sent = await ky
      .post(`${ownUrl()}${path}`, {
        body,
        headers: { 'content-type': 'application/json', ...headers },
        retry: { limit: 2, methods: ['post'] },
        throwHttpErrors: false,
        timeout: 60_000,
      })
      .then(
        ({ status }) => status,
        () => 0,
      )
    if (sent !== 200) log.warn({ route: path, sent }, 'The sandbox could not deliver a webhook')
  }

  async function deliver(webhook: OutgoingWebhook) {
    await post(webhook)
    await later.follow(webhook.provider, webhook.about)
  }
  later.on<OutgoingWebhook>('webhook', deliver)

  return {
    /** Returns when it is delivered, or will be. */
    send: async (webhook: OutgoingWebhook) => {
      const fault = await faults.take(webhook.provider, 'webhook', 'webhook', webhook.about)
      if (!fault) return deliver(webhook)
      const { delay_ms, match } = fault
      const ways: Record<Behaviour<'webhook'>, () => Promise<void>> = {
        never: async () => {},
        late: () => later.add('webhook', webhook, delay_ms ?? LATE_MS),
        shuffled: () =>
          later.add('webhook', webhook, delay_ms ?? SHUFFLED_MS, { after: webhook.provider, match }),
        twice: async () => {
          await post(webhook)
          await deliver(webhook)
        },
        forged: () =>
          post({
            ...webhook,
            headers: {
              [config.ESIGN_WEBHOOK_HEADER]: signWebhook(webhook.body, 'a secret of somebody else'),
            },
          }),
      }
      log.info({ route: webhook.path, behaviour: fault.behaviour }, 'The sandbox lets a webhook go astray')
      await ways[fault.behaviour]()
    },
  }
}
export type WebhookSender = ReturnType<typeof createWebhookSender>
