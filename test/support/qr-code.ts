import jsQr from 'jsqr'
import { readContents } from './pdf'

/** Of a module as it is drawn. */
const SIZE = 10
/** Pixels for each module, and the blank margin in modules. */
const SCALE = 4
const MARGIN = 4

/** Decodes the QR code that a page of a PDF is drawn with; null if there is none. */
export async function readQrCode(pdf: Uint8Array): Promise<string | null> {
  const modules = (await readContents(pdf)).flatMap(listModules)
  const count = Math.max(...modules.map(({ row }) => row)) + 1
  const side = (count + 2 * MARGIN) * SCALE
  const pixels = new Uint8ClampedArray(side * side * 4).fill(255)
  for (const { row, column } of modules)
    for (let line = 0; line < SCALE; line++) {
      const start = ((row + MARGIN) * SCALE + line) * side + (column + MARGIN) * SCALE
      for (let pixel = start; pixel < start + SCALE; pixel++) pixels.fill(0, pixel * 4, pixel * 4 + 3)
    }
  return jsQr(pixels, side, side)?.data ?? null
}

/** The dark modules: squares that begin with their upper side. */
function listModules(content: string) {
  const sides = content.matchAll(/^(\d+) (\d+) m\n(\d+) \2 l$/gm)
  return [...sides]
    .map(([, x, y, end]) => ({
      column: Number(x) / SIZE,
      row: Number(y) / SIZE,
      size: Number(end) - Number(x),
    }))
    .filter(({ size }) => size === SIZE)
}
