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
    const [count, contents] = [PDFName.of('Count'), PDFName.of('Contents')]
    // What is cut off is missing in the tree, or on its page.
    const stated = pdf.catalog.Pages().lookup(count, PDFNumber).asNumber()
    const pages = pdf.getPages()
    const areWhole = pages.every(({ node }) => !node.has(contents) || node.lookup(contents))
    return pages.length > 0 && pages.length >= stated && areWhole ? undefined : 'unreadable'
  } catch (error) {
    return error instanceof LockedPdfError ? 'locked' : 'unreadable'
  }
}
