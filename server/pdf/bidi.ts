import createBidi from 'bidi-js'

// HarfBuzz shapes a run but does not order runs, and pdfkit knows no bidirectional text.
const bidi = createBidi()

const RIGHT_TO_LEFT = /[\p{Script=Arabic}\p{Script=Hebrew}]/u

/** The embedding level of each UTF-16 unit of a left-to-right line; empty if all of it is left to right. */
export function getEmbeddingLevels(text: string): ArrayLike<number> {
  if (!RIGHT_TO_LEFT.test(text)) return []
  return bidi.getEmbeddingLevels(text, 'ltr').levels
}

/** Runs from left to right: rule L2 of the Unicode bidirectional algorithm (UAX #9). */
export function toVisualOrder<Run extends { level: number }>(runs: Run[]): Run[] {
  const ordered = [...runs]
  const maxLevel = Math.max(0, ...runs.map(run => run.level))
  for (let level = maxLevel; level > 0; level--) reverseFromLevel(ordered, level)
  return ordered
}

/** Reverses each sequence of runs at this level or above. */
function reverseFromLevel(runs: { level: number }[], level: number) {
  let start = 0
  while (start < runs.length) {
    let end = start
    while (end < runs.length && runs[end]!.level >= level) end++
    const reversed = runs.slice(start, end).toReversed()
    runs.splice(start, reversed.length, ...reversed)
    start = end + 1
  }
}
