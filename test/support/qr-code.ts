import { inflateSync } from 'node:zlib'
import jsQr from 'jsqr'

/** Pixels for each module, and the blank margin in modules. */
const SCALE = 4
const MARGIN = 4

type Rectangle = { x: number; y: number; width: number; height: number }

/** Decodes the QR code that a page of a PDF is drawn with; null if there is none. */
export function readQrCode(pdf: Uint8Array): string | null {
  const rectangles = listStreams(pdf).flatMap(listRectangles)
  const module = Math.min(...rectangles.map(({ height }) => height))
  const modules = rectangles.filter(({ height }) => Math.abs(height - module) < 0.01)
  const size = Math.round(Math.max(...modules.map(({ x, width }) => x + width)) / module)
  const side = (size + 2 * MARGIN) * SCALE
  const pixels = new Uint8ClampedArray(side * side * 4).fill(255)
  for (const { x, y, width } of modules)
    for (let left = toPixel(x / module); left < toPixel((x + width) / module); left++)
      for (let row = 0; row < SCALE; row++) {
        const offset = ((toPixel(y / module) + row) * side + left) * 4
        pixels.fill(0, offset, offset + 3)
      }
  return jsQr(pixels, side, side)?.data ?? null
}

const toPixel = (module: number) => (Math.round(module) + MARGIN) * SCALE

/** The content streams of a PDF that can be inflated, as text. */
function listStreams(pdf: Uint8Array) {
  const bytes = Buffer.from(pdf)
  const text = bytes.toString('latin1')
  return [...text.matchAll(/stream\r?\n/g)].flatMap(({ index, 0: mark }) => {
    if (text.slice(index - 3, index) === 'end') return []
    const end = text.indexOf('endstream', index)
    try {
      return inflateSync(bytes.subarray(index + mark.length, end)).toString('latin1')
    } catch {
      return []
    }
  })
}

/** The filled rectangles `x y width height re`, from the figure's top left corner. */
function listRectangles(content: string): Rectangle[] {
  const number = String.raw`(-?\d*\.?\d+)`
  const rectangle = new RegExp(`${number} ${number} ${number} ${number} re$`, 'gm')
  return [...content.matchAll(rectangle)].map(([, x, y, width, height]) => ({
    x: Number(x),
    y: Number(y),
    width: Number(width),
    height: Number(height),
  }))
}
