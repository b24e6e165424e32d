import type { SignaturesData } from '../documents/data'
import { renderDocument } from '../documents/render'
import { toSha256 } from '../domain/sha256'
import { roleLabels } from '../leases/lease-labels'
import type { SignerRole } from '../leases/states'
import { DownloadError } from '../providers/download'
import type { SandboxCore } from './core'
import { loadDocument } from './document-store'
import { findSignerRoles } from './lease-summary'
import { formatShownPhone, hasDeclined, isComplete, type SigningRequest } from './signing-model'

/** What the page of signatures states, and the signed file, if it could be read. */
type Facts = {
  request: SigningRequest
  /** By the signer's id; a request without an agreement has none. */
  roles: ReadonlyMap<string | null | undefined, SignerRole>
  file?: { size: number; sha256: string }
}

/**
 * Renders the document as signed so far, with a page of signatures at its end. A document that cannot be had or
 * read is replaced by a page that says why.
 */
export async function renderSignedPdf(sandbox: SandboxCore, request: SigningRequest): Promise<Uint8Array> {
  const roles = await findSignerRoles(sandbox.deps, request.id)
  const document = await loadDocument(sandbox, request).catch(toProblem(DownloadError))
  if (typeof document === 'string') return renderSignatures({ request, roles }, document)

  // The library takes time and memory: it is loaded at the first use.
  const { appendPages, UnreadablePdfError } = await import('./append-pages')
  const facts = { request, roles, file: { size: document.length, sha256: toSha256(document) } }
  const signed = await appendPages(document, await renderSignatures(facts)).catch(
    toProblem(UnreadablePdfError),
  )
  return typeof signed === 'string' ? renderSignatures(facts, signed) : signed
}

const toProblem = (expected: new (...given: never[]) => Error) => (error: unknown) => {
  if (error instanceof expected) return error.message
  throw error
}

/** A `problem` keeps the document from preceding the page. The same facts give the same bytes. */
function renderSignatures(facts: Facts, problem: string | null = null) {
  return renderDocument('signatures', toSignatures(facts, problem))
}

export function toSignatures({ request, roles, file }: Facts, problem: string | null): SignaturesData {
  const { id, document, documentId, documentUrl, signers } = request
  const { size, sha256 } = file ?? document ?? { size: null, sha256: null }
  return {
    request_id: id,
    changed_at: getLastChange(request),
    is_complete: isComplete(request),
    problem,
    document: { id: documentId, name: document?.name ?? documentUrl, size, sha256 },
    signers: signers.map(signer => ({
      id: signer.id,
      name: signer.displayName,
      role: toRoleLabel(roles.get(signer.id)),
      phone: formatShownPhone(signer) ?? null,
      signed_at: signer.signedAt,
      has_declined: hasDeclined(signer),
    })),
  }
}

/** The bytes must not depend on when they are made. */
function getLastChange({ signers, validUpto }: SigningRequest) {
  const signedAt = signers.map(signer => signer.signedAt).filter(at => at !== null)
  return signedAt.toSorted().at(-1) ?? validUpto
}

const toRoleLabel = (role: SignerRole | undefined) => (role ? roleLabels[role] : 'Signer')
