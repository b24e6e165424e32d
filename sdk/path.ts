/** A record's number or UUID. */
export type Id = number | string

/** A path whose values are encoded, so that no value can reach beyond its own segment. */
export const path = (parts: TemplateStringsArray, ...values: Id[]) =>
  String.raw({ raw: parts }, ...values.map(value => encodeURIComponent(value).replace(/^\.+$/, dots => '%2E'.repeat(dots.length))))
