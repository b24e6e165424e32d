/** What keeps people from reading a PDF. */
export type PdfProblem = 'locked' | 'unreadable'

/** It opens with a password only. */
export class LockedPdfError extends Error {}

/**
 * Opens a PDF as readers do: what only its owner's password restricts opens without one.
 * @throws LockedPdfError
 */
export async function openPdf(bytes: Uint8Array) {
  // The library takes time and memory: it is loaded at the first use.
  const { EncryptedPDFError, ParseSpeeds, PDFDocument } = await import('@cantoo/pdf-lib')
  const options = { updateMetadata: false, parseSpeed: ParseSpeeds.Fastest }
  try {
    return await PDFDocument.load(bytes, options)
  } catch (error) {
    if (!(error instanceof EncryptedPDFError)) throw error
    return await PDFDocument.load(bytes, { ...options, password: '' }).catch((cause: unknown) => {
      throw new LockedPdfError('', { cause })
    })
  }
}

/** Looks for each page of a PDF. */
export async function inspectPdf(bytes: Uint8Array): Promise<PdfProblem | undefined> {
  try {
    const pdf = await openPdf(bytes)
    const { PDFName, PDFNumber } = await import('@cantoo/pdf-lib')
    // What is cut off is missing at the end, or in the tree; the library makes up for both.
    const stated = pdf.catalog.Pages().lookup(PDFName.of('Count'), PDFNumber).asNumber()
    const pages = pdf.getPageCount()
    return hasEnd(bytes) && pages > 0 && pages >= stated ? undefined : 'unreadable'
  } catch (error) {
    return error instanceof LockedPdfError ? 'locked' : 'unreadable'
  }
}

/** Readers look behind the last object for where the objects are. */
function hasEnd(bytes: Uint8Array) {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const end = Math.max(text.lastIndexOf('trailer'), text.lastIndexOf('startxref'))
  return end > text.lastIndexOf('endobj')
}
