import { sandboxSecret } from '../../../server/providers/index'
import { sendRequest, createDraft, signInUser, type TestUser } from '../../support/users'
import type { startTestServer } from '../../support/server'

type Server = Awaited<ReturnType<typeof startTestServer>>

/** What the adapters show to the sandbox. */
export const credentials = ({ deps }: Server) => ({
  'x-client-id': 'sandbox',
  'x-client-secret': sandboxSecret(deps.config),
  'x-product-instance-id': 'sandbox',
})
export const control = (it: Server, method: string, path = '', body?: unknown) =>
  sendRequest(it.url, method, `/sandbox/control${path}`, { body })
export const fault = async (it: Server, body: Record<string, unknown>) =>
  (await control(it, 'POST', '/faults', body)).body.data
export const applyOutcome = (it: Server, id: string, outcome = 'sign') =>
  control(it, 'POST', `/signatures/${id}`, { outcome })
export const getRequestId = (address: string) => address.split('/').pop()!

/** A request at the sandbox's own interface, about a document id of its own. */
export async function createRequest(
  it: Server,
  phone = '9876543210',
  documentId: string = crypto.randomUUID(),
  displayName = 'Asha Rao',
) {
  const answer = await sendRequest(it.url, 'POST', '/sandbox/esign/api/esign', {
    headers: credentials(it),
    body: {
      documentId,
      documentUrl: 'https://example.com/lease.pdf',
      signer: { identifier: phone, displayName },
      redirectUrl: 'https://example.com/done',
    },
  })
  return { ...answer, documentId }
}
export const status = (it: Server, id: string) =>
  sendRequest(it.url, 'GET', `/sandbox/esign/api/esign/${id}`, { headers: credentials(it) })

/** An agreement whose tenant has been asked to sign. */
export async function started(it: Server) {
  const owner = await signInUser(it.url)
  const tenant = await signInUser(it.url)
  const { agreement } = await createDraft(owner, [tenant])
  const {
    body: { data },
  } = await owner.call('POST', `/agreements/${agreement.id}/sign`, { signer_id: tenant.id })
  return { owner, tenant, agreement, id: getRequestId(data.signing_url), address: data.signing_url as string }
}
export const signatureOf = async ({ owner, agreement }: { owner: TestUser; agreement: { id: number } }) =>
  (await owner.call('GET', `/agreements/${agreement.id}/signatures`)).body.data.signatures[0]

/** Writes down each webhook of e-signing that comes, in the order in which they come. */
export function receivedWebhooks(it: Server) {
  const { signing } = it.deps
  const { verifyWebhook } = signing
  const webhooks: { id: string; event: string; valid: boolean }[] = []
  signing.verifyWebhook = (payload, signature) => {
    const { event, data } = JSON.parse(payload)
    const valid = verifyWebhook(payload, signature)
    webhooks.push({ id: data.esign.id, event, valid })
    return valid
  }
  return (id: string) =>
    webhooks
      .filter(webhook => webhook.id === id)
      .map(({ event, valid }) => (valid ? event : `forged ${event}`))
}

/** Until it holds: what comes by itself comes when it is ready. */
export async function until<T>(read: () => Promise<T>, holds: (value: T) => boolean) {
  for (const began = performance.now(); performance.now() - began < 45_000; await Bun.sleep(20)) {
    const value = await read()
    if (holds(value)) return value
  }
  throw new Error('What was to come by itself did not come')
}
