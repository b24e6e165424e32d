import { Type } from '@sinclair/typebox'
import type { DocumentLanguageQuery, Language } from '@kiraya/sdk/contract'
import { runInSlot } from '../../../db/deadlines'
import type { Deps } from '../../deps'
import type { Documents, DocumentName } from '../../documents/data'
import { renderDocument } from '../../documents/render'
import { toSha256 } from '../../domain/sha256'
import { createQueue } from '../limits/queue'
import type { Reader } from './reader'

const MAX_AT_ONCE = 4
const MAX_WAITING = 200

/** The declared response of a route that sends a PDF. */
export const Pdf = Type.Any({ contentMediaType: 'application/pdf' })

export const createPdfQueue = () => createQueue(MAX_AT_ONCE, MAX_WAITING, 'documents_busy')

/**
 * Reads and draws a PDF, one of a few at a time. It holds a slot of its user, so that one user's do not fill the queue.
 * @throws SERVICE_UNAVAILABLE Too many wait.
 */
export function drawPdf<T>({ pdfQueue }: Pick<Deps, 'pdfQueue'>, draw: () => Promise<T>): Promise<T> {
  return runInSlot(() => pdfQueue.run(draw))
}

type Asked = { reader: Reader; query: DocumentLanguageQuery }
type Loaded = { [N in DocumentName]: { fileName: string; name: N; data: Documents[N] } }[DocumentName]

/** Loads and renders a document in the language of its reader, and sends it. */
export async function sendDocument(
  deps: Pick<Deps, 'pdfQueue'>,
  { reader, query }: Asked,
  load: (language: Language) => Promise<Loaded>,
) {
  const language = query.language ?? reader.language
  const [fileName, content] = await drawPdf(deps, async () => {
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
