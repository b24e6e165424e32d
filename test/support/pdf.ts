import {
  decodePDFRawStream,
  PDFArray,
  PDFDict,
  PDFDocument,
  PDFHexString,
  PDFName,
  PDFRawStream,
  PDFString,
  type PDFPage,
} from '@cantoo/pdf-lib'

/** What a page says: all in one line, by the numbers of marks, and what stands outside the text. */
type PdfPage = { text: string; readMarks: (marks: number[]) => string; artifacts: string[] }
type Mark = { id?: number; isArtifact?: boolean; actualText?: string }
/** `block` numbers the outermost marks, `place` is the height of the line. */
type Written = { text: string; place: string; block: number; mark: number | undefined; isArtifact: boolean }

const squeeze = (text: string) => text.replaceAll(/\s+/g, ' ').trim()
const toLatin1 = (bytes: Uint8Array) => Buffer.from(bytes).toString('latin1')

/** Reads the text of each page, in one line. */
export async function readPdfPages(bytes: Uint8Array) {
  return (await readPdf(bytes)).map(({ text }) => text)
}

/** Reads the text of a PDF, in one line. */
export async function readPdfText(bytes: Uint8Array) {
  return (await readPdfPages(bytes)).join(' ')
}

/** The smallest PDF that can be read: an empty page, and a text that no reader shows. */
export const toTinyPdf = (hidden: string) => `%PDF-1.7 ${hidden}
1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj
2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj
3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 9 9]>>endobj
trailer<</Root 1 0 R>>`

/** Creates a PDF with one line of text on each page. */
export async function createPdf(
  lines: string[],
  passwords: { userPassword?: string; ownerPassword?: string } = {},
  options: { useObjectStreams?: boolean } = {},
) {
  const pdf = await PDFDocument.create()
  for (const line of lines) pdf.addPage().drawText(line)
  if (Object.keys(passwords).length > 0) pdf.encrypt(passwords)
  return Buffer.from(await pdf.save(options))
}

/** Reads what draws each page. */
export async function readContents(bytes: Uint8Array) {
  const pdf = await PDFDocument.load(bytes, { updateMetadata: false })
  return pdf.getPages().map(readContent)
}

/** Reads pages as assistive technology does: a text that is stated replaces the signs that are drawn. */
export async function readPdf(bytes: Uint8Array): Promise<PdfPage[]> {
  const pdf = await PDFDocument.load(bytes, { updateMetadata: false })
  return pdf.getPages().map(page => {
    const written = listWritten(page)
    const artifacts = Map.groupBy(
      written.filter(({ isArtifact }) => isArtifact),
      ({ block }) => block,
    )
    return {
      text: joinTexts(written, (part, next) => part.place === next.place && part.block === next.block),
      readMarks: marks => {
        const parts = written.filter(({ mark }) => mark !== undefined && marks.includes(mark))
        return joinTexts(parts, (part, next) => part.place === next.place)
      },
      artifacts: [...artifacts.values()].map(parts => joinTexts(parts, () => true)).filter(Boolean),
    }
  })
}

/** Joins parts with a space, unless they belong together. */
function joinTexts(parts: Written[], belong: (part: Written, next: Written) => boolean) {
  const separate = (index: number) => index > 0 && !belong(parts[index - 1]!, parts[index]!)
  return squeeze(parts.map(({ text }, index) => (separate(index) ? ` ${text}` : text)).join(''))
}

function listWritten(page: PDFPage): Written[] {
  const fonts = readFonts(page)
  const written: Written[] = []
  const open: Mark[] = []
  let [font, place, block, operands] = ['', '', 0, [] as string[]]
  const write = (text: string) => {
    const mark = open.findLast(({ id }) => id !== undefined)?.id
    written.push({ text, place, block, mark, isArtifact: open.some(({ isArtifact }) => isArtifact) })
  }
  const startMark = () => {
    if (open.length === 0) block++
    open.push(readMark(operands.join(' ')))
  }
  const operators: Record<string, () => void> = {
    BDC: startMark,
    BMC: startMark,
    EMC: () => write(open.pop()?.actualText ?? ''),
    cm: () => (place = operands.at(-1)!),
    Tf: () => (font = operands.at(-2)!),
    Tj: () => showText(),
    TJ: () => showText(),
  }
  const showText = () => {
    const strings = operands.filter(operand => /^[(<]/.test(operand)).map(decodeString)
    if (open.every(({ actualText }) => actualText === undefined)) write(strings.map(fonts[font]!).join(''))
  }
  for (const token of splitTokens(readContent(page))) {
    if (!/^[A-Za-z'"]/.test(token)) operands.push(token)
    else {
      operators[token]?.()
      operands = []
    }
  }
  return written
}

function readMark(operands: string): Mark {
  const id = /\/MCID (\d+)/.exec(operands)?.[1]
  const stated = /\/ActualText (<[^<>]*>)/.exec(operands)?.[1]
  return {
    ...(id !== undefined && { id: Number(id) }),
    ...(stated !== undefined && { actualText: PDFHexString.of(stated.slice(1, -1)).decodeText() }),
    isArtifact: operands.startsWith('/Artifact'),
  }
}

/** A string in brackets, which may be nested three deep. */
const nest = (inner: string) => String.raw`\((?:\\[\s\S]|[^\\()]${inner})*\)`
const STRING = nest(`|${nest(`|${nest(`|${nest('')}`)}`)}`)
const TOKEN = new RegExp(String.raw`${STRING}|<<|>>|<[^<>]*>|[[\]]|/?[^\s/<>[\]()]+`, 'g')
const splitTokens = (content: string) => content.match(TOKEN) ?? []

const decodeString = (token: string) => {
  const inner = token.slice(1, -1)
  return toLatin1(token.startsWith('<') ? PDFHexString.of(inner).asBytes() : PDFString.of(inner).asBytes())
}

function readContent(page: PDFPage) {
  const contents = page.node.Contents()
  const streams =
    contents instanceof PDFArray ? contents.asArray().map(ref => page.doc.context.lookup(ref)) : [contents]
  return streams.map(stream => readStream(stream as PDFRawStream)).join('\n')
}

const readStream = (stream: PDFRawStream) => toLatin1(decodePDFRawStream(stream).decode())

/** What maps the codes of a text to it, by the name of the font; a font without a table has Latin letters. */
function readFonts(page: PDFPage): Record<string, (codes: string) => string> {
  const fonts = page.node.Resources()?.lookupMaybe(PDFName.of('Font'), PDFDict)
  return Object.fromEntries(
    (fonts?.entries() ?? []).map(([name]) => {
      const table = fonts!.lookup(name, PDFDict).lookup(PDFName.of('ToUnicode'))
      return [name.asString(), table instanceof PDFRawStream ? createDecoder(readStream(table)) : String]
    }),
  )
}

function createDecoder(table: string) {
  const toUtf16 = (hex: string) => Buffer.from(hex, 'hex').swap16().toString('utf16le')
  const texts = new Map<number, string>()
  for (const [, lines] of table.matchAll(/beginbfchar([\s\S]*?)endbfchar/g))
    for (const [, code, text] of lines!.matchAll(/<(\w+)>\s*<(\w+)>/g))
      texts.set(Number(`0x${code}`), toUtf16(text!))
  return (codes: string) =>
    Array.from({ length: codes.length / 2 }, (_, index) => {
      return texts.get(codes.charCodeAt(2 * index) * 256 + codes.charCodeAt(2 * index + 1)) ?? ''
    }).join('')
}
