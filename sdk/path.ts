/** A record's number or UUID. */
export type RecordId = number | string

/** Builds a path from a template and encodes each id, so that no id leaves its segment. */
export const path = (template: TemplateStringsArray, ...ids: RecordId[]) =>
  String.raw({ raw: template }, ...ids.map(toSegment))

/** URLs resolve empty, `.` and `..` segments even if encoded. They are never ids, so `-` leads to a 404. */
const toSegment = (id: RecordId) => encodeURIComponent(id).replace(/^\.{0,2}$/, '-')
