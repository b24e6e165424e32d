import { Type } from '@sinclair/typebox'
import { refuse } from '../../../errors'
import { LoggableError } from '../../../observability/safe-errors'
import { ignoreNotFound } from '../../provider-errors'
import { toCredentialHeaders } from '../../setu-account'
import type { SigningContext, SigningStatus } from '../port'
import { SignatureResponse } from './schemas'

const UploadResponse = Type.Object({ id: Type.String({ minLength: 1 }) })

/** The paths of an interface: of its requests, and of the PDF below one. */
type Interface = { requests: 'esign' | 'signature'; pdf: 'pdf' | 'download/' }

export type SetuApi = ReturnType<typeof createSetuApi>

/** Creates the calls of one of Setu's interfaces; each can be limited by a `signal` for several of them. */
export function createSetuApi({ client, account }: SigningContext, { requests, pdf }: Interface) {
  const headers = toCredentialHeaders(account)
  const collectionUrl = () => `${account.getBaseUrl()}/api/${requests}`
  const toUrl = (requestId: string) => `${collectionUrl()}/${encodeURIComponent(requestId)}`
  return {
    upload: (name: string, content: Uint8Array, signal: AbortSignal) => {
      const options = { headers, signal, body: toUploadForm(name, content) }
      return client.requestJson('post', `${account.getBaseUrl()}/api/documents`, UploadResponse, options)
    },

    create: (json: object, signal?: AbortSignal) =>
      client.requestJson('post', collectionUrl(), SignatureResponse, { headers, signal, json }),

    find: (requestId: string, signal?: AbortSignal) =>
      ignoreNotFound(client.requestJson('get', toUrl(requestId), SignatureResponse, { headers, signal })),

    delete: async (requestId: string) => {
      const url = `${toUrl(requestId)}/delete/`
      await ignoreNotFound(client.requestJson('post', url, Type.Unknown(), { headers }))
      return true
    },

    download: (requestId: string, signal?: AbortSignal) =>
      client.requestPdf(`${toUrl(requestId)}/${pdf}`, { headers, signal }),
  }
}

function toUploadForm(name: string, content: Uint8Array): FormData {
  const file = new Blob([content as Uint8Array<ArrayBuffer>], { type: 'application/pdf' })
  const form = new FormData()
  form.set('name', name)
  form.set('document', file, name)
  return form
}

/** @throws SERVICE_UNAVAILABLE The signer has no address to sign at. */
export function requireAddress(status: SigningStatus | undefined): SigningStatus {
  if (status?.signingUrl) return status
  const cause = new LoggableError('The provider gave no signing address')
  throw refuse('provider_unreachable', { provider: 'e-signing' }, { cause })
}
