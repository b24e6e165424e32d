import Pdf from 'pdfkit'
import { extractText } from 'unpdf'

/** Reads the text of each page, in one line. */
export async function readPdfPages(bytes: Uint8Array): Promise<string[]> {
  const { text } = await extractText(Uint8Array.from(bytes)) // unpdf detaches what it reads
  return text.map(page => page.replaceAll(/\s+/g, ' '))
}

/** Reads the text of a PDF, in one line. */
export async function readPdfText(bytes: Uint8Array) {
  return (await readPdfPages(bytes)).join(' ')
}

/** Creates a PDF with one line of text on each page. */
export async function createPdf(lines: string[], options: PDFKit.PDFDocumentOptions = {}) {
  const doc = new Pdf({ autoFirstPage: false, ...options })
  for (const line of lines) doc.addPage().text(line)
  doc.end()
  return Buffer.concat(await Array.fromAsync(doc as unknown as AsyncIterable<Uint8Array>))
}
