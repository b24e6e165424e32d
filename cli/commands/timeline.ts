import type { TimelineEntry } from '@kiraya/sdk'
import { toFieldName } from '../input/flags'
import { toIndianTime } from '../output/formats'
import { sanitizeText } from '../output/sanitize'

/** What the sentence of an entry names. `reason` begins with its colon, or is empty. */
type Words = { actor: string; signer: string; fields: string; reason: string; day: string }

const sentences: Record<TimelineEntry['type'], (words: Words) => string> = {
  deposit_proposed: ({ actor }) => `${actor} proposed how to settle the deposit`,
  deposit_accepted: ({ actor }) => `${actor} accepted the settlement of the deposit`,
  deposit_disputed: ({ actor, reason }) => `${actor} disputed the settlement of the deposit${reason}`,
  deposit_accepted_on_paper: ({ day }) => `the settlement of the deposit was accepted on paper on ${day}`,
  deposit_unanswered: () => 'the settlement of the deposit was not answered in time',
  deposit_settled: ({ actor }) => `${actor} settled the deposit`,
  rent_proposed: ({ actor }) => `${actor} proposed a new rent`,
  rent_accepted: ({ actor }) => `${actor} accepted the new rent`,
  rent_accepted_on_paper: ({ day }) => `the new rent was accepted on paper on ${day}`,
  rent_declined: ({ actor }) => `${actor} declined the new rent`,
  rent_withdrawn: ({ actor }) => `${actor} withdrew the proposed rent`,
  reinstatement_asked: ({ actor }) => `${actor} asked to undo the termination`,
  reinstated: ({ actor }) => `${actor} undid the termination`,
  renewal_drafted: ({ actor }) => `${actor} drew up the next term`,
  activated: () => 'the agreement became active',
  cancelled: ({ actor, signer }) => `${actor} cancelled the request to ${signer}`,
  changed: ({ actor, fields }) => `${actor} changed ${fields || 'the draft'}`,
  completed: ({ actor }) => `${actor} closed the agreement`,
  created: ({ actor }) => `${actor} created the draft`,
  declined: ({ signer, reason }) => `${signer} declined to sign${reason}`,
  deleted: ({ actor }) => `${actor} deleted the draft`,
  document_stored: () => 'the signed document was stored',
  ended: () => 'the agreement ended with its tenure',
  expired: ({ signer }) => `the request to ${signer} expired`,
  reissued: ({ actor, signer }) => `${actor} asked ${signer} again to sign`,
  reminded: ({ signer }) => `${signer} was reminded to sign`,
  recorded: ({ actor, day }) =>
    `${actor} recorded the lease as signed on paper on ${day}, not signed electronically`,
  accepted: ({ actor }) => `${actor} accepted the lease as it was recorded`,
  objected: ({ actor, reason }) => `${actor} objected to the record${reason}`,
  objection_withdrawn: ({ actor }) => `${actor} withdrew the objection`,
  voided: ({ actor, reason }) => `${actor} took the record back: the lease is void${reason}`,
  renewed: () => 'the agreement was renewed by its tenure',
  revised: ({ actor }) => `${actor} replaced the agreement by a new draft`,
  sent: ({ actor, signer }) =>
    actor === signer ? `${actor} began to sign` : `${actor} asked ${signer} to sign`,
  signed: ({ signer }) => `${signer} signed`,
  terminated: ({ actor, reason }) => `${actor} terminated the agreement${reason}`,
  viewed: ({ signer }) => `${signer} opened the document`,
}

/** Returns an entry as a line for people, with the names that the reader knows. */
export function toEntryText(
  { type, actor_id, actor_name, details, occurred_at }: TimelineEntry,
  people: Map<number, string>,
) {
  const getName = (id: number) => people.get(id) ?? `user ${id}`
  const actor = actor_name ?? (actor_id === null ? 'Kiraya' : getName(actor_id))
  const { signer_id, fields, reason, signed_on, accepted_on } = details
  const words = {
    actor,
    signer: typeof signer_id === 'number' ? getName(signer_id) : actor,
    fields: Array.isArray(fields) ? fields.map(field => toFieldName(String(field))).join(', ') : '',
    reason: reason ? `: ${String(reason)}` : '',
    day: String(signed_on ?? accepted_on),
  }
  // A newer server may send other entries.
  const sentence = Object.hasOwn(sentences, type)
    ? sentences[type](words)
    : `an entry that this version does not know: ${type}`
  const text = sentence.charAt(0).toUpperCase() + sentence.slice(1)
  return sanitizeText(`${toIndianTime(occurred_at)}  ${text}`)
}
