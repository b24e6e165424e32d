import { Type } from '@sinclair/typebox'
import type { DocumentLanguageQuery, Language } from '@kiraya/sdk/contract'
import type { Deps } from '../../deps'
import type { Documents, DocumentName } from '../../documents/data'
import { renderDocument } from '../../documents/render'
import { toSha256 } from '../../domain/sha256'
import type { Reader } from './reader'

/** The declared response of a route that sends a PDF. */
export const Pdf = Type.Any({ contentMediaType: 'application/pdf' })

/** Makes one document of a user at a time, so that one user's do not fill the queue. */
export const makeAlone = <T>(
  { limiter }: Pick<Deps, 'limiter'>,
  { userId }: Reader,
  make: () => Promise<T>,
) => limiter.run(`documents of ${userId}`, make, 1)

type Asked = { reader: Reader; query: DocumentLanguageQuery }
type Loaded = { [N in DocumentName]: { fileName: string; name: N; data: Documents[N] } }[DocumentName]

/** Loads and renders a document in the language of its reader, and sends it. */
export async function sendDocument(
  deps: Pick<Deps, 'limiter'>,
  { reader, query }: Asked,
  load: (language: Language) => Promise<Loaded>,
) {
  const language = query.language ?? reader.language
  const [fileName, content] = await makeAlone(deps, reader, async () => {
    const { fileName, name, data } = await load(language)
    return [fileName, await renderDocument(name, data, language)] as const
  })
  return toPdfResponse(fileName, content)
}

export function toPdfResponse(name: string, content: Uint8Array, sha256 = toSha256(content)) {
  return toFileResponse(`${name}.pdf`, 'application/pdf', content, sha256)
}

/** Sends a file as a download with its digest (RFC 9530). Nothing in it runs if a browser shows it. */
export function toFileResponse(
  fileName: string,
  contentType: string,
  content: Uint8Array,
  sha256 = toSha256(content),
) {
  const asciiFileName = fileName.replace(/[^\w .-]/g, '_')
  const digest = Buffer.from(sha256, 'hex').toString('base64')
  return new Response(content as Uint8Array<ArrayBuffer>, {
    headers: {
      'content-type': contentType,
      'content-security-policy': "default-src 'none'; sandbox",
      'content-length': String(content.length),
      'content-disposition': `attachment; filename="${asciiFileName}"; filename*=UTF-8''${encodeURIComponent(fileName)}`,
      'repr-digest': `sha-256=:${digest}:`,
      etag: `"${sha256}"`,
      'cache-control': 'private, no-store',
    },
  })
}
