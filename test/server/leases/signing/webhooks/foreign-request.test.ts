import { expect, test } from 'bun:test'
import { Type } from '@sinclair/typebox'
import type { SigningProvider } from '../../../../../server/providers/signing/port'
import { signingServer } from '../signing-fixtures'

const refuse = () => Promise.reject(new Error('the courier is never called'))

/** Another vendor, which accepts no signature and would take every request for signed. */
const courier: SigningProvider = {
  name: 'courier',
  hasSharedRequests: false,
  initiate: refuse,
  status: async ({ requestId }) => ({ requestId, status: 'SIGNED' }),
  cancel: refuse,
  download: refuse,
  webhookHeader: 'x-courier',
  webhookSchema: Type.Object({}),
  verifyWebhook: () => false,
  redactWebhook: payload => payload,
  parseWebhook: payload => [{ requestId: JSON.parse(payload).data.esign.id, status: 'SIGNED' }],
}

const { provider, server, deliver, createPending, selectWebhooks } = signingServer({
  overrides: { otherSigning: [courier] },
})

test('a webhook with one provider’s signature has no effect on a request of another provider', async () => {
  const { id, request, status } = await createPending()
  const db = server.db
  await db
    .updateTable('agreement_signatures')
    .set({ provider: 'courier' })
    .where('signature_id', '=', id)
    .execute()

  const news = provider.news('ESIGN_COMPLETE', { id: request.id, status: 'sign_complete' })
  expect((await deliver(news)).status).toBe(200)

  const webhooks = await selectWebhooks(news).select(['provider', 'outcome']).execute()
  expect(webhooks).toEqual([{ provider: 'setu', outcome: 'unknown request' }])
  const signature = await db
    .selectFrom('agreement_signatures')
    .where('signature_id', '=', id)
    .select(['provider', 'status', 'provider_request_id'])
    .executeTakeFirstOrThrow()
  expect(signature).toEqual({ provider: 'courier', status: 'PENDING', provider_request_id: request.id })
  expect(await status()).toBe('PENDING')
})
