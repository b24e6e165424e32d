import { createLog } from '../../server/observability/log'

/** A log, and the lines that are written to it. */
export function recordLog<Line = Record<string, unknown>>(level: Parameters<typeof createLog>[0] = 'info') {
  const lines: Line[] = []
  return { lines, log: createLog(level, false, { write: line => void lines.push(JSON.parse(line)) }) }
}
