import { Type } from '@sinclair/typebox'
import { ignoreNotFound } from '../../../provider-errors'
import { toCredentialHeaders } from '../../../setu-account'
import type { SigningContext, SigningRequest } from '../../port'
import { DownloadResponse, SignatureResponse } from '../schemas'
import { toCreateBody } from './transform'

const UploadResponse = Type.Object({ id: Type.String({ minLength: 1 }) })

export type NativeApi = ReturnType<typeof createNativeApi>

/** Creates the calls of the native interface; each can be limited by a `signal` for several of them. */
export function createNativeApi({ client, account }: SigningContext) {
  const headers = toCredentialHeaders(account)
  const collectionUrl = () => `${account.getBaseUrl()}/api/signature`
  const toUrl = (requestId: string) => `${collectionUrl()}/${encodeURIComponent(requestId)}`
  return {
    upload: async (name: string, content: Uint8Array, signal: AbortSignal) => {
      const options = { headers, signal, body: toUploadForm(name, content) }
      return client.requestJson('post', `${account.getBaseUrl()}/api/documents`, UploadResponse, options)
    },

    create: (request: SigningRequest, documentId: string, signal: AbortSignal) => {
      const options = { headers, signal, json: toCreateBody(request, documentId) }
      return client.requestJson('post', collectionUrl(), SignatureResponse, options)
    },

    find: (requestId: string, signal?: AbortSignal) =>
      ignoreNotFound(client.requestJson('get', toUrl(requestId), SignatureResponse, { headers, signal })),

    delete: (requestId: string) =>
      ignoreNotFound(client.requestJson('post', `${toUrl(requestId)}/delete/`, Type.Unknown(), { headers })),

    download: (requestId: string, signal?: AbortSignal) =>
      client.requestPdf(`${toUrl(requestId)}/download/`, DownloadResponse, { headers, signal }),
  }
}

function toUploadForm(name: string, content: Uint8Array): FormData {
  const file = new Blob([content as Uint8Array<ArrayBuffer>], { type: 'application/pdf' })
  const form = new FormData()
  form.set('name', name)
  form.set('document', file, name)
  return form
}
