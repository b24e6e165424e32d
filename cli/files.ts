import { writeFile } from 'node:fs/promises'
import type { Context } from './context'

/** Saves a download and says where. */
export async function saveFile(context: Context, file: string, bytes: Uint8Array) {
  await writeFile(file, bytes)
  context.show({ file, bytes: bytes.length })
}
