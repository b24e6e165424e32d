import type { TimelineEvent, TimelineEventType } from '@kiraya/sdk'
import { toIndianTime } from './formats'
import { sanitizeText } from './sanitize'

type Details = { signer: string; fields: string; reason: string }
type ToSentence = (actor: string, details: Details) => string

const sentences: Record<TimelineEventType, ToSentence> = {
  created: actor => `${actor} created the draft`,
  changed: (actor, { fields }) => `${actor} changed ${fields || 'the draft'}`,
  deleted: actor => `${actor} deleted the draft`,
  sent: (actor, { signer }) =>
    actor === signer ? `${actor} began to sign` : `${actor} asked ${signer} to sign`,
  reissued: (actor, { signer }) => `${actor} asked ${signer} again to sign`,
  viewed: (_, { signer }) => `${signer} opened the document`,
  signed: (_, { signer }) => `${signer} signed`,
  declined: (_, { signer, reason }) => `${signer} declined to sign${reason}`,
  expired: (_, { signer }) => `the request to ${signer} expired`,
  cancelled: (actor, { signer }) => `${actor} cancelled the request to ${signer}`,
  reminded: (_, { signer }) => `${signer} was reminded to sign`,
  activated: () => 'the agreement became active',
  recorded: () => 'the state of the agreement was recorded',
  document_stored: () => 'the signed document was stored',
  renewed: () => 'the agreement was renewed by its tenure',
  ended: () => 'the agreement ended with its tenure',
  terminated: (actor, { reason }) => `${actor} terminated the agreement${reason}`,
  revised: actor => `${actor} replaced the agreement by a new draft`,
  completed: actor => `${actor} closed the agreement`,
}

/** Returns an event as a line for people, with the names that the reader knows. */
export function toEventText(
  { type, actor_id, actor_name, details, occurred_at }: TimelineEvent,
  people: Map<number, string>,
) {
  const getName = (id: number) => people.get(id) ?? `user ${id}`
  const actor = actor_name ?? (actor_id === null ? 'Kiraya' : getName(actor_id))
  const { signer_id, fields, reason } = details
  const sentence = sentences[type](actor, {
    signer: typeof signer_id === 'number' ? getName(signer_id) : actor,
    fields: Array.isArray(fields) ? fields.join(', ').replaceAll('_', ' ') : '',
    reason: reason ? `: ${String(reason)}` : '',
  })
  const text = sentence.charAt(0).toUpperCase() + sentence.slice(1)
  return sanitizeText(`${toIndianTime(occurred_at)}  ${text}`)
}
