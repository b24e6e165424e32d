import { ForbiddenError } from './errors.ts'
import { limitTime } from './http-client.ts'
import { requireWhole } from './inputs.ts'
import type { CallOptions } from './options.ts'
import type { Agreement, AgreementStatus } from './types/index.ts'

const MAX_PAUSE_MS = 5_000

/** The order in which an agreement passes its states; none returns to an earlier one. */
const COURSE = ['DRAFT', 'PENDING', 'ACTIVE', 'TERMINATED', 'COMPLETED']

/** Loads an agreement until it has the status. */
export async function waitForStatus(
  load: (options: CallOptions) => Promise<Agreement>,
  awaited: AgreementStatus,
  { timeoutMs = 600_000, ...options }: CallOptions = {},
) {
  const waitMs = requireWhole('timeoutMs', timeoutMs, 1)
  return limitTime(waitMs, options.signal, async signal => {
    for (let pauseMs = 1_000; ; pauseMs = Math.min(2 * pauseMs, MAX_PAUSE_MS)) {
      const agreement = await load({ ...options, signal })
      const { status } = agreement
      if (status === awaited) return agreement
      if (COURSE.indexOf(status) > COURSE.indexOf(awaited))
        throw new ForbiddenError(`The agreement is ${status}, past ${awaited}`, { code: 'FORBIDDEN' })
      await new Promise(resolve => setTimeout(resolve, pauseMs))
    }
  })
}
