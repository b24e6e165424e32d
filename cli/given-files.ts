import { readFile } from 'node:fs/promises'

/** Reads a file that a person named. The failure names it too, which that of a folder does not by itself. */
export async function readGivenFile(file: string) {
  try {
    return await readFile(file, 'utf8')
  } catch (error) {
    throw Object.assign(error as Error, { path: file })
  }
}
