import { Type } from '@sinclair/typebox'
import { ignoreNotFound } from '../../../provider-errors'
import type { SigningContext, SigningRequest } from '../../port'
import { DownloadResponse, SignatureResponse } from '../schemas'
import { toCredentialHeaders } from '../credentials'
import { toCreateBody } from './transform'

const UploadResponse = Type.Object({ id: Type.String({ minLength: 1 }) })

export type NativeApi = ReturnType<typeof createNativeApi>

/** Creates the calls of the native interface. */
export function createNativeApi({ client, getBaseUrl, account }: SigningContext) {
  const headers = toCredentialHeaders(account)
  const collectionUrl = () => `${getBaseUrl()}/api/signature`
  const toUrl = (requestId: string) => `${collectionUrl()}/${encodeURIComponent(requestId)}`
  return {
    upload: async (name: string, content: Uint8Array) => {
      const options = { headers, body: toUploadForm(name, content) }
      return client.requestJson('post', `${getBaseUrl()}/api/documents`, UploadResponse, options)
    },

    create: (request: SigningRequest, documentId: string) => {
      const options = { headers, json: toCreateBody(request, documentId) }
      return client.requestJson('post', collectionUrl(), SignatureResponse, options)
    },

    find: (requestId: string) =>
      ignoreNotFound(client.requestJson('get', toUrl(requestId), SignatureResponse, { headers })),

    delete: (requestId: string) =>
      ignoreNotFound(client.requestJson('post', `${toUrl(requestId)}/delete/`, Type.Unknown(), { headers })),

    download: (requestId: string) =>
      client.requestPdf(`${toUrl(requestId)}/download/`, DownloadResponse, { headers }),
  }
}

function toUploadForm(name: string, content: Uint8Array): FormData {
  const file = new Blob([content as Uint8Array<ArrayBuffer>], { type: 'application/pdf' })
  const form = new FormData()
  form.set('name', name)
  form.set('document', file, name)
  return form
}
