import { sandboxSecret } from '../../../server/providers/index'
import type { startTestServer } from '../../support/server'
import { createDraft, sendRequest, signInUser, type TestUser } from '../../support/users'

export type TestServer = Awaited<ReturnType<typeof startTestServer>>
export type Headers = Record<string, string>

/** What the adapters send to authenticate. */
export const getCredentials = ({ deps }: TestServer) => ({
  'x-client-id': 'sandbox',
  'x-client-secret': sandboxSecret(deps.config),
  'x-product-instance-id': 'sandbox',
})

export const callControl = (server: TestServer, method: string, path = '', body?: unknown) =>
  sendRequest(server.url, method, `/sandbox/control${path}`, { body })

export async function getState(server: TestServer) {
  const { body } = await callControl(server, 'GET')
  return body.data
}

export async function addFailure(server: TestServer, rule: Record<string, unknown>) {
  const { body } = await callControl(server, 'POST', '/failures', rule)
  return body.data
}

export const moveClock = (server: TestServer, change: Record<string, unknown>) =>
  callControl(server, 'POST', '/clock', change)

export const applyOutcome = (server: TestServer, id: string, outcome: unknown = 'sign') =>
  callControl(server, 'POST', `/signatures/${id}`, { outcome })

export const getRequestId = (address: string) => address.split('/').pop()!

const flexiInput = {
  documentUrl: 'https://example.com/lease.pdf',
  signer: { identifier: '9876543210', displayName: 'Asha Rao' },
  redirectUrl: 'https://example.com/done',
}

/** Creates a request at the provider's own interface, with a document id of its own. */
export async function createRequest(server: TestServer, input: Record<string, unknown> = {}) {
  const response = await sendRequest(server.url, 'POST', '/sandbox/esign/api/esign', {
    headers: getCredentials(server),
    body: { documentId: crypto.randomUUID(), ...flexiInput, ...input },
  })
  return response.body
}

const NATIVE_API = '/sandbox/esign/api'

/** Uploads a document at the native interface and returns its id. */
export async function uploadDocument(server: TestServer, content: BlobPart): Promise<string> {
  const form = new FormData()
  form.set('name', 'lease.pdf')
  form.set('document', new Blob([content]), 'x.pdf')
  const headers = getCredentials(server)
  const uploaded = await fetch(`${server.url}${NATIVE_API}/documents`, {
    method: 'POST',
    headers,
    body: form,
  })
  const { id } = (await uploaded.json()) as { id: string }
  return id
}

export const postNativeRequest = (server: TestServer, documentId: string, signers: unknown) =>
  sendRequest(server, 'POST', `${NATIVE_API}/signature`, {
    headers: getCredentials(server),
    body: { documentId, redirectUrl: 'https://example.com/done', signers },
  })

export const getRequest = (server: TestServer, id: string) =>
  sendRequest(server.url, 'GET', `/sandbox/esign/api/esign/${id}`, { headers: getCredentials(server) })

/** Creates an agreement and requests its tenant's signature. */
export async function startSigning(server: TestServer, terms: Record<string, unknown> = {}) {
  const owner = await signInUser(server)
  const tenant = await signInUser(server)
  const { agreement } = await createDraft(owner, [tenant], terms)
  const data = await requestSignature(owner, agreement, tenant)
  const address: string = data.signing_url
  return { owner, tenant, agreement, id: getRequestId(address), address }
}

export async function requestSignature(owner: TestUser, agreement: { id: number }, signer: { id: number }) {
  const { body } = await owner.call('POST', `/agreements/${agreement.id}/sign`, { signer_id: signer.id })
  return body.data
}

export async function getSignature({ owner, agreement }: { owner: TestUser; agreement: { id: number } }) {
  const { body } = await owner.call('GET', `/agreements/${agreement.id}/signatures`)
  return body.data.signatures[0]
}

/** Returns the types of an agreement's entries, in their order. */
export async function getEntryTypes(owner: TestUser, agreement: { id: number }): Promise<string[]> {
  const { body } = await owner.call('GET', `/agreements/${agreement.id}/timeline`)
  return body.data.entries.map(({ type }: { type: string }) => type)
}

/** Records the e-signing webhooks that arrive, and lists those of a request. */
export function recordWebhooks(server: TestServer) {
  const { signing } = server.deps
  const { verifyWebhook } = signing
  const webhooks: { id: string; event: string; isValid: boolean; payload: any }[] = []
  signing.verifyWebhook = (bytes, signature) => {
    const payload = JSON.parse(String(Buffer.from(bytes)))
    const isValid = verifyWebhook(bytes, signature)
    webhooks.push({ id: payload.data.esign.id, event: payload.event, isValid, payload })
    return isValid
  }
  const listWebhooks = (ofId: string) =>
    webhooks
      .filter(({ id }) => id === ofId)
      .map(({ event, isValid }) => (isValid ? event : `forged ${event}`))
  return { webhooks, listWebhooks }
}
