import type { Context } from '../runtime/context'

const REPORT_INTERVAL_MS = 1000

export type Progress = ReturnType<typeof createProgress>

/** Reports on stderr how many of the items are done, at most once a second, with the rate. */
export function createProgress(context: Context, unit: string, total: number) {
  const startedAt = performance.now()
  let lastReportAt = startedAt
  let done = 0

  const report = () => {
    lastReportAt = performance.now()
    const seconds = (lastReportAt - startedAt) / 1000
    const rate = seconds > 0 ? Math.round(done / seconds) : 0
    context.printNote(`${done} of ${total} ${unit}, ${rate} per second`)
  }

  return {
    add: (count: number) => {
      done += count
      if (performance.now() - lastReportAt >= REPORT_INTERVAL_MS) report()
    },
    end: report,
  }
}
