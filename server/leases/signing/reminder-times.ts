import type { AgreementSignature } from '../../../db/entities'
import { DAY_MS } from '../../domain/durations'
import type { SigningTx } from './claim'

const MAX_REMINDERS = 5
const FIRST_REMINDER_MS = DAY_MS
const REMINDER_INTERVAL_MS = 2 * DAY_MS

/** A new request goes on counting the reminders of the signer's earlier one; that of a reminder keeps its due time. */
export function moveReminders(
  { initiator }: Pick<SigningTx, 'initiator'>,
  signature: AgreementSignature,
  earlier: AgreementSignature | undefined,
  now: Date,
) {
  signature.reminders = earlier?.reminders ?? 0
  signature.next_reminder_at = initiator.isSystem
    ? earlier?.next_reminder_at
    : getNextReminder(signature.reminders, now)
  if (earlier) earlier.next_reminder_at = null
}

/** Counts a reminder that was sent. One who answered before it was counted gets no other. */
export function countReminder(signature: AgreementSignature, now: Date) {
  signature.reminders++
  if (signature.next_reminder_at) signature.next_reminder_at = getNextReminder(signature.reminders, now)
}

export function getNextReminder(reminders: number, now: Date) {
  if (reminders >= MAX_REMINDERS) return null
  return new Date(now.getTime() + (reminders > 0 ? REMINDER_INTERVAL_MS : FIRST_REMINDER_MS))
}
