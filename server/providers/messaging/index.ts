import { ApiError, refuse } from '../../errors'
import { toWords } from '../../messages'
import type { Log } from '../../observability/log'
import type { Metrics } from '../../observability/metrics'
import { getErrorKind, hadNoEffect, mayBeDueToRecipient, NoChannelError } from '../provider-errors'
import { RecipientError, SENT_ONCE, type Channel, type MessageKind, type SendMessage } from './port'

const labels: Record<MessageKind, string> = {
  otp: 'the one-time password',
  reminder: 'the reminder',
  invitation: 'the invitation',
  lease_recorded: 'the message of a recorded lease',
  settlement: 'the message of a settlement',
}

const UNREACHABLE = toWords('provider_unreachable', { provider: 'messaging' })
const UNDELIVERABLE = toWords('phone_number_unreachable', undefined)

/** Sends by the first channel that has a template for the message; if it fails, by the next one. */
export function createMessaging(channels: Channel[], log: Log, metrics: Metrics): SendMessage {
  return async (phone, message) => {
    const { kind } = message
    const attempts = channels.flatMap(channel => {
      const template = channel.templates[kind]
      return template ? [{ channel: channel.name, send: () => channel.send(phone, message, template) }] : []
    })
    const errors: unknown[] = []
    for (const { channel, send } of attempts) {
      try {
        const providerId = await send()
        metrics.messages.inc({ channel, kind, outcome: 'sent' })
        return providerId
      } catch (error) {
        errors.push(error)
        const outcome = getErrorKind(error) ?? 'failed'
        metrics.messages.inc({ channel, kind, outcome })
        if (outcome === 'misconfigured')
          log.error({ channel, err: error }, 'A channel refuses our credentials: check its settings')
        if (SENT_ONCE.has(kind) && !hadNoEffect(error)) throw error
        if (errors.length < attempts.length)
          log.warn({ channel, err: error }, `A channel failed to send ${labels[kind]}; trying the next one`)
      }
    }
    throw toFailure(kind, errors)
  }
}

/** Returns the error when no channel has sent a message. */
function toFailure(kind: MessageKind, errors: unknown[]) {
  if (errors.length === 0) {
    const cause = new NoChannelError(`No channel sends ${labels[kind]}`)
    return refuse('provider_unreachable', { provider: 'messaging' }, { cause })
  }
  const cause = errors.at(-1)
  if (!errors.some(mayBeDueToRecipient)) return cause

  const isRefusedByAll = errors.every(mayBeDueToRecipient)
  const isUndeliverable = errors.some(error => getErrorKind(error) === 'undeliverable')
  if (isRefusedByAll && isUndeliverable)
    return new RecipientError('phone_number_unreachable', UNDELIVERABLE, { cause })
  return new RecipientError('provider_unreachable', UNREACHABLE, {
    cause: cause instanceof ApiError ? cause.cause : cause,
  })
}
