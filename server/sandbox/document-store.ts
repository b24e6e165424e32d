import { randomUUID } from 'node:crypto'
import { documentRules } from '../messages/signing'
import { DownloadError, downloadPdf } from '../providers/download'
import { getSampleLease, isSampleLease } from '../documents/sample-lease'
import { toSha256 } from '../domain/sha256'
import { loadServedLease, toServedPath } from '../leases/documents/sent'
import type { SandboxCore } from './core'
import { createRecordStore } from './record-store'
import type { SigningRequest } from './signing-model'

/** The caller, who waits for the signed PDF, has a limit of its own. */
const MAX_DOWNLOAD_MS = 5000

/** A document that waits for its request. */
type Upload = { id: string; name: string; size: number; sha256: string }

const getUploadStore = ({ deps }: SandboxCore) => createRecordStore<Upload>(deps.db, 'document')
const getContentStore = ({ deps }: SandboxCore) => createRecordStore<{ base64: string }>(deps.db, 'content')

export async function saveUpload(sandbox: SandboxCore, name: string, bytes: Buffer) {
  const upload: Upload = { id: randomUUID(), name, size: bytes.length, sha256: toSha256(bytes) }
  await addContent(sandbox, upload.id, bytes)
  await getUploadStore(sandbox).add(upload.id, upload, await sandbox.clock.now())
  return upload
}

/** Takes an upload for one request; of several concurrent callers one gets it. */
export const takeUpload = (sandbox: SandboxCore, id: string) => getUploadStore(sandbox).remove(id)

export const hasContent = async (sandbox: SandboxCore, id: string) =>
  (await findContent(sandbox, id)) !== undefined

/**
 * Loads the document that was sent for signing. One from an address is downloaded once and stored, so that what
 * is signed does not change.
 * @throws DownloadError There is none, or it cannot be downloaded.
 */
export async function loadDocument(sandbox: SandboxCore, request: SigningRequest): Promise<Uint8Array> {
  const { id, document, documentId, documentUrl } = request
  const stored = await findContent(sandbox, document ? documentId : id)
  if (stored) return stored
  if (!documentUrl) throw new DownloadError(documentRules.not_stored)
  if (isOwnLease(sandbox, documentUrl)) return getSampleLease()

  const bytes = await downloadPdf(documentUrl, toDownloadSettings(sandbox))
  await addContent(sandbox, id, bytes)
  return (await findContent(sandbox, id)) ?? bytes
}

/** Reads a lease that the server stores, as a provider does at once: its address ends with the signing. */
export async function copyOwnLease(sandbox: SandboxCore, { id, documentUrl }: SigningRequest) {
  const { ownUrl, publicUrl } = sandbox.deps
  const address = [ownUrl, publicUrl]
    .map(url => url() + toServedPath(''))
    .find(url => documentUrl?.startsWith(url))
  if (!address) return
  const { content } = await loadServedLease(sandbox.deps, documentUrl!.slice(address.length))
  await addContent(sandbox, id, content)
}

/** The ids of uploads and requests are those of their own records. */
const toContentId = (id: string) => `${id}/content`

/** Stores the first copy. */
async function addContent(sandbox: SandboxCore, id: string, bytes: Uint8Array) {
  const base64 = Buffer.from(bytes).toString('base64')
  await getContentStore(sandbox).add(toContentId(id), { base64 }, await sandbox.clock.now())
}

async function findContent(sandbox: SandboxCore, id: string) {
  const content = await getContentStore(sandbox).find(toContentId(id))
  return content && Buffer.from(content.base64, 'base64')
}

/** The server does not ask itself for its own lease. */
function isOwnLease({ deps: { config, ownUrl, publicUrl } }: SandboxCore, documentUrl: string) {
  return [ownUrl, publicUrl].some(url => isSampleLease({ config, publicUrl: url }, documentUrl))
}

function toDownloadSettings({ deps }: SandboxCore) {
  const { config } = deps
  return { ...config, PROVIDER_TIMEOUT_MS: Math.min(config.PROVIDER_TIMEOUT_MS / 2, MAX_DOWNLOAD_MS) }
}
