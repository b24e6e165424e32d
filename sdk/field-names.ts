export const toCamelCase = (name: string) =>
  name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())

export const toSnakeCase = (name: string) => name.replace(/[A-Z]/g, letter => `_${letter.toLowerCase()}`)

/** Returns a copy of a JSON value with every field renamed, at every depth. */
export function renameFields(value: unknown, rename: (name: string) => string): unknown {
  return JSON.parse(JSON.stringify(value), (_, inner: unknown) => {
    const isRecord = inner instanceof Object && !Array.isArray(inner)
    if (!isRecord) return inner
    const renamed = Object.entries(inner).map(([name, field]) => [rename(name), field])
    return Object.fromEntries(renamed)
  })
}
