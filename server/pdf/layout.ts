import { breakLines, type Line, type TextStyle } from './line-breaking'
import { PAGE_HEIGHT, PAGE_WIDTH, TaggedDocument, type DocumentOptions } from './tagged-document'
import { createGiveWay } from '../domain/give-way'

/** Text in a column of a page. */
export interface Cell {
  text: string
  /** Points from the left margin. */
  x: number
  /** Points. */
  width: number
  style: TextStyle
  /** A standard structure type of PDF, such as `TD`. */
  tag: string
  align?: 'right'
}

/** A drawing with the text that stands for it; lengths in points, `x` from the left margin. */
export interface Figure {
  x: number
  width: number
  height: number
  alt: string
  /** Draws with the figure's top left corner as the origin. */
  paint: (doc: PDFKit.PDFDocument) => void
}

/** An element of the structure that assistive technology reads. */
export type StructureElement = PDFKit.PDFStructureElement

/** Cells beside each other, broken into bands: the lines that share a baseline. */
interface Row {
  columns: { cell: Cell; lines: Line[] }[]
  bands: { ascent: number; height: number }[]
}

type DrawCellLine = (column: number, draw: () => void) => void

// A file that draws with this is loaded lazily, by `await import`, since the fonts and the text shaper take memory: only
// the processes that make PDFs have them.

const MARGIN = 50
const FOOTER_HEIGHT = 46
const BOTTOM = PAGE_HEIGHT - MARGIN - FOOTER_HEIGHT / 2
const MAX_UNBROKEN_HEIGHT = BOTTOM - 2 * MARGIN

/** Points between the margins. */
export const CONTENT_WIDTH = PAGE_WIDTH - 2 * MARGIN

/** Lays out rows of cells from top to bottom, over as many A4 pages as they need. */
export class PdfLayout {
  private readonly doc: TaggedDocument
  private readonly root: StructureElement
  /** To be awaited between the rows of what may be long. */
  readonly giveWay = createGiveWay()
  private y = MARGIN
  private pageHeader: Cell[] = []
  private stamp: string | undefined

  constructor(options: DocumentOptions) {
    this.doc = new TaggedDocument(options)
    this.root = this.doc.struct('Document')
    this.doc.addStructure(this.root)
    this.startPage()
  }

  addSpace(points: number) {
    this.y += points
  }

  /** Starts a new page unless that many points are left on this one. */
  ensureSpace(points: number) {
    if (this.y + points > BOTTOM) this.startPage()
  }

  /** Draws a horizontal line from margin to margin. */
  addRule(color: string, thickness: number) {
    this.doc.drawArtifact('Layout', () => {
      this.doc
        .moveTo(MARGIN, this.y)
        .lineTo(PAGE_WIDTH - MARGIN, this.y)
        .lineWidth(thickness)
        .strokeColor(color)
        .stroke()
    })
  }

  /** Opens an element of the structure, such as `Table` or `TR`, to add rows to. */
  addGroup(tag: string, parent: StructureElement = this.root): StructureElement {
    const group = this.doc.struct(tag)
    parent.add(group)
    return group
  }

  /** Adds cells beside each other. They stay on one page unless they are nearly as high as a page. */
  addRow(cells: Cell[], parent: StructureElement = this.root) {
    const row = toRow(cells)
    const height = row.bands.reduce((sum, band) => sum + band.height, 0)
    if (height < MAX_UNBROKEN_HEIGHT) this.ensureSpace(height)

    const elements = cells.map(({ tag }) => this.doc.struct(tag, getStructureOptions(tag)))
    for (const element of elements) parent.add(element)

    for (const [index, band] of row.bands.entries()) {
      this.ensureSpace(band.height)
      this.drawBand(row, index, (column, draw) => {
        const content = this.doc.markStructureContent(cells[column]!.tag)
        draw()
        this.doc.endMarkedContent()
        elements[column]!.add(content)
      })
    }
  }

  /** Repeats these cells at the top of each new page; no cells end the repetition. */
  setPageHeader(cells: Cell[]) {
    this.pageHeader = cells
  }

  /** Draws figures on one page, at the top of what is added beside them. */
  addFigures(figures: Figure[], addContent: () => void) {
    const height = Math.max(0, ...figures.map(figure => figure.height))
    this.ensureSpace(height)
    const top = this.y
    for (const figure of figures) this.drawFigure(figure, top)
    addContent()
    this.y = Math.max(this.y, top + height)
  }

  /** Writes a word across each page. */
  setStamp(text: string) {
    this.stamp = text
  }

  /** Ends the document with a footer on each page. */
  async toBytes(getFooter: (page: number, pageCount: number) => Cell[]): Promise<Uint8Array> {
    const { count } = this.doc.bufferedPageRange()
    for (let page = 0; page < count; page++) {
      await this.giveWay()
      this.doc.switchToPage(page)
      if (this.stamp) this.doc.drawStamp(this.stamp)
      this.y = PAGE_HEIGHT - FOOTER_HEIGHT
      this.drawPagination(getFooter(page + 1, count))
    }
    this.root.end()
    return this.doc.toBytes()
  }

  startPage() {
    this.doc.addPage()
    this.y = MARGIN
    if (this.pageHeader.length > 0) this.drawPagination(this.pageHeader)
  }

  private drawFigure({ x, alt, paint }: Figure, top: number) {
    const element = this.doc.struct('Figure', { alt })
    this.root.add(element)
    const content = this.doc.markStructureContent('Figure')
    this.doc.save().translate(MARGIN + x, top)
    paint(this.doc)
    this.doc.restore()
    this.doc.endMarkedContent()
    element.add(content)
  }

  private drawPagination(cells: Cell[]) {
    const row = toRow(cells)
    this.doc.drawArtifact('Pagination', () => {
      for (const index of row.bands.keys()) this.drawBand(row, index, (_column, draw) => draw())
    })
  }

  private drawBand(row: Row, index: number, drawCellLine: DrawCellLine) {
    const { ascent, height } = row.bands[index]!
    const baseline = this.y + ascent
    for (const [column, { cell, lines }] of row.columns.entries()) {
      const line = lines[index]
      if (!line) continue
      const indent = cell.align === 'right' ? cell.width - line.width : 0
      drawCellLine(column, () => this.doc.drawLine(line, cell.style, MARGIN + cell.x + indent, baseline))
    }
    this.y += height
  }
}

const getStructureOptions = (tag: string): object => (tag === 'TH' ? { scope: 'Column' } : {})

function toRow(cells: Cell[]): Row {
  const columns = cells.map(cell => ({ cell, lines: breakLines(cell.text, cell.style, cell.width) }))
  const bandCount = Math.max(0, ...columns.map(({ lines }) => lines.length))
  const bands = Array.from({ length: bandCount }, (_, index) => {
    const lines = columns.flatMap(column => column.lines[index] ?? [])
    const ascent = Math.max(0, ...lines.map(line => line.ascent))
    const descent = Math.max(0, ...lines.map(line => line.descent))
    return { ascent, height: ascent + descent }
  })
  return { columns, bands }
}
