import { DAY_MS } from '../../domain/durations'
import { toIndianDate } from '../../domain/dates'
import type { Limiter } from '../../deps'
import { refuse } from '../../errors'
import { createQueue } from '../../queues/queue'

/** A page sends some twenty requests at once; four at a time leave connections to others. */
const MAX_AT_ONCE = 4
const MAX_WAITING = 60
const MAX_CHANGES_PER_DAY = 5000

export function createLimiter(now: () => Date): Limiter {
  const queues = new Map<string, ReturnType<typeof createQueue>>()
  const changes = { day: '', countByUser: new Map<number, number>() }

  return {
    async run(key, work, maxAtOnce = MAX_AT_ONCE) {
      const queue = queues.get(key) ?? createQueue(maxAtOnce, MAX_WAITING, 'too_many_requests')
      queues.set(key, queue)
      try {
        return await queue.run(work)
      } finally {
        if (queue.isIdle()) queues.delete(key)
      }
    },

    countChange(userId, count = 1) {
      const today = toIndianDate(now())
      if (today !== changes.day) {
        changes.day = today
        changes.countByUser.clear()
      }
      const sum = (changes.countByUser.get(userId) ?? 0) + count
      if (sum > MAX_CHANGES_PER_DAY)
        throw refuse('too_many_changes', {}, { retryAfterS: getSecondsLeft(today, now()) })
      changes.countByUser.set(userId, sum)
    },
  }
}

function getSecondsLeft(indianDate: string, now: Date) {
  const endsAt = Date.parse(`${indianDate}T00:00:00+05:30`) + DAY_MS
  return (endsAt - now.getTime()) / 1000
}
