import { Elysia } from 'elysia'
import { Message } from '@kiraya/sdk/contract'
import type { Deps } from '../deps'
import { getClientAddress } from '../http/client-ip'
import { receiveEsignWebhook, receiveKycWebhook } from './service'

/** A signed body is read as bytes, because the signature covers each of them: a text loses its byte order mark. */
export const webhookRoutes = (deps: Deps) =>
  new Elysia({ prefix: '/webhooks', tags: ['Webhooks'] })
    .post(
      '/esign',
      ({ body, request, server }) =>
        receiveEsignWebhook(
          deps,
          new Uint8Array(body as ArrayBuffer),
          request.headers,
          getClientAddress(request, server, deps.config.TRUSTED_PROXIES),
        ),
      {
        parse: 'arrayBuffer',
        response: { 200: Message },
        detail: { summary: 'Receive a webhook of the e-signing provider' },
      },
    )
    .post('/ekyc', ({ body }) => receiveKycWebhook(deps, String(body ?? '')), {
      parse: 'text',
      response: { 200: Message },
      detail: { summary: 'Receive a webhook of the eKYC provider' },
    })
