import type { Config } from './config'

/** Bytes that a document may have. */
export const MAX_DOCUMENT = 10 * 1024 * 1024

/** The body of an answer, where it is a PDF of at most 10 MiB. */
export async function pdfOf(response: Response): Promise<Uint8Array> {
  const bytes = new Uint8Array(await response.arrayBuffer())
  if (bytes.length > MAX_DOCUMENT || !Buffer.from(bytes.subarray(0, 5)).equals(Buffer.from('%PDF-'))) throw new Error('No PDF of at most 10 MiB')
  return bytes
}

/** The PDF at an address that somebody else named. */
export const fetchDocument = async (url: string, config: Config) => pdfOf(await fetch(url, { signal: AbortSignal.timeout(config.PROVIDER_BUDGET_MS) }))
