/** Writes JSON for PostgreSQL, which refuses lone surrogates. */
export function toJsonText(value: unknown) {
  return JSON.stringify(value, (_, inner: unknown) =>
    typeof inner === 'string' ? inner.toWellFormed() : inner,
  )
}
