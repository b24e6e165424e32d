/** A record's number or UUID. */
export type RecordId = number | string

/**
 * A path whose values are encoded, so that no value can reach beyond its own segment. Nothing and dots alone would
 * even when encoded (an address takes %2E%2E for a step up); they are no record's id, and are sent as one that is not found.
 */
export const path = (parts: TemplateStringsArray, ...values: RecordId[]) =>
  String.raw({ raw: parts }, ...values.map(value => encodeURIComponent(value).replace(/^\.{0,2}$/, '-')))
