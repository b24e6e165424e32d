import { Elysia } from 'elysia'
import { Message } from '@kiraya/sdk/contract'
import type { Deps } from '../deps'
import { receiveKycWebhook, receiveEsignWebhook } from './service'
import { getClientAddress } from '../http/client-ip'

/** The body is read raw: its signature covers every byte. */
export const webhookRoutes = (deps: Deps) =>
  new Elysia({ prefix: '/webhooks', tags: ['Webhooks'] })
    .post(
      '/esign',
      ({ body, request, server }) =>
        receiveEsignWebhook(
          deps,
          String(body ?? ''),
          request.headers.get(deps.config.ESIGN_WEBHOOK_HEADER),
          getClientAddress(request, server, deps.config.TRUSTED_PROXIES),
        ),
      { parse: 'text', response: { 200: Message }, detail: { summary: 'News from the e-signing provider' } },
    )
    .post('/ekyc', ({ body }) => receiveKycWebhook(deps, String(body ?? '')), {
      parse: 'text',
      response: { 200: Message },
      detail: { summary: 'News from the eKYC provider' },
    })
