import { Type } from '@sinclair/typebox'
import { toSha256 } from '../../domain/sha256'

/** The declared response of a route that sends a PDF. */
export const Pdf = Type.Any({ contentMediaType: 'application/pdf' })

/** Sends a PDF as a download with its digest (RFC 9530). */
export function toPdfResponse(name: string, content: Uint8Array, sha256 = toSha256(content)) {
  const fileName = `${name}.pdf`
  const asciiFileName = `${name.replace(/[^\w .-]/g, '_')}.pdf`
  const digest = Buffer.from(sha256, 'hex').toString('base64')
  return new Response(content as Uint8Array<ArrayBuffer>, {
    headers: {
      'content-type': 'application/pdf',
      'content-length': String(content.length),
      'content-disposition': `attachment; filename="${asciiFileName}"; filename*=UTF-8''${encodeURIComponent(fileName)}`,
      'repr-digest': `sha-256=:${digest}:`,
      etag: `"${sha256}"`,
      'cache-control': 'private, no-store',
    },
  })
}
