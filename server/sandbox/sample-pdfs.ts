import { formatExactDateTime } from './format'
import { renderPdf, type PdfLine } from './pdf-writer'
import { formatShownPhone, hasDeclined, isComplete, type Signer, type SigningRequest } from './signing-model'

/** Renders the document as signed so far: what it is, and who signed it when. */
export function renderSignedPdf(request: SigningRequest) {
  const title = isComplete(request) ? 'Signed document' : 'Document, not signed by all yet'
  return renderPdf(title, [
    { text: 'Electronically signed in the sandbox of Kiraya. Nothing here is legally binding.', gap: 6 },
    { text: 'Document', font: 'F2', size: 13, gap: 18 },
    ...toDocumentLines(request),
    { text: `Request ${request.id}`, gap: 6 },
    { text: `Document id ${request.documentId}` },
    { text: 'Signatures', font: 'F2', size: 13, gap: 18 },
    ...request.signers.flatMap(toSignerLines),
  ])
}

function toDocumentLines({ document, documentUrl }: SigningRequest): PdfLine[] {
  if (!document) return [{ text: documentUrl ?? '' }]
  return [
    { text: document.name },
    { text: `${document.size} bytes, SHA-256` },
    { text: document.sha256, font: 'F3', size: 9 },
  ]
}

function toSignerLines(signer: Signer): PdfLine[] {
  return [
    { text: [signer.displayName, formatShownPhone(signer)].filter(Boolean).join(', '), font: 'F2', gap: 8 },
    { text: toSignatureText(signer) },
    { text: signer.id, font: 'F3', size: 9 },
  ]
}

function toSignatureText(signer: Signer) {
  if (signer.signedAt) return `Signed on ${formatExactDateTime(new Date(signer.signedAt))}`
  return hasDeclined(signer) ? 'Declined to sign' : 'Has not signed'
}

const leaseClauses = [
  'The owner lets the residential unit named in the agreement to the tenant for the tenure, ' +
    'at the monthly rent and for the deposit that the agreement states.',
  'Rent is due in advance on the day of each month that the agreement states, ' +
    'by a traceable means of payment.',
  'The tenant uses the unit as a residence, keeps it in good order and returns it in the same condition, ' +
    'except for normal wear.',
  'The owner returns the deposit within thirty days after the tenant leaves, ' +
    'less what is owed for rent, bills and damage, with a statement.',
  'Either party may end the agreement in writing, with the notice period that it states.',
  'The courts at the place of the unit decide disputes that the parties cannot settle.',
]

/** Renders a lease for trying out the signing. */
export function renderSampleLease() {
  const clauses = leaseClauses.map((clause, index): PdfLine => ({ text: `${index + 1}. ${clause}`, gap: 10 }))
  return renderPdf('Leave and licence agreement', [
    { text: 'A sample for trying out the signing. Nothing here is legally binding.', gap: 6 },
    ...clauses,
  ])
}
