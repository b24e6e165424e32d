import { createHash, randomUUID } from 'node:crypto'
import { DownloadError, downloadPdf } from '../providers/download'
import type { SandboxCore } from './core'
import { createRecordStore } from './record-store'
import type { SigningRequest } from './signing-model'
import { keepContent } from './signing-requests'

/** The caller, who waits for the signed PDF, has a limit of its own. */
const MAX_DOWNLOAD_MS = 5000
const SAMPLE_LEASE_PATH = '/sandbox/files/sample-lease.pdf'

/** The content is a record of its own, so that changes of the upload do not rewrite it. */
type Upload = {
  id: string
  name: string
  size: number
  sha256: string
  content: string
  usedBy: string | null
}

const getUploadStore = ({ deps }: SandboxCore) => createRecordStore<Upload>(deps.db, 'document')
const getContentStore = ({ deps }: SandboxCore) => createRecordStore<{ base64: string }>(deps.db, 'content')

export async function saveUpload(sandbox: SandboxCore, name: string, bytes: Buffer) {
  const upload: Upload = {
    id: randomUUID(),
    name,
    size: bytes.length,
    sha256: toSha256(bytes),
    content: await addContent(sandbox, bytes),
    usedBy: null,
  }
  await getUploadStore(sandbox).add(upload.id, upload, await sandbox.clock.now())
  return upload
}

export const toSha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')

/** Claims an uploaded document for one request; `isOurs` is false if another request uses it. */
export async function claimUpload(sandbox: SandboxCore, id: string) {
  const claim = randomUUID()
  const upload = await getUploadStore(sandbox).update(id, before => ({
    ...before,
    usedBy: before.usedBy ?? claim,
  }))
  return upload && { upload, isOurs: upload.usedBy === claim }
}

/**
 * Loads the document that was sent for signing. One from an address is downloaded once and kept, so that what
 * is signed does not change.
 * @throws DownloadError There is none, or it cannot be downloaded.
 */
export async function loadDocument(sandbox: SandboxCore, request: SigningRequest): Promise<Uint8Array> {
  const { document, documentId, documentUrl } = request
  const upload = document ? await getUploadStore(sandbox).find(documentId) : undefined
  const kept = await findContent(sandbox, upload?.content ?? request.content)
  if (kept) return kept
  if (!documentUrl) throw new DownloadError('The document is no longer stored')
  if (isSampleLease(sandbox, documentUrl)) return getSampleLease()

  const bytes = await downloadPdf(documentUrl, toDownloadSettings(sandbox))
  const content = await addContent(sandbox, bytes)
  const changed = await keepContent(sandbox, request.id, content)
  if (changed?.content === content) return bytes
  await getContentStore(sandbox).remove(content)
  return (await findContent(sandbox, changed?.content)) ?? bytes
}

async function addContent(sandbox: SandboxCore, bytes: Uint8Array) {
  const id = randomUUID()
  const base64 = Buffer.from(bytes).toString('base64')
  await getContentStore(sandbox).add(id, { base64 }, await sandbox.clock.now())
  return id
}

async function findContent(sandbox: SandboxCore, id: string | undefined) {
  const content = id && (await getContentStore(sandbox).find(id))
  return content ? Buffer.from(content.base64, 'base64') : undefined
}

/** The server does not ask itself for its own lease. */
function isSampleLease({ deps }: SandboxCore, documentUrl: string) {
  return [deps.ownUrl(), deps.publicUrl()].some(url => documentUrl === url + SAMPLE_LEASE_PATH)
}

function toDownloadSettings({ deps }: SandboxCore) {
  const { config } = deps
  return { ...config, PROVIDER_TIMEOUT_MS: Math.min(config.PROVIDER_TIMEOUT_MS / 2, MAX_DOWNLOAD_MS) }
}

let sampleLease: Promise<Uint8Array> | undefined

/** Returns a lease for trying out the signing. */
export function getSampleLease() {
  // Its fonts and text shaper take memory: they are loaded at the first use.
  sampleLease ??= import('./pdf/sample-lease').then(({ renderSampleLease }) => renderSampleLease())
  return sampleLease
}
