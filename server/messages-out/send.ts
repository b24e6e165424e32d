import { sql, type InferResult } from 'kysely'
import { executeCompiled } from '../../db/compiled-queries'
import { getKysely, type Db } from '../../db/database'
import type { Deps } from '../deps'
import { processDueRows } from '../domain/due-rows'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../domain/durations'
import { ApiError } from '../errors'
import { refundRateLimits } from '../http/limits/rate-limits'
import { RecipientError } from '../providers/messaging/port'
import { hadNoEffect, NoChannelError } from '../providers/provider-errors'
import { consumeMessages } from './cap'
import type { AgreementMessage } from './write'

/** A message that could not be sent for so long is old news. */
const MAX_AGE_MS = 7 * DAY_MS

type Change = { state: 'queued' | 'unknown' | 'sent' | 'failed'; provider_id?: string | null; due_at?: Date }
type Stored = InferResult<ReturnType<typeof selectMessage>>[number]

/** Sends the messages that are due. Those above a cap wait for the next day; one that may have been sent is not repeated. */
export function sendMessages(deps: Deps) {
  return processDueRows(deps, {
    subject: 'a message',
    table: 'messages_out',
    dueColumn: 'due_at',
    toCondition: () => sql`state = 'queued'`,
    toNextAttempt: now => sql`${new Date(now.getTime() + 5 * MINUTE_MS)}`,
    process: id => sendMessage(deps, id),
  })
}

async function sendMessage(deps: Deps, id: number) {
  const [message] = await executeCompiled(deps.db, selectMessage, { id })
  if (!message) return
  const limits = await countMessage(deps, message)
  if (!limits) return
  const change = (values: Change) => changeMessage(deps, id, 'unknown', values)
  // Committed before it is sent: whatever happens next, no other run sends it.
  if (!(await changeMessage(deps, id, 'queued', { state: 'unknown' })))
    return refundRateLimits(deps.db, limits)
  try {
    const provider_id = (await deps.sendMessage(message.phone, toMessage(deps, message))) ?? null
    await change({ state: 'sent', provider_id })
  } catch (error) {
    deps.log.warn({ id, err: error }, 'A message to a person was not sent, or its answer was lost')
    if (isRefusal(error)) await change({ state: 'failed' })
    else if (hadNoEffect(error)) {
      await refundRateLimits(deps.db, limits)
      const due_at = new Date(deps.now().getTime() + HOUR_MS)
      await change({ state: isOld(deps, message) ? 'failed' : 'queued', due_at })
    }
  }
}

/** Counts a message; one above a cap waits until the cap's window ends. */
async function countMessage(deps: Deps, message: Stored) {
  try {
    return await consumeMessages(deps.db, deps, message.landlord_id, [message.phone])
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== 'TOO_MANY_REQUESTS') throw error
    const due_at = new Date(deps.now().getTime() + error.retryAfterS! * 1000)
    await changeMessage(deps, message.id, 'queued', { state: 'queued', due_at })
    return undefined
  }
}

/** Whether another attempt would fail too. */
const isRefusal = (error: unknown) =>
  error instanceof RecipientError || (error instanceof ApiError && error.cause instanceof NoChannelError)

const isOld = ({ now }: Deps, { created_at, params: { after } }: Stored) =>
  now().getTime() - Date.parse(created_at) > MAX_AGE_MS + Number(after) * DAY_MS

/** Kinds are stored as they are sent. */
function toMessage({ config, publicUrl }: Deps, { kind, params }: Stored): AgreementMessage {
  const url = config.FRONTEND_ORIGIN[0] ?? publicUrl()
  const { agreement_number, days } = params
  return { kind, agreement_number, days, url } as AgreementMessage
}

function selectMessage(db: Db, { id }: { id: number }) {
  return db
    .selectFrom('messages_out as m')
    .innerJoin('users as u', 'u.id', 'm.user_id')
    .where('m.id', '=', id)
    .where('m.state', '=', 'queued')
    .where('u.is_active', '=', true)
    .select(['m.id', 'm.landlord_id', 'm.kind', 'm.params', 'm.created_at', 'u.phone'])
}

/** Changes a message in a state; false if it is in another one. */
async function changeMessage({ db, now }: Deps, id: number, from: Change['state'], values: Change) {
  const { numUpdatedRows } = await getKysely(db)
    .updateTable('messages_out')
    .set({ ...values, updated_at: now() })
    .where('id', '=', id)
    .where('state', '=', from)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}
