import Pdf from 'pdfkit'
import { createEmbeddedFont } from './embedded-font'
import type { Weight } from './fonts'
import { measureLine, type Line, type TextStyle } from './line-breaking'
import { shapeRun } from './shaping'
import type { TextRun } from './text-runs'

export interface DocumentOptions {
  title: string
  createdAt: Date
}

/** A4, in points. */
export const PAGE_WIDTH = 595.28
export const PAGE_HEIGHT = 841.89

const STAMP: TextStyle = { size: 84, weight: 'Bold', color: '#b3261e' }
const STAMP_OPACITY = 0.22
const STAMP_ANGLE = -35

/** A tagged A4 document that draws shaped lines. The same input gives the same bytes. */
export class TaggedDocument extends Pdf {
  private readonly registeredFonts = new Set<string>()
  private actualText: string | undefined

  constructor({ title, createdAt }: DocumentOptions) {
    super({
      size: [PAGE_WIDTH, PAGE_HEIGHT],
      margin: 0,
      pdfVersion: '1.7',
      tagged: true,
      displayTitle: true,
      lang: 'en-IN',
      bufferPages: true,
      autoFirstPage: false,
      // pdfkit would otherwise add Helvetica, which is not embedded.
      font: null as unknown as string,
      info: {
        Title: title,
        Author: 'Kiraya',
        Creator: 'Kiraya',
        CreationDate: createdAt,
        ModDate: createdAt,
      },
    })
  }

  // The span has to lie within the text object, else Poppler places its text by the page's own axes.
  override addContent(data: string) {
    if (data === 'ET' && this.actualText) this.endMarkedContent()
    super.addContent(data)
    if (data === 'BT' && this.actualText) this.markContent('Span', { actual: this.actualText })
    return this
  }

  /** Draws a line from `x` on a baseline, both in points from the top left corner. */
  drawLine({ runs }: Line, style: TextStyle, x: number, baseline: number) {
    let left = x
    for (const run of runs) {
      this.drawRun(run, style, left, baseline)
      left += (shapeRun(run, style.weight).width * style.size) / 1000
    }
  }

  /** Paints what assistive technology skips: rules, and the headers and footers of pages. */
  drawArtifact(type: 'Layout' | 'Pagination', paint: () => void) {
    this.markContent('Artifact', { type })
    paint()
    this.endMarkedContent()
  }

  /** Writes a word across the page, through which the text below can be read. */
  drawStamp(text: string) {
    const line = measureLine(text, STAMP)
    const [x, y] = [PAGE_WIDTH / 2, PAGE_HEIGHT / 2]
    this.drawArtifact('Layout', () => {
      this.save()
        .rotate(STAMP_ANGLE, { origin: [x, y] })
        .fillOpacity(STAMP_OPACITY)
      this.drawLine(line, STAMP, x - line.width / 2, y)
      this.restore()
    })
  }

  async toBytes(): Promise<Uint8Array> {
    this.end()
    return Buffer.concat(await Array.fromAsync(this as unknown as AsyncIterable<Uint8Array>))
  }

  private drawRun(run: TextRun, { size, weight, color }: TextStyle, x: number, baseline: number) {
    this.actualText = shapeRun(run, weight).needsActualText ? run.text : undefined
    this.font(this.registerFontOf(run, weight)).fontSize(size).fillColor(color)
    // pdfkit hands `features` on to the font's layout(), which takes the run from there.
    this.text(run.text, x, baseline, { lineBreak: false, baseline: 'alphabetic', features: run as never })
    this.actualText = undefined
  }

  private registerFontOf(run: TextRun, weight: Weight): string {
    const name = `${run.script.family} ${weight}`
    if (!this.registeredFonts.has(name)) {
      this.registerFont(name, createEmbeddedFont(run, weight) as unknown as string)
      this.registeredFonts.add(name)
    }
    return name
  }
}
