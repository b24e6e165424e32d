import { refuse, type NotFoundReason } from '../faults'

const MAX_SERIAL = 2_147_483_647

/** The id of a record in a path: its number or its UUID. */
export type RecordId = { id: number } | { uuid: string }

/** @throws NOT_FOUND The text is neither, so no record of this kind has it. */
export function parseRecordId(text: string, missing: NotFoundReason): RecordId {
  if (isUuid(text)) return { uuid: text }
  if (isNumericId(text)) return { id: Number(text) }
  throw refuse(missing)
}

export function isUuid(text: string) {
  return /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i.test(text)
}

/** Whether a text is a positive integer that fits a serial column. */
export function isNumericId(text: string) {
  return /^[1-9]\d{0,9}$/.test(text) && Number(text) <= MAX_SERIAL
}
