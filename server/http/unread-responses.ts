import type { Tokens } from '../auth/tokens'

/** What has fewer characters, or bytes, fits into the buffers of the connection. */
const LONG_LENGTH = 256 * 1024
const CHUNK_BYTES = 64 * 1024
/** Room for two of the longest records. */
const MAX_BYTES_OF_USER = 32 * 1024 * 1024
/** What a worker has memory for. */
const MAX_BYTES = 3 * MAX_BYTES_OF_USER

type Unread = { userId: number | undefined; bytes: number; unsent: number; cutOff: () => void }
type Loader = () => Promise<Uint8Array>

/**
 * Limits the memory of the long responses that clients leave unread. Beyond what one user may leave unread, the one that
 * was not read for the longest time is cut off; beyond what all may, that of the user who has most to read.
 */
export function createUnreadResponses(tokens: Tokens) {
  const unread = new UnreadResponses()

  function toStream({ headers, signal }: Request, length: number, load: Loader) {
    const userId = tokens.read(headers.get('authorization'))?.userId
    const bytes = Math.min(length, MAX_BYTES_OF_USER)
    const response = { userId, bytes, unsent: length, cutOff: () => {} }
    unread.add(response)
    signal.addEventListener('abort', () => unread.delete(response))
    return createStream(response, unread, { load })
  }

  return {
    /** Returns a short text as it is, and a long one as a response that is sent as its client reads it. */
    limitText(request: Request, text: string) {
      if (text.length <= LONG_LENGTH) return text
      return new Response(toStream(request, Buffer.byteLength(text), async () => Buffer.from(text)))
    },

    /** The same for a response that tells its `Content-Length`. */
    limitResponse(request: Request, response: Response) {
      const length = Number(response.headers.get('content-length'))
      if (length <= LONG_LENGTH) return response
      const { headers, status } = response
      return new Response(
        toStream(request, length, () => response.bytes()),
        { headers, status },
      )
    },
  }
}

/** The responses that were not read for the longest time come first. */
class UnreadResponses {
  readonly #responses = new Set<Unread>()

  /** Makes room for a response, which is never longer than the limits. */
  add(response: Unread) {
    const { userId } = response
    const listOthers = () => [...this.#responses].filter(each => each !== response)
    const listOwn = () => listOthers().filter(each => each.userId === userId)
    this.#responses.add(response)
    while (sumBytes(listOwn()) + response.bytes > MAX_BYTES_OF_USER) this.#cutOff(listOwn()[0]!)
    while (sumBytes(listOthers()) + response.bytes > MAX_BYTES) this.#cutOff(findExcess(listOthers()))
  }

  #cutOff(response: Unread) {
    this.delete(response)
    response.cutOff()
  }

  makeLast(response: Unread) {
    this.#responses.delete(response)
    this.#responses.add(response)
  }

  delete(response: Unread) {
    this.#responses.delete(response)
  }
}

const sumBytes = (responses: Unread[]) => responses.reduce((total, { bytes }) => total + bytes, 0)
const sumUnsent = (responses: Unread[]) => responses.reduce((total, { unsent }) => total + unsent, 0)

/** Finds the first response of the user who has most to read, so that many of one do not cut off that of another. */
function findExcess(responses: Unread[]) {
  const byUser = [...Map.groupBy(responses, ({ userId }) => userId).values()]
  const [most] = byUser.toSorted((one, other) => sumUnsent(other) - sumUnsent(one))
  return most![0]!
}

type Content = { load?: Loader; bytes?: Uint8Array }

function createStream(response: Unread, unread: UnreadResponses, content: Content) {
  const end = () => {
    unread.delete(response)
    // The stream itself stays in memory until its connection is closed, which waits for the client.
    content.load = content.bytes = undefined
  }
  const source: UnderlyingDefaultSource<Uint8Array> = {
    start(controller) {
      response.cutOff = () => {
        end()
        controller.error()
      }
    },
    // Called when the client has read what was sent before.
    async pull(controller) {
      content.bytes ??= await content.load!()
      const { bytes } = content
      const sent = bytes.length - response.unsent
      controller.enqueue(bytes.subarray(sent, sent + CHUNK_BYTES))
      response.unsent -= CHUNK_BYTES
      if (response.unsent > 0) return unread.makeLast(response)
      end()
      controller.close()
    },
    cancel: end,
  }
  return new ReadableStream(source, { highWaterMark: 0 })
}
