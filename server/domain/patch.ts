/** Maps the given value of a field to the stored one. */
type PatchRule = (value: unknown) => unknown

/** A rule for each field that a change may name: a field without one does not compile. */
export type PatchRules<Change> = { [Field in keyof Change]-?: PatchRule }

/** The field always has a value: the contract refuses null. */
export const required: PatchRule = value => value

/** Null clears the field. */
export const clearable: PatchRule = value => value

/** Null restores the default. */
export const withDefault = (fallback: unknown): PatchRule => {
  return value => value ?? fallback
}

/** Copies the given fields of a change to an entity; a field that is not given stays. */
export function applyPatch<Fields extends object>(
  entity: { [Field in keyof Fields]-?: unknown },
  change: { [Field in keyof Fields]?: unknown },
  rules: PatchRules<Fields>,
) {
  for (const field of Object.keys(rules) as (keyof Fields)[]) {
    const value = change[field]
    if (value !== undefined) entity[field] = rules[field](value)
  }
}
