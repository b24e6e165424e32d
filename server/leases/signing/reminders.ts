import { sql } from 'kysely'
import { executeCompiled } from '../../../db/compiled-queries'
import type { Db, EntityManager } from '../../../db/database'
import { AgreementSignature } from '../../../db/entities'
import type { Deps } from '../../deps'
import { leaseRows, processInBatches } from '../../domain/due-rows'
import { Fault } from '../../faults'
import { RecipientFault } from '../../providers/messaging/port'
import { lockAgreement } from '../access'
import { appendEvent } from '../timeline'
import { consumeMessages } from './message-cap'
import { MAX_REMINDERS, REMINDER_INTERVAL_MS } from './response'
import { startSigning } from './start'

/**
 * Reminds signers who have not signed: after a day, then every two days, at most five times within thirty days. If
 * the request has expired, the reminder brings a new one. One that fails is tried again in an hour; a crash can
 * repeat one.
 */
export function sendReminders(deps: Deps) {
  const lease = () => {
    const now = deps.now()
    return leaseRows(deps, {
      table: 'agreement_signatures',
      dueColumn: 'next_reminder_at',
      nextAttempt: sql`${now}::timestamptz + interval '1 hour'`,
      isDue: isDue(now),
      orderBy: 'next_reminder_at',
    })
  }
  return processInBatches(deps, { subject: 'a reminder', lease, process: id => sendReminder(deps, id) })
}

function isDue(now: Date) {
  const isPending = sql`exists (
    select from agreements a
    where a.id = agreement_signatures.agreement_id and a.status = 'PENDING' and a.is_active
  )`
  const firstRequest = sql`(
    select min(request.created_at) from agreement_signatures request
    where request.agreement_id = agreement_signatures.agreement_id
      and request.signer_id = agreement_signatures.signer_id
  )`
  return sql`next_reminder_at <= ${now} and status in ('PENDING', 'EXPIRED')
    and ${isPending} and ${now}::timestamptz - ${firstRequest} < interval '30 days'`
}

async function sendReminder(deps: Deps, id: number) {
  const [reminder] = await executeCompiled(deps.db, selectReminder, { id })
  const { agreement_id, agreement_number, landlord_id, signer_id, phone } = reminder!
  const landlord = { id: landlord_id, isSystem: true }
  const agreementId = String(agreement_id)
  try {
    await consumeMessages(deps.db, deps, landlord_id, [{ id: signer_id, phone }])
    const { data } = await startSigning(deps, landlord, agreementId, { signer_id })
    await deps.sendMessage(phone, { kind: 'reminder', agreement_number, signing_url: data.signing_url })
  } catch (error) {
    if (isOverCap(error)) return
    if (!isUnreachable(error)) throw error
    await deps.db.transactional(em => countReminder(em, deps.now(), { agreement_id, signer_id }))
    throw error
  }

  await deps.db.transactional(async em => {
    const locked = await lockAgreement(em, landlord, agreementId)
    const { signature_id, reminders } = await countReminder(em, deps.now(), { agreement_id, signer_id })
    const details = { signer_id, signature_id, reminder: reminders }
    await appendEvent(em, deps.now(), locked, 'reminded', null, details)
  })
}

/** The signer, or all of the landlord's, got enough messages today; the reminder waits. */
function isOverCap(error: unknown) {
  return error instanceof Fault && error.code === 'TOO_MANY_REQUESTS'
}

/** A number that no channel reaches uses up its reminders. */
function isUnreachable(error: unknown) {
  return error instanceof RecipientFault && error.code === 'BAD_REQUEST'
}

type Signer = Pick<AgreementSignature, 'agreement_id' | 'signer_id'>

/** Counts a reminder on the signer's latest request. */
async function countReminder(em: EntityManager, now: Date, signer: Signer) {
  const signature = await em.findOneOrFail(AgreementSignature, signer, { orderBy: { id: 'desc' } })
  signature.reminders++
  const isLast = signature.reminders >= MAX_REMINDERS
  signature.next_reminder_at = isLast ? null : new Date(now.getTime() + REMINDER_INTERVAL_MS)
  await em.flush()
  return signature
}

function selectReminder(db: Db, { id }: { id: number }) {
  return db
    .selectFrom('agreement_signatures as s')
    .innerJoin('agreements as a', 'a.id', 's.agreement_id')
    .innerJoin('users as signer', 'signer.id', 's.signer_id')
    .where('s.id', '=', id)
    .select(['s.agreement_id', 's.signer_id', 'a.agreement_number', 'a.landlord_id', 'signer.phone'])
}
