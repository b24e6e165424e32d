import { sql } from 'kysely'
import { Agreement, AgreementSignature, User } from '../../db/entities'
import { query } from '../../db/orm'
import { records } from '../../db/records'
import { transact } from '../../db/records'
import { lockAgreement } from '../agreements/access'
import { MAX_REMINDERS, startSigning } from '../agreements/signing'
import { appendEvent } from '../agreements/timeline'
import type { Deps } from '../deps'
import { BATCH_SIZE, processInBatches } from './reconcile'

/**
 * Reminds those who were asked to sign and have not: after a day, then every two, at most five times. Who let the
 * time to sign pass is asked anew, so that every reminder leads to a page that is open. After thirty days nobody is
 * reminded any more, however many could not be sent.
 */
export async function sendReminders(deps: Deps) {
  const now = deps.now()
  await processInBatches(
    deps,
    'a reminder',
    async () =>
      (
        await sql<{ id: number }>`
    update agreement_signatures set reminders = reminders + 1, next_reminder_at = case when reminders + 1 < ${MAX_REMINDERS} then ${now}::timestamptz + interval '2 days' end
    where id in (select s.id from agreement_signatures s join agreements a on a.id = s.agreement_id
      where s.next_reminder_at <= ${now} and s.status in ('PENDING', 'EXPIRED') and a.status = 'PENDING' and a.is_active
        and ${now}::timestamptz - (select min(asked.created_at) from agreement_signatures asked where asked.agreement_id = s.agreement_id and asked.signer_id = s.signer_id) < interval '30 days' order by s.next_reminder_at limit ${BATCH_SIZE} for update of s skip locked)
    returning id`.execute(query(deps.orm))
      ).rows,
    id =>
      remindOne(deps, id).catch(async error => {
        // Nobody was reminded: it does not count, and is tried again in an hour, on a request that was made anew meanwhile.
        await sql`update agreement_signatures set reminders = reminders - 1, next_reminder_at = ${now}::timestamptz + interval '1 hour'
      where id = (select max(latest.id) from agreement_signatures latest join agreement_signatures taken using (agreement_id, signer_id) where taken.id = ${id} and latest.provider_request_id is not null) and status in ('PENDING', 'EXPIRED')`.execute(
          query(deps.orm),
        )
        throw error
      }),
  )
}

async function remindOne(deps: Deps, id: number) {
  const db = records(deps.orm)
  const { agreement_id, signer_id, reminders } = await db.findOneOrFail(AgreementSignature, { id })
  const { landlord_id, agreement_number } = await db.findOneOrFail(Agreement, { id: agreement_id })
  const { phone } = await db.findOneOrFail(User, { id: signer_id })
  const landlord = { id: landlord_id, isSystem: true }
  const {
    data: { signature_id, signing_url },
  } = await startSigning(deps, landlord, String(agreement_id), { signer_id })
  await deps.sendReminder(phone, { agreement_number, signing_url })
  await transact(deps.orm, async tx => {
    await appendEvent(
      tx,
      deps.now(),
      await lockAgreement(tx, landlord, String(agreement_id)),
      'reminded',
      null,
      {
        signer_id,
        signature_id,
        reminder: reminders,
      },
    )
  })
}
