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

/** Calls a provider's own interface as its adapter does. */
export const callProvider = (server: TestServer, method: string, path: string, body?: unknown) =>
  sendRequest(server, method, `/sandbox${path}`, { headers: getCredentials(server), body })

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

export const asha = { identifier: '9876543210', displayName: 'Asha Rao' }
export const tara = { identifier: '9123456789', displayName: 'Tara Iyer' }

const flexiInput = {
  documentUrl: 'https://example.com/lease.pdf',
  signer: asha,
  redirectUrl: 'https://example.com/done',
}

/** Creates a request at the provider's own interface, with a document id of its own. */
export async function createRequest(server: TestServer, input: Record<string, unknown> = {}) {
  const request = { documentId: crypto.randomUUID(), ...flexiInput, ...input }
  const { body } = await callProvider(server, 'POST', '/esign/api/esign', request)
  return body
}

/** Uploads a document at the native interface and returns its id. */
export async function uploadDocument(server: TestServer, content: BlobPart): Promise<string> {
  const form = new FormData()
  form.set('name', 'lease.pdf')
  form.set('document', new Blob([content]), 'x.pdf')
  const headers = getCredentials(server)
  const uploaded = await fetch(`${server.url}/sandbox/esign/api/documents`, {
    method: 'POST',
    headers,
    body: form,
  })
  const { id } = (await uploaded.json()) as { id: string }
  return id
}

export const postNativeRequest = (server: TestServer, documentId: string, signers: unknown) =>
  callProvider(server, 'POST', '/esign/api/signature', {
    documentId,
    redirectUrl: flexiInput.redirectUrl,
    signers,
  })

/** Uploads a document at the native interface and requests its signatures, those of two signers if none are named. */
export async function createNativeRequest(
  server: TestServer,
  signers: unknown = [asha, tara],
  document: BlobPart = '%PDF-1.4\nthe lease',
) {
  const { body } = await postNativeRequest(server, await uploadDocument(server, document), signers)
  return body
}

export const getRequest = (server: TestServer, id: string) =>
  callProvider(server, 'GET', `/esign/api/esign/${id}`)

export const cancelRequest = (server: TestServer, id: string) =>
  callProvider(server, 'POST', `/esign/api/esign/${id}/delete/`, {})

/** Creates an identity check at the provider's own interface. */
export const postCheck = (server: TestServer) =>
  callProvider(server, 'POST', '/ekyc/api/ekyc/', { redirection_url: `${server.url}/verified` })

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
