import { refuse } from '../../faults'
import type { Log } from '../../observability/log'
import type { Metrics } from '../../observability/metrics'
import { LoggableError } from '../../observability/safe-errors'
import { getErrorKind } from '../provider-errors'
import type { Channel, OtpSender, ReminderSender } from './port'

export type NamedChannel = Channel & { name: string }

type Attempt = { channel: string; send: () => Promise<void> }
type Kind = 'otp' | 'reminder'
const labels: Record<Kind, string> = { otp: 'the one-time password', reminder: 'the reminder' }

/** Sends by the first channel; if it fails, by the next one. */
export function createMessaging(
  channels: NamedChannel[],
  log: Log,
  metrics: Metrics,
): { sendOtp: OtpSender; sendReminder: ReminderSender } {
  async function sendInOrder(kind: Kind, [attempt, ...others]: Attempt[]): Promise<void> {
    if (!attempt) {
      const cause = new LoggableError(`No channel sends ${labels[kind]}`)
      throw refuse('provider_unreachable', { provider: 'messaging' }, { cause })
    }
    const { channel } = attempt
    try {
      await attempt.send()
      metrics.messages.inc({ channel, kind, outcome: 'sent' })
    } catch (error) {
      const outcome = getErrorKind(error) ?? 'failed'
      metrics.messages.inc({ channel, kind, outcome })
      if (outcome === 'misconfigured')
        log.error({ channel, err: error }, 'A channel refuses our credentials: check its settings')
      if (others.length === 0) throw error
      log.warn({ channel, err: error }, `A channel failed to send ${labels[kind]}; trying the next one`)
      await sendInOrder(kind, others)
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
  }
}
