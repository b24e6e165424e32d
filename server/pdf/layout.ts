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
type Step = () => unknown

// A file that draws with this is loaded lazily, by `await import`, since the fonts and the text shaper take memory: only
// the processes that make PDFs have them.

const MARGIN = 50
const FOOTER_HEIGHT = 46
const BOTTOM = PAGE_HEIGHT - MARGIN - FOOTER_HEIGHT / 2
const MAX_UNBROKEN_HEIGHT = BOTTOM - 2 * MARGIN

/** Points between the margins. */
export const CONTENT_WIDTH = PAGE_WIDTH - 2 * MARGIN

/**
 * Lays out rows of cells from top to bottom, over as many A4 pages as they need. What is added is drawn at the end, with
 * requests served in between.
 */
export class PdfLayout {
  private readonly doc: TaggedDocument
  private readonly root: StructureElement
  private readonly giveWay = createGiveWay()
  private readonly steps: Step[] = []
  private y = MARGIN
  private pageHeader: Row = { columns: [], bands: [] }
  private stamp: string | undefined

  constructor(options: DocumentOptions) {
    this.doc = new TaggedDocument(options)
    this.root = this.doc.struct('Document')
    this.doc.addStructure(this.root)
    this.startPage()
  }

  addSpace(points: number) {
    this.steps.push(() => (this.y += points))
  }

  /** Starts a new page unless that many points are left on this one. */
  ensureSpace(points: number) {
    this.steps.push(() => this.makeSpace(points))
  }

  /** Adds a horizontal line from margin to margin. */
  addRule(color: string, thickness: number) {
    this.steps.push(() => this.drawRule(color, thickness))
  }

  /** Starts a new page. */
  addPageBreak() {
    this.steps.push(() => this.startPage())
  }

  /** Opens an element of the structure, such as `Table` or `TR`, to add rows to. */
  addGroup(tag: string, parent: StructureElement = this.root): StructureElement {
    const group = this.doc.struct(tag)
    parent.add(group)
    return group
  }

  /** Adds cells beside each other. They stay on one page unless they are nearly as high as a page. */
  addRow(cells: Cell[], parent: StructureElement = this.root) {
    const elements = cells.map(({ tag }) => this.doc.struct(tag, getStructureOptions(tag)))
    for (const element of elements) parent.add(element)
    this.steps.push(() => this.drawRow(cells, elements))
  }

  /** Repeats these cells at the top of each new page; no cells end the repetition. */
  setPageHeader(cells: Cell[]) {
    this.steps.push(async () => (this.pageHeader = await this.toRow(cells)))
  }

  /** Adds figures on one page, at the top of what is added beside them. */
  addFigures(figures: Figure[], addContent: () => void) {
    const height = Math.max(0, ...figures.map(figure => figure.height))
    const elements = figures.map(({ alt }) => this.doc.struct('Figure', { alt }))
    for (const element of elements) this.root.add(element)
    let top = 0
    this.steps.push(() => {
      this.makeSpace(height)
      top = this.y
      for (const [index, figure] of figures.entries()) this.drawFigure(figure, elements[index]!, top)
    })
    addContent()
    this.steps.push(() => (this.y = Math.max(this.y, top + height)))
  }

  /** Writes a word across each page. */
  setStamp(text: string) {
    this.stamp = text
  }

  /** Draws the document, with a footer on each page. */
  async toBytes(getFooter: (page: number, pageCount: number) => Cell[]): Promise<Uint8Array> {
    for (const step of this.steps) {
      await this.giveWay()
      await step()
    }
    const { count } = this.doc.bufferedPageRange()
    for (let page = 0; page < count; page++) {
      const footer = await this.toRow(getFooter(page + 1, count))
      this.doc.switchToPage(page)
      if (this.stamp) this.doc.drawStamp(this.stamp)
      this.y = PAGE_HEIGHT - FOOTER_HEIGHT
      this.drawPagination(footer)
    }
    this.root.end()
    return this.doc.toBytes()
  }

  private startPage() {
    this.doc.addPage()
    this.y = MARGIN
    if (this.pageHeader.bands.length > 0) this.drawPagination(this.pageHeader)
  }

  private makeSpace(points: number) {
    if (this.y + points > BOTTOM) this.startPage()
  }

  private drawRule(color: string, thickness: number) {
    this.doc.drawArtifact('Layout', () => {
      this.doc
        .moveTo(MARGIN, this.y)
        .lineTo(PAGE_WIDTH - MARGIN, this.y)
        .lineWidth(thickness)
        .strokeColor(color)
        .stroke()
    })
  }

  private async drawRow(cells: Cell[], elements: StructureElement[]) {
    const row = await this.toRow(cells)
    const height = row.bands.reduce((sum, band) => sum + band.height, 0)
    if (height < MAX_UNBROKEN_HEIGHT) this.makeSpace(height)

    for (const [index, band] of row.bands.entries()) {
      await this.giveWay()
      this.makeSpace(band.height)
      this.drawBand(row, index, (column, draw) => {
        const content = this.doc.markStructureContent(cells[column]!.tag)
        draw()
        this.doc.endMarkedContent()
        elements[column]!.add(content)
      })
    }
  }

  private drawFigure({ x, paint }: Figure, element: StructureElement, top: number) {
    const content = this.doc.markStructureContent('Figure')
    this.doc.save().translate(MARGIN + x, top)
    paint(this.doc)
    this.doc.restore()
    this.doc.endMarkedContent()
    element.add(content)
  }

  private drawPagination(row: Row) {
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

  private async toRow(cells: Cell[]): Promise<Row> {
    const columns: Row['columns'] = []
    for (const cell of cells)
      columns.push({ cell, lines: await breakLines(cell.text, cell.style, cell.width, this.giveWay) })
    const bandCount = Math.max(0, ...columns.map(({ lines }) => lines.length))
    const bands = Array.from({ length: bandCount }, (_, index) => {
      const lines = columns.flatMap(column => column.lines[index] ?? [])
      const ascent = Math.max(0, ...lines.map(line => line.ascent))
      const descent = Math.max(0, ...lines.map(line => line.descent))
      return { ascent, height: ascent + descent }
    })
    return { columns, bands }
  }
}

const getStructureOptions = (tag: string): object => (tag === 'TH' ? { scope: 'Column' } : {})
