import { existsSync, readFileSync } from 'node:fs'

const CHECK_INTERVAL_MS = 500

/**
 * Calls `stop` when npx has ended. A signal to npx ends only the shell that it started,
 * so the one trace that is left is that our runner lost its parent.
 */
export function stopWithRunner(stop: () => void) {
  if (!existsSync('/proc/self/status')) return
  const initialParent = getParentOfRunner()
  const interval = setInterval(() => {
    if (getParentOfRunner() === initialParent) return
    clearInterval(interval)
    stop()
  }, CHECK_INTERVAL_MS)
  interval.unref()
}

function getParentOfRunner() {
  const status = readFileSync(`/proc/${process.ppid}/status`, 'utf8')
  return /^PPid:\t(\d+)/m.exec(status)?.[1]
}
