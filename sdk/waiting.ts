import { ForbiddenError } from './errors.ts'
import type { HttpClient } from './http-client.ts'
import { path, requireWhole, type RecordId } from './inputs.ts'
import type { CallOptions } from './options.ts'
import { limitTime } from './time-limit.ts'
import type { Agreement, AgreementStatus, Signatures } from '#types'

const FIRST_PAUSE_MS = 250
const MAX_PAUSE_MS = 5_000

/** The order in which an agreement passes its states; none returns to an earlier one. */
const COURSE = ['DRAFT', 'PENDING', 'ACTIVE', 'TERMINATED', 'COMPLETED']

/** Loads an agreement until it has the status. */
export async function waitForStatus(
  http: HttpClient,
  id: RecordId,
  awaited: AgreementStatus,
  { timeoutMs = 600_000, ...options }: CallOptions = {},
) {
  const waitMs = requireWhole('timeoutMs', timeoutMs, 1)
  return limitTime(waitMs, options.signal, async signal => {
    for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(2 * pauseMs, MAX_PAUSE_MS)) {
      const agreement = await http.get<Agreement>(path`agreements/${id}`, { ...options, signal })
      const { status } = agreement
      if (status === awaited) return agreement
      if (COURSE.indexOf(status) > COURSE.indexOf(awaited))
        refuseWait(`The agreement is ${status}, past ${awaited}`, { status })
      if (status === 'PENDING' && awaited === 'ACTIVE')
        requireOpenSignatures(await http.get(path`agreements/${id}/signatures`, { ...options, signal }))
      await new Promise(resolve => setTimeout(resolve, pauseMs))
      signal.throwIfAborted()
    }
  })
}

/** A wait ends with a declined or expired signature: it stays so until its signing is started again. */
function requireOpenSignatures({ signatures }: Signatures) {
  const ended = signatures.find(({ status }) => status === 'declined' || status === 'expired')
  if (ended) refuseWait(`The signature of user ${ended.signer_id} is ${ended.status}`, ended)
}

function refuseWait(message: string, details: object): never {
  throw new ForbiddenError(message, { code: 'FORBIDDEN', details })
}
