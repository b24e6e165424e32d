import { DAY_MS } from '../../domain/durations'
import { toIndianDate } from '../../domain/dates'
import { refuse } from '../../faults'
import { createQueue, type Queue } from './queue'

/** A page sends some twenty requests at once; four at a time leave connections to others. */
const MAX_AT_ONCE = 4
const MAX_WAITING = 60
const MAX_CHANGES_PER_DAY = 5000

export type Limiter = ReturnType<typeof createLimiter>

/** Limits what one user, or one network, may use of a worker. */
export function createLimiter(now: () => Date) {
  const queues = new Map<string, Queue>()
  const changes = { day: '', countByUser: new Map<number, number>() }

  return {
    /**
     * Runs work in a slot of this key; the others wait.
     * @throws TOO_MANY_REQUESTS Too many wait.
     */
    async run<T>(key: string, work: () => Promise<T>): Promise<T> {
      const queue = queues.get(key) ?? createQueue(MAX_AT_ONCE, MAX_WAITING, 'too_many_requests')
      queues.set(key, queue)
      try {
        return await queue.run(work)
      } finally {
        if (queue.isIdle()) queues.delete(key)
      }
    },

    /** @throws TOO_MANY_REQUESTS The user has changed as much today as one may. */
    countChange(userId: number) {
      const today = toIndianDate(now())
      if (today !== changes.day) {
        changes.day = today
        changes.countByUser.clear()
      }
      const count = (changes.countByUser.get(userId) ?? 0) + 1
      if (count > MAX_CHANGES_PER_DAY)
        throw refuse('too_many_changes', {}, { retryAfterS: getSecondsLeft(today, now()) })
      changes.countByUser.set(userId, count)
    },
  }
}

function getSecondsLeft(indianDate: string, now: Date) {
  const endsAt = Date.parse(`${indianDate}T00:00:00+05:30`) + DAY_MS
  return (endsAt - now.getTime()) / 1000
}
