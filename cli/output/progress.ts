import type { Terminal } from '../runtime/terminal'

const REPORT_INTERVAL_MS = 1000
const FRAME_MS = 100
const FRAMES = [...'⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏']

export type Progress = ReturnType<typeof createProgress>

/** Reports on stderr how many of the items are done, at most once a second, with the rate. */
export function createProgress(
  { printNote }: { printNote: (text: string) => void },
  unit: string,
  total: number,
) {
  const startedAt = performance.now()
  let lastReportAt = startedAt
  let done = 0

  const report = () => {
    lastReportAt = performance.now()
    const seconds = (lastReportAt - startedAt) / 1000
    const rate = seconds > 0 ? Math.round(done / seconds) : 0
    printNote(`${done} of ${total} ${unit}, ${rate} per second`)
  }

  return {
    add: (count: number) => {
      done += count
      if (performance.now() - lastReportAt >= REPORT_INTERVAL_MS) report()
    },
    end: report,
  }
}

/** Draws after a delay until it is stopped; only a terminal shows it. */
export function startSpinner({ isStderrTty, draw }: Terminal, text: string, delayMs = 0) {
  if (!isStderrTty) return () => {}
  const startedAt = performance.now()
  let frame = 0
  const timer = setInterval(() => {
    const elapsedMs = performance.now() - startedAt
    if (elapsedMs < delayMs) return
    const progress = `${text} (${Math.floor(elapsedMs / 1_000)} s)`
    draw(`\r${FRAMES[frame++ % FRAMES.length]} ${progress}`)
  }, FRAME_MS)
  return () => {
    clearInterval(timer)
    if (frame > 0) draw('\r\u001b[K')
  }
}
