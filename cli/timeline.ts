import type { TimelineEvent } from '@kiraya/sdk'
import { toIndianTime } from './formats'
import { isMessageKey, say, type Language, type Text } from './messages'
import { toFieldName } from './messages/fields'
import { sanitizeText } from './sanitize'

/** Returns an event as a line for people, with the names that the reader knows. */
export function toEventText(
  { type, actor_id, actor_name, details, occurred_at }: TimelineEvent,
  people: Map<number, string>,
  language: Language,
) {
  const getName = (id: number): Text => people.get(id) ?? say('user', { id })
  const actor = actor_name ?? (actor_id === null ? 'Kiraya' : getName(actor_id))
  const { signer_id, fields, reason } = details
  const key = `event_${type}` as const
  const words = {
    actor,
    signer: typeof signer_id === 'number' ? getName(signer_id) : actor,
    fields: Array.isArray(fields) ? fields.map(field => toFieldName(String(field), language)).join(', ') : '',
    reason: reason ? `: ${String(reason)}` : '',
  }
  // A newer server may send other events.
  const event = isMessageKey(key) ? say(key, words) : say('unknown_event', { type })
  const sentence = event(language)
  const text = sentence.charAt(0).toUpperCase() + sentence.slice(1)
  return sanitizeText(`${toIndianTime(occurred_at)}  ${text}`)
}
