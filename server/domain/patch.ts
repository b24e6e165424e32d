/** Copies the named fields of a change that are present; null clears a field. */
export function applyPatch<E extends object, K extends keyof E & string>(
  entity: E,
  change: { [N in K]?: E[N] | undefined },
  names: readonly K[],
) {
  for (const name of names) {
    const value = change[name]
    if (value !== undefined) entity[name] = value as E[K]
  }
}
