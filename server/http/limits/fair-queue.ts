/** The queue was full when a work came, or the work gave its place to that of another. */
export class QueueFullError extends Error {}

type Turn = PromiseWithResolvers<void>

/**
 * Runs `concurrency` works at a time, of one group at most `maxOfGroup`, while at most `maxWaiting` wait. Groups take
 * turns, so one of many works does not delay the others. In a full queue, the group with the most works gives a place
 * to one with fewer.
 */
export function createFairQueue(concurrency: number, maxWaiting: number, maxOfGroup = concurrency) {
  /** The turns that wait, by group; the groups are in the order in which they are next. */
  const groups = new Map<string, Turn[]>()
  const runningByGroup = new Map<string, number>()
  let running = 0
  let waiting = 0

  const getRunning = (group: string) => runningByGroup.get(group) ?? 0
  const mayRun = (group: string) => running < concurrency && getRunning(group) < maxOfGroup

  function countRunning(group: string, change: 1 | -1) {
    running += change
    const count = getRunning(group) + change
    if (count > 0) runningByGroup.set(group, count)
    else runningByGroup.delete(group)
  }

  async function waitForTurn(group: string) {
    if (mayRun(group)) {
      countRunning(group, 1)
      return
    }
    if (waiting === maxWaiting) makeRoom(group)
    const turn: Turn = Promise.withResolvers()
    groups.set(group, [...(groups.get(group) ?? []), turn])
    waiting++
    await turn.promise
  }

  function makeRoom(group: string) {
    const [longest = []] = [...groups.values()].toSorted((one, other) => other.length - one.length)
    const ownLength = groups.get(group)?.length ?? 0
    if (longest.length <= ownLength + 1) throw new QueueFullError()
    longest.pop()!.reject(new QueueFullError())
    waiting--
  }

  /** Gives the place of a finished work to the next group, which then is the last one. */
  function endTurn(ended: string) {
    countRunning(ended, -1)
    const next = groups.entries().find(([group]) => mayRun(group))
    if (!next) return
    const [group, [turn, ...others]] = next
    groups.delete(group)
    if (others.length > 0) groups.set(group, others)
    waiting--
    countRunning(group, 1)
    turn!.resolve()
  }

  /** @throws QueueFullError The work was not run. */
  return async <T>(group: string, work: () => Promise<T>): Promise<T> => {
    await waitForTurn(group)
    try {
      return await work()
    } finally {
      endTurn(group)
    }
  }
}
