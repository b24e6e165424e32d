import { findSignerRoles } from './lease-summary'
import { DownloadError } from '../providers/download'
import type { SandboxCore } from './core'
import { toSha256 } from '../domain/sha256'
import { loadDocument } from './document-store'
import type { SigningRequest } from './signing-model'

/**
 * Renders the document as signed so far, with a page of signatures at its end. A document that cannot be had or
 * read is replaced by a page that says why.
 */
export async function renderSignedPdf(sandbox: SandboxCore, request: SigningRequest): Promise<Uint8Array> {
  const roles = await findSignerRoles(sandbox.deps, request.id)
  // Fonts, text shaper and PDF library take time and memory: they are loaded at the first use.
  const { renderSignatures } = await import('./pdf/signatures')
  const document = await loadDocument(sandbox, request).catch(toProblem(DownloadError))
  if (typeof document === 'string') return renderSignatures({ request, roles }, document)

  const { appendPages, UnreadablePdfError } = await import('./pdf/append-pages')
  const facts = { request, roles, file: { size: document.length, sha256: toSha256(document) } }
  const signed = await appendPages(document, await renderSignatures(facts)).catch(
    toProblem(UnreadablePdfError),
  )
  return typeof signed === 'string' ? renderSignatures(facts, signed) : signed
}

const toProblem = (expected: new (message: string) => Error) => (error: unknown) => {
  if (error instanceof expected) return error.message
  throw error
}
