import type { TSchema } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import { Message } from '@kiraya/sdk/contract'
import { SIGNING } from '../reasons'
import type { Deps } from '../../deps'
import { readBody, readText } from '../../http/body/read'
import { toJsonContent, toStandardSchema } from '../../http/openapi/schemas'
import { listSigningProviders } from '../../providers/signing/lookup'
import { createKycReceiver, KycWebhook } from '../../profile/kyc-webhook'
import { receiveEsignWebhook } from './inbox'

/** A signed body is read as bytes, because the signature covers each of them: a text loses its byte order mark. */
export function webhookRoutes(deps: Deps) {
  const receiveKycWebhook = createKycReceiver(deps)
  return new Elysia({ prefix: '/webhooks', tags: ['Webhooks'], detail: { security: [] } })
    .post('/esign', ({ body, request }) => receiveEsignWebhook(deps, body as Uint8Array, request.headers), {
      parse: ({ request }) => readBody(request),
      response: { 200: Message },
      detail: {
        operationId: 'receiveEsignWebhook',
        summary: 'Receive a webhook of the e-signing provider',
        description:
          'The e-signing provider sends changes of a signature here. The signature of the bytes is verified; a ' +
          'webhook is stored, and one that comes twice counts once. What it says is read back from the provider ' +
          'before it counts.',
        reasons: [...SIGNING, 'provider_request_unknown', 'webhook_signature_invalid'],
        parameters: describeSignatures(deps),
        requestBody: describePayload(listSigningProviders(deps).map(({ webhookSchema }) => webhookSchema)),
      },
    })
    .post('/ekyc', ({ body }) => receiveKycWebhook(String(body ?? '')), {
      parse: ({ request }) => readText(request),
      response: { 200: Message },
      detail: {
        operationId: 'receiveEkycWebhook',
        summary: 'Receive a webhook of the eKYC provider',
        description:
          'The eKYC provider sends changes of an identity check here. It is not signed, so it only makes the server ' +
          'read the result from the provider.',
        reasons: ['body_not_json', 'provider_unreachable', 'webhook_id_missing'],
        requestBody: describePayload([KycWebhook]),
      },
    })
}

function describeSignatures(deps: Deps) {
  const headers = new Set(listSigningProviders(deps).map(({ webhookHeader }) => webhookHeader))
  return [...headers].map(name => ({
    name,
    in: 'header',
    required: headers.size === 1,
    description: "The provider's signature of the body's bytes",
    schema: { type: 'string' as const },
  }))
}

function describePayload(schemas: TSchema[]) {
  const [schema, ...others] = [...new Set(schemas)].map(toStandardSchema)
  return { required: true, content: toJsonContent(others.length ? { anyOf: [schema, ...others] } : schema!) }
}
