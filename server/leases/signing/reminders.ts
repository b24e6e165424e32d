import { sql } from 'kysely'
import { getKysely } from '../../../db/database'
import { lockAgreement } from '../access'
import { startSigning } from './start'
import { MAX_REMINDERS } from './response'
import { toReminderRateLimits } from './strangers'
import { appendEvent } from '../timeline'
import type { Deps } from '../../deps'
import { Fault } from '../../faults'
import { consumeRateLimits, refundRateLimits } from '../../http/limits/rate-limits'
import { RecipientFault } from '../../providers/messaging/port'
import { BATCH_SIZE, processInBatches } from '../../domain/due-rows'

/**
 * Reminds signers who have not signed: after a day, then every two days, at most five times within thirty
 * days. If the request has expired, the reminder brings a new one. A person gets at most
 * `REMINDER_LIMIT_PER_PHONE` reminders a day from one landlord. A person who has never signed for a landlord gets
 * five in all from that landlord, and `STRANGER_REMINDER_LIMIT` a day from all such landlords together.
 */
export function sendReminders(deps: Deps) {
  const now = deps.now()
  return processInBatches(deps, {
    subject: 'a reminder',
    lease: () => leaseDueReminders(deps, now),
    process: async id => {
      try {
        await sendLimitedReminder(deps, id)
      } catch (error) {
        if (!isUnreachable(error)) await restoreReminder(deps, id, now)
        if (!isLimited(error)) throw error
      }
    },
  })
}

/** A number that no channel reaches uses up its reminders. */
function isUnreachable(error: unknown) {
  return error instanceof RecipientFault && error.code === 'BAD_REQUEST'
}

/** The signer was reminded enough today; later reminders wait. */
function isLimited(error: unknown) {
  return error instanceof Fault && error.code === 'TOO_MANY_REQUESTS'
}

/** The requests (`request`) to sign that a landlord's agreements sent to a person. */
function findRequests(landlordId: string, signerId: string) {
  return sql`
    agreement_signatures request join agreements named on named.id = request.agreement_id
    where request.signer_id = ${sql.ref(signerId)} and named.landlord_id = ${sql.ref(landlordId)}
      and named.is_active`
}

/** Whether a person never signed for a landlord, who can name anyone: then five reminders are all. */
function isStranger(landlordId: string, signerId: string) {
  return sql<boolean>`(
    ${sql.ref(signerId)} <> ${sql.ref(landlordId)}
    and not exists (select from ${findRequests(landlordId, signerId)} and request.status = 'SIGNED')
  )`
}

/** Selects the due signatures, with the landlord that each is for. */
function selectDue(now: Date) {
  const firstRequest = sql`(
    select min(request.created_at) from agreement_signatures request
    where request.agreement_id = s.agreement_id and request.signer_id = s.signer_id
  )`
  return sql`
    select s.id, s.signer_id, a.landlord_id
    from agreement_signatures s join agreements a on a.id = s.agreement_id
    where s.next_reminder_at <= ${now} and s.status in ('PENDING', 'EXPIRED')
      and a.status = 'PENDING' and a.is_active
      and ${now}::timestamptz - ${firstRequest} < interval '30 days'`
}

/** Groups due signatures by landlord and signer, with the reminders that a stranger got of all agreements. */
const selectPairs = sql`
  select pair.ids, case when ${isStranger('pair.landlord_id', 'pair.signer_id')} then (
    select sum(latest.reminders)
    from (
      select max(request.reminders) as reminders
      from ${findRequests('pair.landlord_id', 'pair.signer_id')} group by named.id
    ) latest
  ) end as reminders
  from (
    select landlord_id, signer_id, array_agg(id order by id) as ids from due group by landlord_id, signer_id
  ) pair`

/**
 * Counts the reminders before they are sent, so that no two instances send the same: what was due is checked again once
 * its row is locked. Those to a stranger are numbered before the limit: else those of one landlord could fill a batch
 * and not be sent.
 */
async function leaseDueReminders({ db }: Deps, now: Date) {
  const { rows } = await sql<{ id: number }>`
    with due as materialized (${selectDue(now)}), pairs as materialized (${selectPairs}), sendable as (
      select signature.id
      from pairs cross join lateral unnest(pairs.ids) with ordinality as signature (id, position)
      where reminders is null or reminders + position <= ${MAX_REMINDERS}
    ), leased as (
      select id
      from agreement_signatures
      where id = any (array(select id from sendable))
        and next_reminder_at <= ${now} and status in ('PENDING', 'EXPIRED')
      order by next_reminder_at limit ${BATCH_SIZE} for update skip locked
    )
    update agreement_signatures set
      reminders = reminders + 1,
      next_reminder_at = case
        when reminders + 1 < ${MAX_REMINDERS} then ${now}::timestamptz + interval '2 days'
      end
    where id in (select id from leased)
    returning id`.execute(getKysely(db))
  return rows
}

/** Uncounts a reminder that failed and tries it again in an hour, on the signer's latest request. */
async function restoreReminder({ db }: Deps, id: number, now: Date) {
  await sql`
    update agreement_signatures set
      reminders = reminders - 1,
      next_reminder_at = ${now}::timestamptz + interval '1 hour'
    where status in ('PENDING', 'EXPIRED') and id = (
      select max(latest.id)
      from agreement_signatures latest
      join agreement_signatures leased using (agreement_id, signer_id)
      where leased.id = ${id}
        and (latest.provider_request_id is not null or latest.status = 'DECLINED')
    )`.execute(getKysely(db))
}

async function sendLimitedReminder(deps: Deps, id: number) {
  const reminder = await getReminder(deps, id)
  const limits = toReminderRateLimits(deps, reminder)
  await consumeRateLimits(deps.db, deps.now(), limits, 'reminders_used_up')
  try {
    await sendReminder(deps, reminder)
  } catch (error) {
    await refundRateLimits(deps.db, limits)
    throw error
  }
}

async function sendReminder(deps: Deps, reminder: Reminder) {
  const { agreement_number, signer_id } = reminder
  const agreementId = String(reminder.agreement_id)
  const landlord = { id: reminder.landlord_id, isSystem: true }
  const { data: started } = await startSigning(deps, landlord, agreementId, { signer_id })
  const { signature_id, signing_url } = started
  await deps.sendMessage(reminder.phone, { kind: 'reminder', agreement_number, signing_url })

  await deps.db.transactional(async em => {
    const locked = await lockAgreement(em, landlord, agreementId)
    const details = { signer_id, signature_id, reminder: reminder.reminders }
    await appendEvent(em, deps.now(), locked, 'reminded', null, details)
  })
}

type Reminder = Awaited<ReturnType<typeof getReminder>>

function getReminder({ db }: Deps, signatureId: number) {
  return getKysely(db)
    .selectFrom('agreement_signatures as s')
    .innerJoin('agreements as a', 'a.id', 's.agreement_id')
    .innerJoin('users as signer', 'signer.id', 's.signer_id')
    .innerJoin('users as landlord', 'landlord.id', 'a.landlord_id')
    .where('s.id', '=', signatureId)
    .select([
      's.agreement_id',
      's.signer_id',
      's.reminders',
      'a.agreement_number',
      'a.landlord_id',
      'signer.phone',
      'landlord.phone as landlord_phone',
      isStranger('a.landlord_id', 's.signer_id').as('is_stranger'),
    ])
    .executeTakeFirstOrThrow()
}
