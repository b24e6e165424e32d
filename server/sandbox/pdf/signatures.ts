import { roleLabels } from '../../leases/lease-labels'
import type { SignerRole } from '../../leases/states'
import { formatCount } from '../../pdf/formats'
import { CONTENT_WIDTH, PdfLayout } from '../../pdf/layout'
import {
  addDescriptionList,
  addHeading,
  addNote,
  addSubheading,
  addTitle,
  createCell,
  styles,
} from '../../pdf/sections'
import { formatInstant } from '../../pdf/formats'
import { formatShownPhone, hasDeclined, isComplete, type Signer, type SigningRequest } from '../signing-model'

const WARNING = 'Sandbox: not legally binding'

/** What the page of signatures states. */
export type SignatureFacts = {
  request: SigningRequest
  /** By the signer's id; a request without an agreement has none. */
  roles: ReadonlyMap<string | null | undefined, SignerRole>
  /** The signed file, if it could be read; the size in bytes. */
  file?: { size: number; sha256: string }
}

/**
 * Renders the page of signatures, after a cover page if a `problem` keeps the document from preceding it. The
 * same facts give the same bytes.
 */
export function renderSignatures(facts: SignatureFacts, problem?: string): Promise<Uint8Array> {
  const { request } = facts
  const page = new PdfLayout({
    title: `Signatures of request ${request.id}`,
    createdAt: getLastChange(request),
  })
  if (problem) {
    addCover(page, facts, problem)
    page.addPageBreak()
  }
  addTitle(page, 'Signatures', toState(request))
  page.addRow([createCell(WARNING, { style: styles.emphasis })])
  addNote(page, 'The sandbox of Kiraya simulates an e-signing provider: no identity was verified.')
  addHeading(page, 'The document')
  addDocument(page, facts)
  addHeading(page, request.signers.length > 1 ? 'The signers' : 'The signer')
  for (const signer of request.signers) addSigner(page, signer, facts)

  return page.toBytes(() => [createCell(`${WARNING} · Request ${request.id}`, { style: styles.footer })])
}

/** The bytes must not depend on when they are made. */
function getLastChange({ signers, validUpto }: SigningRequest) {
  const signedAt = signers.map(signer => signer.signedAt).filter(at => at !== null)
  return new Date(signedAt.toSorted().at(-1) ?? validUpto)
}

function toState(request: SigningRequest) {
  return isComplete(request) ? 'Signed by all who were asked' : 'Not signed by all who were asked yet'
}

function addCover(page: PdfLayout, facts: SignatureFacts, problem: string) {
  addTitle(page, 'The document is not included', toState(facts.request))
  page.addRow([createCell(problem, { width: CONTENT_WIDTH })])
  page.addSpace(4)
  page.addRow([createCell('The signatures on the next page are those of the document named here.')])
  addHeading(page, 'The document')
  addDocument(page, facts)
}

function addDocument(page: PdfLayout, { request, file = request.document ?? undefined }: SignatureFacts) {
  const { id, document, documentId, documentUrl } = request
  addDescriptionList(page, [
    ['Document', document?.name ?? documentUrl],
    ['Document ID', documentId],
    ['Request ID', id],
    ['Size', file && `${formatCount(file.size)} bytes`],
    ['SHA-256', file?.sha256],
  ])
}

function addSigner(page: PdfLayout, signer: Signer, { roles }: SignatureFacts) {
  const role = roles.get(signer.id)
  addSubheading(page, signer.displayName, role ? roleLabels[role] : 'Signer')
  addDescriptionList(page, [
    ['Signature', toSignatureText(signer)],
    ['Phone', formatShownPhone(signer)],
    ['Signature ID', signer.id],
  ])
  page.addSpace(8)
}

function toSignatureText(signer: Signer) {
  if (signer.signedAt) return `Signed on ${formatInstant(new Date(signer.signedAt))}`
  return hasDeclined(signer) ? 'Declined to sign' : 'Has not signed'
}
