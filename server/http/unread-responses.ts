import type { Tokens } from '../auth/tokens'

/** What has fewer characters, or bytes, fits into the buffers of the connection. */
const LONG_LENGTH = 256 * 1024
const CHUNK_BYTES = 64 * 1024
/** Room for two of the longest records. */
const MAX_BYTES_OF_USER = 32 * 1024 * 1024
/** What a worker has memory for. */
const MAX_BYTES = 3 * MAX_BYTES_OF_USER

type Unread = { userId: number | undefined; bytes: number; cutOff: () => void }
type Content = { length: number; load: () => Promise<Uint8Array> }

/**
 * Limits the memory of the long responses that clients leave unread. Beyond what one user, or all together, may leave
 * unread, the response that its client has not read for the longest time is cut off.
 */
export function createUnreadResponses(tokens: Tokens) {
  /** Who has not read for the longest time comes first. */
  const unread = new Set<Unread>()

  function makeLast(response: Unread) {
    unread.delete(response)
    unread.add(response)
  }

  /** The last one is never longer than the limit, so it stays. */
  function makeRoom(responses: Unread[], maxBytes: number) {
    let excess = responses.reduce((total, { bytes }) => total + bytes, 0) - maxBytes
    for (const { bytes, cutOff } of responses) {
      if (excess <= 0) return
      excess -= bytes
      cutOff()
    }
  }

  function count({ headers, signal }: Request, length: number): Unread {
    const userId = tokens.read(headers.get('authorization'))?.userId
    const response = { userId, bytes: Math.min(length, MAX_BYTES_OF_USER), cutOff: () => {} }
    unread.add(response)
    makeRoom(
      [...unread].filter(each => each.userId === userId),
      MAX_BYTES_OF_USER,
    )
    makeRoom([...unread], MAX_BYTES)
    signal.addEventListener('abort', () => void unread.delete(response))
    return response
  }

  function toStream(request: Request, { length, load }: Content) {
    const response = count(request, length)
    const forget = () => void unread.delete(response)
    let loaded: Promise<Uint8Array> | undefined
    let sent = 0
    const source: UnderlyingDefaultSource<Uint8Array> = {
      start(controller) {
        response.cutOff = () => {
          forget()
          controller.error()
        }
      },
      // Called when the client has read what was sent before.
      async pull(controller) {
        const content = await (loaded ??= load())
        controller.enqueue(content.subarray(sent, (sent += CHUNK_BYTES)))
        if (sent < content.length) return makeLast(response)
        controller.close()
        forget()
      },
      cancel: forget,
    }
    return new ReadableStream(source, { highWaterMark: 0 })
  }

  return {
    /** Returns a short text as it is, and a long one as a response that is sent as its client reads it. */
    limitText(request: Request, text: string) {
      if (text.length <= LONG_LENGTH) return text
      const content = { length: Buffer.byteLength(text), load: async () => Buffer.from(text) }
      return new Response(toStream(request, content))
    },

    /** The same for a response that tells its `Content-Length`. */
    limitResponse(request: Request, response: Response) {
      const length = Number(response.headers.get('content-length'))
      if (length <= LONG_LENGTH) return response
      const { headers, status } = response
      const content = { length, load: () => response.bytes() }
      return new Response(toStream(request, content), { headers, status })
    },
  }
}
