import { Fault, refuse } from '../../faults'
import { toText } from '../../messages'
import type { Log } from '../../observability/log'
import type { Metrics } from '../../observability/metrics'
import { LoggableError } from '../../observability/safe-errors'
import { getErrorKind, mayBeDueToRecipient } from '../provider-errors'
import {
  RecipientFault,
  type Channel,
  type InvitationSender,
  type OtpSender,
  type ReminderSender,
} from './port'

export type NamedChannel = Channel & { name: string }

type Attempt = { channel: string; send: () => Promise<void> }
type Kind = 'otp' | 'reminder' | 'invitation'
const labels: Record<Kind, string> = {
  otp: 'the one-time password',
  reminder: 'the reminder',
  invitation: 'the invitation',
}

const UNREACHABLE = toText('provider_unreachable', { provider: 'messaging' })
const UNDELIVERABLE = toText('phone_number_unreachable', undefined)

/** Sends by the first channel; if it fails, by the next one. */
export function createMessaging(
  channels: NamedChannel[],
  log: Log,
  metrics: Metrics,
): { sendOtp: OtpSender; sendReminder: ReminderSender; sendInvitation: InvitationSender } {
  async function sendInOrder(
    kind: Kind,
    [attempt, ...others]: Attempt[],
    errors: unknown[] = [],
  ): Promise<void> {
    if (!attempt) throw toFailure(kind, errors)
    const { channel } = attempt
    try {
      await attempt.send()
      metrics.messages.inc({ channel, kind, outcome: 'sent' })
    } catch (error) {
      const outcome = getErrorKind(error) ?? 'failed'
      metrics.messages.inc({ channel, kind, outcome })
      if (outcome === 'misconfigured')
        log.error({ channel, err: error }, 'A channel refuses our credentials: check its settings')
      if (others.length > 0)
        log.warn({ channel, err: error }, `A channel failed to send ${labels[kind]}; trying the next one`)
      await sendInOrder(kind, others, [...errors, error])
    }
  }

  return {
    sendOtp: (...message) => {
      const attempts = channels.map(({ name, sendOtp }) => ({
        channel: name,
        send: () => sendOtp(...message),
      }))
      return sendInOrder('otp', attempts)
    },
    sendReminder: (...message) => {
      const attempts = channels.flatMap(({ name, sendReminder }) =>
        sendReminder ? [{ channel: name, send: () => sendReminder(...message) }] : [],
      )
      return sendInOrder('reminder', attempts)
    },
    sendInvitation: (...message) => {
      const attempts = channels.flatMap(({ name, sendInvitation }) =>
        sendInvitation ? [{ channel: name, send: () => sendInvitation(...message) }] : [],
      )
      return sendInOrder('invitation', attempts)
    },
  }
}

/** Returns what a caller is told when no channel has sent a message. */
function toFailure(kind: Kind, errors: unknown[]) {
  if (errors.length === 0) {
    const cause = new LoggableError(`No channel sends ${labels[kind]}`)
    return refuse('provider_unreachable', { provider: 'messaging' }, { cause })
  }
  const cause = errors.at(-1)
  if (!errors.some(mayBeDueToRecipient)) return cause

  const isRefusedByAll = errors.every(mayBeDueToRecipient)
  const isUndeliverable = errors.some(error => getErrorKind(error) === 'undeliverable')
  if (isRefusedByAll && isUndeliverable)
    return new RecipientFault('phone_number_unreachable', UNDELIVERABLE, { cause })
  return new RecipientFault('provider_unreachable', UNREACHABLE, {
    cause: cause instanceof Fault ? cause.cause : cause,
  })
}
