import { createHash } from 'node:crypto'
import type { TestServer } from '../../../../support/server'
import { createDraft, signInUser } from '../../../../support/users'
import { signs, start, type Provider } from '../provider'

/** An agreement that lacks only the tenant's signature. */
export async function createPendingSignature(provider: Provider, server: TestServer) {
  const { url } = server
  const owner = await signInUser(url)
  const tenant = await signInUser(url)
  const { agreement } = await createDraft(owner, [tenant])
  await signs(provider, url, owner, agreement, owner)
  const {
    body: { data },
  } = await start(owner, agreement, tenant)
  const id: string = data.signature_id
  return {
    owner,
    tenant,
    agreement,
    id,
    request: provider.of(id),
    signature: async () =>
      (await owner.call('GET', `/agreements/${agreement.id}/signatures`)).body.data.signatures.find(
        (each: any) => each.signer_id === tenant.id,
      ),
    status: async () => (await owner.call('GET', `/agreements/${agreement.id}`)).body.data.status,
    activities: (type: string) =>
      server.db
        .selectFrom('activities')
        .where('entity_type', '=', 'agreement')
        .where('entity_id', '=', agreement.id)
        .where('type', '=', type)
        .select('user_id')
        .execute(),
  }
}

/** Selects the stored webhooks of a payload. */
export function selectWebhooks(server: TestServer, payload: unknown) {
  const body = typeof payload === 'string' ? payload : JSON.stringify(payload)
  return server.db
    .selectFrom('received_webhooks')
    .where('digest', '=', createHash('sha256').update(body).digest('hex'))
}

export const listWebhooks = (server: TestServer, payload: unknown) =>
  selectWebhooks(server, payload).select(['outcome', 'processed_at']).execute()
