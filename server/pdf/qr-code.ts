import { encode } from 'uqr'
import type { Figure } from './layout'

/** A quarter of the modules may be lost to folds and stains. */
const ERROR_CORRECTION = 'Q'

type Options = { x: number; size: number; alt: string }

/** Creates the figure of a QR code; it needs a blank margin of four modules around it. */
export function createQrCode(text: string, { x, size, alt }: Options): Figure {
  const { data, size: count } = encode(text, { ecc: ERROR_CORRECTION, border: 0 })
  const module = size / count
  return {
    x,
    width: size,
    height: size,
    alt,
    paint: doc => {
      for (const [row, modules] of data.entries())
        for (const { start, length } of listDarkRuns(modules))
          doc.rect(start * module, row * module, length * module, module)
      doc.fill('#000000')
    },
  }
}

/** Modules beside each other are one rectangle, so that no seams show between them. */
function listDarkRuns(modules: boolean[]) {
  const runs: { start: number; length: number }[] = []
  for (const [index, isDark] of modules.entries()) {
    if (!isDark) continue
    const last = runs.at(-1)
    if (last && last.start + last.length === index) last.length++
    else runs.push({ start: index, length: 1 })
  }
  return runs
}
