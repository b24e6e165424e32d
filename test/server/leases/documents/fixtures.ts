import { createHash } from 'node:crypto'
import { toTinyPdf } from '../../../support/pdf'
import type { TestServer } from '../../../support/server'
import { createDraft, type TestUser } from '../../../support/users'

export const pdf = (text: string) => Buffer.from(toTinyPdf(text))
export const toSha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')

/** A draft without a document, unless the changes say one. */
export const createBareDraft = (
  owner: TestUser,
  tenants: TestUser[],
  changes: Record<string, unknown> = {},
) => createDraft(owner, tenants, { document_url: undefined, ...changes })

/** Downloads a file as it is sent. */
export async function fetchFile({ url }: Pick<TestServer, 'url'>, path: string, reader?: TestUser) {
  const headers = reader && { authorization: `Bearer ${reader.token}` }
  const response = await fetch(`${url}${path}`, { headers })
  return { status: response.status, bytes: Buffer.from(await response.arrayBuffer()) }
}

/** The names and sizes of a landlord's stored files. */
export const listFiles = ({ db }: TestServer, { id }: TestUser) =>
  db
    .selectFrom('stored_files')
    .where('landlord_id', '=', id)
    .orderBy('name')
    .select(['name', 'size', 'sha256'])
    .execute()
