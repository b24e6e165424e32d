import { createUnreadResponses } from '../../../server/http/unread-responses'

export const MIB = 1024 * 1024

/** The token of a request is its user's id. */
export const createResponses = () =>
  createUnreadResponses({
    read: (token: string | null) => (token ? { userId: Number(token) } : undefined),
  } as never)

export const requestOf = (userId: number, signal?: AbortSignal) =>
  new Request('http://localhost', { headers: { authorization: String(userId) }, signal })

export const getReader = (response: Response) => response.body!.getReader()
export type Reader = ReturnType<typeof getReader>

/** Reads to the end, and returns the number of MiB; undefined if the response was cut off. */
export async function readToEnd(reader: Reader) {
  let bytes = 0
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return bytes / MIB
      bytes += value!.length
    }
  } catch {
    return undefined
  }
}
