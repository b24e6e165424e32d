import type { OwnCluster } from '../../support/cluster'
import type { Random } from '../../support/random'

const EVERY_MS = 40
/** Longer than the server's deadline now and then, so that it has to give its connections up. */
const FREEZES_MS = [20, 50, 100, 200, 300, 300, 300, 3500]
const MAX_FROZEN = 3

/** Terminates and freezes backends of the test's own cluster until it is stopped. */
export function startChaos(cluster: OwnCluster, random: Random) {
  const counts = { terminated: 0, frozen: 0 }
  const frozen = new Map<number, Timer>()
  let isRunning = true

  function thaw(pid: number) {
    clearTimeout(frozen.get(pid))
    frozen.delete(pid)
    sendSignal(pid, 'SIGCONT')
  }

  function freeze(pid: number) {
    if (frozen.has(pid) || frozen.size >= MAX_FROZEN || !sendSignal(pid, 'SIGSTOP')) return
    counts.frozen++
    // A timer thaws it: a frozen backend may hold a lock that even the next query of the test needs.
    frozen.set(pid, setTimeout(thaw, random.pick(FREEZES_MS), pid))
  }

  async function terminate(pid: number) {
    const [row] = await cluster.ask(`select pg_terminate_backend(${pid}) as is_terminated`)
    if (row?.is_terminated) counts.terminated++
  }

  async function act() {
    const rows = await cluster.ask(`select pid from pg_stat_activity where application_name = 'kiraya'`)
    const children = await cluster.processes(cluster.data)
    const pids = rows.map(row => row.pid as number).filter(pid => children.includes(pid))
    if (pids.length === 0) return
    const pid = random.pick(pids)
    if (random.chance(0.5)) freeze(pid)
    else await terminate(pid)
  }

  const running = (async () => {
    while (isRunning) {
      await act()
      await Bun.sleep(EVERY_MS)
    }
  })()

  return {
    counts,
    stop: async () => {
      isRunning = false
      await running
      for (const pid of frozen.keys()) thaw(pid)
    },
  }
}

/** Whether the process was still there. */
function sendSignal(pid: number, signal: NodeJS.Signals) {
  try {
    return process.kill(pid, signal)
  } catch {
    return false
  }
}
