import { chmod, readFile, writeFile } from 'node:fs/promises'
import type { Context } from '../runtime/context'
import { UsageError } from '../runtime/errors'

/** Reads the bytes of a file that a person named. The failure names it too, as that of a folder does not. */
export async function readGivenFile(file: string): Promise<Buffer> {
  try {
    return await readFile(file)
  } catch (error) {
    throw Object.assign(error as Error, { path: file })
  }
}

/** Writes a file and says how long it is; a dry run writes none. The file `-` is stdout. */
export async function saveFile(context: Context, file: string, bytes: Uint8Array) {
  if (context.isDryRun) return context.show({ file, bytes: bytes.length, dry_run: true })
  const { isStdoutTty, write } = context.terminal
  if (file === '-' && isStdoutTty) throw new UsageError('--out - is for another program: add | or >')
  if (file === '-') return write(bytes)
  await writeFile(file, bytes)
  context.show({ file, bytes: bytes.length })
}

/** Writes a file that only its owner may read, also if others could read the one that was there. */
export async function savePrivateFile({ printNote }: Context, file: string, text: string) {
  await writeFile(file, '', { mode: 0o600 })
  await chmod(file, 0o600)
  await writeFile(file, text)
  printNote(`Written to ${file}`)
}
