import { fetchChecked } from '../../support/description'
import type { TestUser } from '../../support/users'

/** What a reader of PDFs takes for one. */
export const PDF = Buffer.from('%PDF-1.7\n1 0 obj << >> endobj\n\xff\0binary', 'latin1')

type Server = { url: string }
type Attached = { status: number; data: any; error: any }

/** Sends the bytes of a file in a user's name; a stream is sent in chunks, without a length. */
export async function attach(
  { url }: Server,
  { token }: TestUser,
  path: string,
  body: Uint8Array | ReadableStream,
  headers: Record<string, string> = {},
): Promise<Attached> {
  const response = await fetchChecked(`${url}${path}/attachments`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, ...headers },
    body: body as BodyInit,
  })
  return { status: response.status, ...(await response.json()) }
}

/** Downloads an attachment of a request. */
export async function download({ url }: Server, { token }: TestUser, path: string, attachmentId: string) {
  const response = await fetchChecked(`${url}${path}/attachments/${attachmentId}`, {
    headers: { authorization: `Bearer ${token}` },
  })
  return { status: response.status, headers: response.headers, bytes: Buffer.from(await response.bytes()) }
}
