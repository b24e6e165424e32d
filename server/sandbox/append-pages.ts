import { PDFDocument, PDFName } from '@cantoo/pdf-lib'
import { LockedPdfError, openPdf } from '../documents/inspect-pdf'

/** Why pages cannot be appended to a PDF, for people. */
export class UnreadablePdfError extends Error {}

/**
 * Appends all pages of one PDF to another. The same files give the same bytes.
 * @throws UnreadablePdfError The first PDF is locked or broken.
 */
export async function appendPages(first: Uint8Array, second: Uint8Array): Promise<Uint8Array> {
  const appended = await PDFDocument.load(second, { updateMetadata: false })
  try {
    const joined = await openPdf(first)
    if (joined.getPageCount() === 0) throw new UnreadablePdfError('The document has no pages.')
    for (const page of await joined.copyPages(appended, appended.getPageIndices())) {
      // It would lead into the structure of the first PDF.
      page.node.delete(PDFName.of('StructParents'))
      joined.addPage(page)
    }
    return await joined.save({ updateFieldAppearances: false })
  } catch (error) {
    if (error instanceof UnreadablePdfError) throw error
    const isLocked = error instanceof LockedPdfError
    const reason = isLocked
      ? 'opens with a password only, so no page can be added to it'
      : 'cannot be read: it is broken'
    throw new UnreadablePdfError(`The document ${reason}.`, { cause: error })
  }
}
