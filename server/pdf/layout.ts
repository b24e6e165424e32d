import Pdf from 'pdfkit'
import {
  getFontFile,
  splitGraphemes,
  toVisualRuns,
  shapeRun,
  type TextRun,
  type Weight,
} from './text-shaping'

export interface Style {
  size: number
  weight: Weight
  color: string
}

/** Text in a column of a page; `x` and `width` in points from the left margin. Its element of the structure is a tag of PDF, as in `TD`. */
export interface Cell {
  text: string
  x: number
  width: number
  style: Style
  tag: string
  align?: 'right'
}

interface Line {
  runs: TextRun[]
  width: number
  ascent: number
  descent: number
}

const WIDTH = 595.28
const HEIGHT = 841.89
const MARGIN = 50
const FOOT = 46
const LEADING = 1.04
export const CONTENT_WIDTH = WIDTH - 2 * MARGIN
const BOTTOM = HEIGHT - MARGIN - FOOT / 2
const RULE = '#d3d9de'

class Document extends Pdf {
  /** What the glyphs of the next text stand for, where they do not spell it. */
  stands: string | undefined

  // The span lies within the text object, or Poppler looks for the text where the page's own axes would put it.
  override addContent(data: string) {
    if (data === 'ET' && this.stands) this.endMarkedContent()
    super.addContent(data)
    if (data === 'BT' && this.stands) this.markContent('Span', { actual: this.stands })
    return this
  }
}

const measure = (text: string, { size, weight }: Style): Line => {
  const runs = toVisualRuns(text)
  const shapes = runs.map(run => shapeRun(run, weight))
  const em = size / 1000
  return {
    runs,
    width: shapes.reduce((sum, { width }) => sum + width, 0) * em,
    ascent: Math.max(size, ...shapes.map(({ ascent }) => ascent * em)) * LEADING,
    descent: Math.max(0, ...shapes.map(({ descent }) => descent * em)) * LEADING,
  }
}

/** Where a word may be parted that is longer than a line: after its signs, else between its letters, else between what a letter is made of. */
const partsOf = (word: string) =>
  [word.match(/[^-/,]*[-/,]+|[^-/,]+/g) ?? [], splitGraphemes(word), [...word]].find(
    parts => parts.length > 1,
  )

/** The text in lines of at most that width. */
function linesOf(text: string, style: Style, width: number): Line[] {
  const lines: string[] = ['']
  const fits = (piece: string) => measure(piece.trimEnd(), style).width <= width
  const put = (piece: string) => {
    const line = lines.at(-1)!
    const parts = fits(piece) ? undefined : partsOf(piece)
    if (fits(line + piece)) lines[lines.length - 1] = line + piece
    else if (parts) parts.forEach(put)
    else lines.push(piece)
  }
  for (const word of text.replaceAll(/\s+/g, ' ').trim().match(/\S+ ?/g) ?? []) put(word)
  return lines.filter(line => line.trim()).map(line => measure(line.trimEnd(), style))
}

/** An A4 document that is set from top to bottom, cell beside cell, over as many pages as it takes. Tagged for assistive technology. */
export function createPdfLayout({ title, madeAt }: { title: string; madeAt: Date }) {
  const doc = new Document({
    size: [WIDTH, HEIGHT],
    margin: 0,
    pdfVersion: '1.7',
    tagged: true,
    displayTitle: true,
    lang: 'en-IN',
    bufferPages: true,
    autoFirstPage: false,
    // Without one of its own, so that nothing but the embedded fonts is used.
    font: null as unknown as string,
    info: { Title: title, Author: 'Kiraya', Creator: 'Kiraya', CreationDate: madeAt, ModDate: madeAt },
  })
  const root = doc.struct('Document')
  doc.addStructure(root)
  const registered = new Set<string>()
  let y = MARGIN
  let head: (() => void) | undefined

  const fontOf = (run: TextRun, weight: Weight) => {
    const name = `${run.script.family} ${weight}`
    if (!registered.has(name)) doc.registerFont(name, getFontFile(run, weight) as unknown as string)
    registered.add(name)
    return name
  }

  const draw = ({ runs }: Line, { size, weight, color }: Style, x: number, baseline: number) => {
    for (const run of runs) {
      const { width, spells } = shapeRun(run, weight)
      doc.stands = spells ? undefined : run.text
      doc
        .font(fontOf(run, weight))
        .fontSize(size)
        .fillColor(color)
        .text(run.text, x, baseline, { lineBreak: false, baseline: 'alphabetic', features: run as never })
      x += (width * size) / 1000
    }
    doc.stands = undefined
  }

  const artifact = (paint: () => void, type: 'Layout' | 'Pagination' = 'Layout') => {
    doc.markContent('Artifact', { type })
    paint()
    doc.endMarkedContent()
  }

  const turn = () => {
    doc.addPage()
    y = MARGIN
    if (head) artifact(head, 'Pagination')
  }

  const columns = (cells: Cell[]) =>
    cells.map(cell => ({ ...cell, lines: linesOf(cell.text, cell.style, cell.width) }))

  /** Lines stand beside each other on one baseline. */
  const band = (set: ReturnType<typeof columns>, index: number) => {
    const lines = set.flatMap(({ lines }) => lines[index] ?? [])
    const ascent = Math.max(0, ...lines.map(line => line.ascent))
    return { ascent, height: ascent + Math.max(0, ...lines.map(line => line.descent)) }
  }

  const bands = (set: ReturnType<typeof columns>) =>
    Array.from({ length: Math.max(0, ...set.map(({ lines }) => lines.length)) }, (_, index) =>
      band(set, index),
    )

  const paint = (
    set: ReturnType<typeof columns>,
    index: number,
    ascent: number,
    around: (tag: number, show: () => void) => void,
  ) => {
    for (const [place, { lines, style, x, width, align }] of set.entries()) {
      const line = lines[index]
      if (line)
        around(place, () => draw(line, style, MARGIN + x + (align ? width - line.width : 0), y + ascent))
    }
  }

  turn()
  return {
    addSpace(points: number) {
      y += points
    },

    /** Goes to the next page unless that much of this one is left. */
    ensureSpace(points: number) {
      if (y + points > BOTTOM) turn()
    },

    rule(color = RULE, thickness = 0.6) {
      artifact(() =>
        doc
          .moveTo(MARGIN, y)
          .lineTo(WIDTH - MARGIN, y)
          .lineWidth(thickness)
          .strokeColor(color)
          .stroke(),
      )
    },

    group: (tag: string, parent: PDFKit.PDFStructureElement = root as never) => {
      const element = doc.struct(tag)
      parent.add(element)
      return element
    },

    /** Cells beside each other. They stay on one page where a page is long enough. */
    row(cells: Cell[], parent: PDFKit.PDFStructureElement = root as never) {
      const set = columns(cells)
      const heights = bands(set)
      const whole = heights.reduce((sum, { height }) => sum + height, 0)
      if (y + whole > BOTTOM && whole < BOTTOM - 2 * MARGIN) turn()
      const elements = cells.map(({ tag }) =>
        doc.struct(tag, tag === 'TH' ? ({ scope: 'Column' } as object) : {}),
      )
      for (const element of elements) parent.add(element)
      for (const [index, { ascent, height }] of heights.entries()) {
        if (y + height > BOTTOM) turn()
        paint(set, index, ascent, (place, show) => {
          const content = doc.markStructureContent(cells[place]!.tag)
          show()
          doc.endMarkedContent()
          elements[place]!.add(content)
        })
        y += height
      }
    },

    /** Cells that stand again at the top of each further page, until there are none. */
    head(cells: Cell[] = []) {
      head =
        cells.length === 0
          ? undefined
          : () => {
              const set = columns(cells)
              for (const [index, { ascent, height }] of bands(set).entries()) {
                paint(set, index, ascent, (_, show) => show())
                y += height
              }
            }
    },

    /** The document's bytes, with a line at the foot of each page. */
    async bytes(foot: (page: number, pages: number) => Cell[]): Promise<Uint8Array> {
      const { count } = doc.bufferedPageRange()
      for (let page = 0; page < count; page++) {
        doc.switchToPage(page)
        y = HEIGHT - FOOT
        artifact(() => {
          const set = columns(foot(page + 1, count))
          for (const [index, { ascent, height }] of bands(set).entries()) {
            paint(set, index, ascent, (_, show) => show())
            y += height
          }
        }, 'Pagination')
      }
      root.end()
      doc.end()
      return Buffer.concat(await Array.fromAsync(doc as unknown as AsyncIterable<Uint8Array>))
    },
  }
}
