import { sql, type InferResult } from 'kysely'
import { executeCompiled } from '../../../db/compiled-queries'
import type { Db } from '../../../db/database'
import { AgreementSignature } from '../../../db/entities'
import type { Deps } from '../../deps'
import { processDueRows } from '../../domain/due-rows'
import { HOUR_MS } from '../../domain/durations'
import { refundRateLimits } from '../../http/limits/rate-limits'
import { consumeMessages } from '../../messages-out/cap'
import { RecipientError } from '../../providers/messaging/port'
import { lockAgreement } from '../access'
import { appendEntry } from '../timeline'
import { countReminder } from './reminder-times'
import { startSigning } from './start'

/**
 * Reminds signers who have not signed: after a day, then every two days, at most five times within thirty days. If
 * the request has expired, the reminder brings a new one. One that fails is tried again in an hour; one whose server
 * stops after it was sent is repeated.
 */
export function sendReminders(deps: Deps) {
  return processDueRows(deps, {
    subject: 'a reminder',
    table: 'agreement_signatures',
    dueColumn: 'next_reminder_at',
    toNextAttempt: now => sql`${new Date(now.getTime() + HOUR_MS)}`,
    toCondition: now => sql`status in ('PENDING', 'EXPIRED')
      and exists (
        select from agreements
        where id = agreement_signatures.agreement_id and status = 'PENDING' and is_active
      )
      and ${now}::timestamptz - interval '30 days' < (
        select min(request.created_at) from agreement_signatures request
        where request.agreement_id = agreement_signatures.agreement_id
          and request.signer_id = agreement_signatures.signer_id
      )`,
    process: id => sendCountedReminder(deps, id),
  })
}

async function sendCountedReminder(deps: Deps, id: number) {
  const [reminder] = await executeCompiled(deps.db, selectReminder, { id })
  const { landlord_id, phone } = reminder!
  const limits = await consumeMessages(deps.db, deps, landlord_id, [phone])
  try {
    await sendReminder(deps, reminder!)
  } catch (error) {
    await refundRateLimits(deps.db, limits)
    throw error
  }
}

type Reminder = InferResult<ReturnType<typeof selectReminder>>[number]

async function sendReminder(deps: Deps, { signer_id, phone, agreement_number, ...reminder }: Reminder) {
  const agreementId = { id: reminder.agreement_id }
  const landlord = { id: reminder.landlord_id, isSystem: true }
  const { data: started } = await startSigning(deps, landlord, agreementId, { signer_id })
  const { signature_id, signing_url } = started
  const isSent = await deps
    .sendMessage(phone, { kind: 'reminder', agreement_number, signing_url })
    .then(() => true)
    .catch(error => {
      if (isUnreachable(error)) return false
      throw error
    })

  await deps.db.transactional(async em => {
    const locked = await lockAgreement(em, landlord, agreementId)
    const signature = await em.findOneOrFail(AgreementSignature, { signature_id })
    countReminder(signature, deps.now())
    const details = { signer_id, signature_id, reminder: signature.reminders }
    if (isSent) await appendEntry(em, deps.now(), locked, 'reminded', null, details)
  })
}

/** A number that no channel reaches uses up its reminders. */
function isUnreachable(error: unknown) {
  return error instanceof RecipientError && error.code === 'BAD_REQUEST'
}

function selectReminder(db: Db, { id }: { id: number }) {
  return db
    .selectFrom('agreement_signatures as s')
    .innerJoin('agreements as a', 'a.id', 's.agreement_id')
    .innerJoin('users as signer', 'signer.id', 's.signer_id')
    .where('s.id', '=', id)
    .select(['s.agreement_id', 's.signer_id', 'a.agreement_number', 'a.landlord_id', 'signer.phone'])
}
