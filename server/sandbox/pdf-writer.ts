export type PdfLine = { text: string; size?: number; font?: FontName; gap?: number }

const WIDTH = 595
const HEIGHT = 842
const MARGIN = 64
const LINE_HEIGHT = 1.5

/** Standard fonts, which every reader has; `width` is that of an average character, in ems. */
const fonts = {
  F1: { base: 'Helvetica', width: 0.5 },
  F2: { base: 'Helvetica-Bold', width: 0.54 },
  F3: { base: 'Courier', width: 0.6 },
}
type FontName = keyof typeof fonts
const fontNames = Object.keys(fonts) as FontName[]

/** Renders lines of text on A4 pages. The same lines give the same bytes. */
export function renderPdf(title: string, lines: PdfLine[]): Uint8Array {
  const pages = toPageStreams([{ text: title, size: 20, font: 'F2' }, ...lines])
  return toPdfFile(toPdfObjects(title, pages))
}

/** Breaks lines into rows and rows into pages. */
function toPageStreams(lines: PdfLine[]) {
  const pages = ['']
  let y = HEIGHT - MARGIN
  for (const { text, size = 11, font = 'F1', gap = 0 } of lines) {
    const maxChars = Math.floor((WIDTH - 2 * MARGIN) / (size * fonts[font].width))
    const rowHeight = size * LINE_HEIGHT
    y -= gap
    for (const row of wrapText(text, maxChars)) {
      if (y - rowHeight < MARGIN) {
        pages.push('')
        y = HEIGHT - MARGIN
      }
      y -= rowHeight
      pages[pages.length - 1] += toTextOperators(row, `BT /${font} ${size} Tf ${MARGIN} ${y.toFixed(1)} Td`)
    }
  }
  return pages
}

/** Breaks text at spaces, and within a word only if the word is longer than a row. */
function wrapText(text: string, maxChars: number) {
  const words = text.toWellFormed().replace(/\s+/g, ' ').split(' ')
  const rows = ['']
  for (const word of words.flatMap(long => splitWord(long, maxChars))) {
    const row = rows.at(-1)!
    const joined = row ? `${row} ${word}` : word
    if (row && countChars(joined) > maxChars) rows.push(word)
    else rows[rows.length - 1] = joined
  }
  return rows
}

function splitWord(word: string, maxChars: number): string[] {
  if (countChars(word) <= maxChars) return [word]
  return word.match(new RegExp(`.{1,${maxChars}}`, 'gsu')) ?? []
}

const countChars = (text: string) => [...text].length

/** The standard fonts cover Latin-1 only; readers copy and speak the actual text. */
function toTextOperators(text: string, position: string) {
  const latin = text
    .replace(/[\\()]/g, '\\$&')
    .replace(/[–—]/g, '-')
    .replace(/[‘’]/g, "'")
    .replace(/[^\x20-\x7e\xa1-\xff]/gu, '?')
  const drawn = `${position} (${latin}) Tj ET\n`
  const isLatin = !/[^\x20-\x7e\xa1-\xff]/u.test(text)
  return isLatin ? drawn : `/Span << /ActualText ${toUtf16Hex(text)} >> BDC\n${drawn}EMC\n`
}

function toUtf16Hex(text: string) {
  const bytes = Buffer.from(`\ufeff${text.toWellFormed()}`, 'utf16le').swap16()
  return `<${bytes.toString('hex').toUpperCase()}>`
}

/** Objects are numbered from 1: catalog, page tree, info, the fonts, then each page and its content. */
function toPdfObjects(title: string, pages: string[]) {
  const firstFont = 4
  const firstPage = firstFont + fontNames.length
  const toPageRef = (index: number) => `${firstPage + 2 * index} 0 R`
  const kids = pages.map((_, index) => toPageRef(index)).join(' ')
  const fontRefs = fontNames.map((name, index) => `/${name} ${firstFont + index} 0 R`).join(' ')
  const fontObjects = fontNames.map(
    name => `<< /Type /Font /Subtype /Type1 /BaseFont /${fonts[name].base} /Encoding /WinAnsiEncoding >>`,
  )
  const pageObjects = pages.flatMap((stream, index) => {
    const contentRef = `${firstPage + 2 * index + 1} 0 R`
    return [
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 ${WIDTH} ${HEIGHT}] ` +
        `/Contents ${contentRef} /Resources << /Font << ${fontRefs} >> >> >>`,
      `<< /Length ${stream.length} >>\nstream\n${stream}endstream`,
    ]
  })
  return [
    '<< /Type /Catalog /Pages 2 0 R /Lang (en-IN) >>',
    `<< /Type /Pages /Kids [${kids}] /Count ${pages.length} >>`,
    `<< /Title ${toUtf16Hex(title)} /Producer (Kiraya) >>`,
    ...fontObjects,
    ...pageObjects,
  ]
}

function toPdfFile(objects: string[]) {
  let file = '%PDF-1.7\n'
  let entries = '0000000000 65535 f \n'
  for (const [index, object] of objects.entries()) {
    entries += `${String(file.length).padStart(10, '0')} 00000 n \n`
    file += `${index + 1} 0 obj\n${object}\nendobj\n`
  }
  const size = objects.length + 1
  const xrefOffset = file.length
  file += `xref\n0 ${size}\n${entries}`
  file += `trailer\n<< /Size ${size} /Root 1 0 R /Info 3 0 R >>\nstartxref\n${xrefOffset}\n%%EOF\n`
  return Buffer.from(file, 'latin1')
}
