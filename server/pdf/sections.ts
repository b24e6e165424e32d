import { CONTENT_WIDTH, type Cell, type PdfLayout } from './layout'
import type { TextStyle } from './line-breaking'

const INK = '#18212b'
const MUTED = '#5d6875'
const ACCENT = '#0b5a4a'

/** The text styles of every document. */
export const styles = {
  brand: { size: 9, weight: 'Bold', color: ACCENT },
  title: { size: 24, weight: 'Bold', color: INK },
  subtitle: { size: 12, weight: 'Regular', color: MUTED },
  heading: { size: 13, weight: 'Bold', color: ACCENT },
  subheading: { size: 11, weight: 'Bold', color: INK },
  body: { size: 9.5, weight: 'Regular', color: INK },
  emphasis: { size: 9.5, weight: 'Bold', color: INK },
  badge: { size: 9.5, weight: 'Bold', color: ACCENT },
  small: { size: 8, weight: 'Regular', color: INK },
  smallEmphasis: { size: 8, weight: 'Bold', color: INK },
  label: { size: 8, weight: 'Regular', color: MUTED },
  columnTitle: { size: 8, weight: 'Bold', color: MUTED },
  footer: { size: 7.5, weight: 'Regular', color: MUTED },
} as const satisfies Record<string, TextStyle>

/** A cell of body text over the whole width, unless the options differ. */
export function createCell(text: string, options: Partial<Cell> = {}): Cell {
  const x = options.x ?? 0
  return { text, x, width: CONTENT_WIDTH - x, style: styles.body, tag: 'P', ...options }
}

export function addTitle(page: PdfLayout, title: string, subtitle: string) {
  page.addRow([createCell('KIRAYA', { style: styles.brand })])
  page.addRow([createCell(title, { style: styles.title, tag: 'H1' })])
  page.addRow([createCell(subtitle, { style: styles.subtitle })])
  page.addSpace(8)
}

export function addHeading(page: PdfLayout, text: string) {
  // A heading at the foot of a page would stand alone.
  page.ensureSpace(110)
  page.addSpace(16)
  page.addRow([createCell(text, { style: styles.heading, tag: 'H2' })])
  page.addSpace(2)
  page.addRule(ACCENT, 0.9)
  page.addSpace(6)
}

/** A subheading with a short text at the right margin. */
export function addSubheading(page: PdfLayout, text: string, badge: string) {
  page.ensureSpace(70)
  page.addRow([
    createCell(text, { style: styles.subheading, tag: 'H3', width: CONTENT_WIDTH - 92 }),
    createCell(badge, { style: styles.badge, x: CONTENT_WIDTH - 80, align: 'right' }),
  ])
  page.addSpace(2)
}

export function addNote(page: PdfLayout, text: string) {
  page.addRow([createCell(text, { style: styles.label })])
}

type Description = [term: string, value: string | null | undefined]

const TERM_WIDTH = 88
const VALUE_INDENT = 92
const VALUE_MARGIN = 12

/** Adds terms with their values, in one or more columns. A term without a value is left out. */
export function addDescriptionList(page: PdfLayout, descriptions: Description[], columnCount = 1) {
  const present = descriptions.filter((pair): pair is [string, string] => Boolean(pair[1]))
  const columnWidth = CONTENT_WIDTH / columnCount
  const valueWidth = columnWidth - VALUE_INDENT - VALUE_MARGIN
  const list = page.addGroup('L')
  for (let start = 0; start < present.length; start += columnCount) {
    const cells = present.slice(start, start + columnCount).flatMap(([term, value], column) => {
      const x = column * columnWidth
      return [
        createCell(term, { style: styles.label, tag: 'Lbl', x, width: TERM_WIDTH }),
        createCell(value, { tag: 'LBody', x: x + VALUE_INDENT, width: valueWidth }),
      ]
    })
    page.addRow(cells, page.addGroup('LI', list))
    page.addSpace(1)
  }
}

/** `x` and `width` in points. */
export interface TableColumn {
  title: string
  x: number
  width: number
  align?: 'right'
}

/** Adds a table; its column titles stand again on each further page. The totals are rows that stand out. */
export function addTable(page: PdfLayout, columns: TableColumn[], rows: string[][], totals: string[][] = []) {
  const toCells = (texts: string[], style: TextStyle, tag: string) =>
    texts.map((text, index) => {
      const { x, width, align } = columns[index]!
      return createCell(text, { style, tag, x, width, align })
    })
  const titles = columns.map(({ title }) => title)
  const titleCells = toCells(titles, styles.columnTitle, 'TH')
  const table = page.addGroup('Table')
  page.addRow(titleCells, page.addGroup('TR', table))

  page.setPageHeader(titleCells)
  for (const texts of rows) {
    page.addSpace(2)
    page.addRow(toCells(texts, styles.small, 'TD'), page.addGroup('TR', table))
  }
  for (const texts of totals) {
    page.addSpace(4)
    page.addRow(toCells(texts, styles.smallEmphasis, 'TD'), page.addGroup('TR', table))
  }
  page.setPageHeader([])
}

/** Ends the document; each page's footer has this text and the page's number. */
export function finishDocument(page: PdfLayout, footer: string): Promise<Uint8Array> {
  return page.toBytes((number, count) => [
    createCell(footer, { style: styles.footer, width: CONTENT_WIDTH - 80 }),
    createCell(`Page ${number} of ${count}`, { style: styles.footer, x: CONTENT_WIDTH - 78, align: 'right' }),
  ])
}
