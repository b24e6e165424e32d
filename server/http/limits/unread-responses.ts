import type { Tokens } from '../tokens'

/** What has fewer characters, or bytes, fits into the buffers of the connection. */
const LONG_LENGTH = 256 * 1024
const CHUNK_BYTES = 64 * 1024
/** Room for two of the longest records. */
const MAX_BYTES_OF_USER = 32 * 1024 * 1024
/** What a worker has memory for. */
const MAX_BYTES = 3 * MAX_BYTES_OF_USER
/** Each keeps what it has read ahead. */
const MAX_STREAMS_OF_USER = 2

type Unread = { userId: number | undefined; bytes: number; unsent: number; cutOff: () => void }
type Parts = AsyncGenerator<Uint8Array, void>
/** Is told when the next part begins to be made and when it was, and why it could not be. */
type Observer = { setMaking: (isMaking: boolean) => void; onError: (error: unknown) => void }

/**
 * Limits the memory of the long responses that clients leave unread. Beyond what one user may leave unread, the one that
 * was not read for the longest time is cut off; beyond what all may, that of the user who has most to read.
 */
export function createUnreadResponses(tokens: Tokens) {
  const unread = new UnreadResponses()

  function toStream({ headers, signal }: Request, length: number, parts: Parts, observer?: Observer) {
    const userId = tokens.read(headers.get('authorization'))?.userId
    const response = { userId, bytes: 0, unsent: 0, cutOff: () => {} }
    if (observer) unread.addStream(response)
    else unread.add(response, length)
    return createStream(response, unread, { parts, signal, observer })
  }

  return {
    /** Returns a short text as it is, and a long one as a response that is sent as its client reads it. */
    limitText(request: Request, text: string) {
      if (text.length <= LONG_LENGTH) return text
      return new Response(toStream(request, Buffer.byteLength(text), toParts([text])))
    },

    /**
     * Returns a response of texts that are only made when its client has read what came before. An error ends the
     * connection, so that no client takes what it has for the whole. A user's third one cuts off the first.
     */
    limitTexts(request: Request, texts: AsyncIterable<string>, observer: Observer) {
      return new Response(toStream(request, 0, toParts(texts), observer))
    },

    /** The same for a response that tells its `Content-Length`. */
    limitResponse(request: Request, response: Response) {
      const length = Number(response.headers.get('content-length'))
      if (length <= LONG_LENGTH) return response
      const { headers, status } = response
      return new Response(toStream(request, length, readWhole(response)), { headers, status })
    },
  }
}

async function* readWhole(response: Response): Parts {
  yield response.bytes()
}

/** Joins short texts. */
async function* toParts(texts: Iterable<string> | AsyncIterable<string>): Parts {
  let part = ''
  for await (const text of texts) {
    part += text
    if (part.length < LONG_LENGTH) continue
    yield Buffer.from(part)
    part = ''
  }
  if (part) yield Buffer.from(part)
}

/** The responses that were not read for the longest time come first. */
class UnreadResponses {
  readonly #responses = new Set<Unread>()
  readonly #streams = new Set<Unread>()

  /** Makes room for what a response has to send; it counts as never longer than the limits. */
  add(response: Unread, length: number) {
    const { userId } = response
    response.bytes = Math.min(length, MAX_BYTES_OF_USER)
    response.unsent = length
    const listOthers = () => [...this.#responses].filter(each => each !== response)
    const listOwn = () => listOthers().filter(each => each.userId === userId)
    this.#responses.add(response)
    while (sumBytes(listOwn()) + response.bytes > MAX_BYTES_OF_USER) this.#cutOff(listOwn()[0]!)
    while (sumBytes(listOthers()) + response.bytes > MAX_BYTES) this.#cutOff(findExcess(listOthers()))
  }

  /** Makes room for a response that is made while it is read. */
  addStream(response: Unread) {
    const own = [...this.#streams].filter(({ userId }) => userId === response.userId)
    if (own.length >= MAX_STREAMS_OF_USER) this.#cutOff(own[0]!)
    this.#streams.add(response)
  }

  #cutOff(response: Unread) {
    this.end(response)
    response.cutOff()
  }

  end(response: Unread) {
    this.delete(response)
    this.#streams.delete(response)
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

type Content = { parts: Parts; signal: AbortSignal; observer?: Observer | undefined }

function createStream(response: Unread, unread: UnreadResponses, { parts, signal, observer }: Content) {
  // The stream itself stays in memory until its connection is closed, which waits for the client.
  const left: { parts?: Parts | undefined; bytes?: Uint8Array | undefined } = { parts }
  const end = () => {
    unread.end(response)
    left.parts?.return().catch(() => {})
    left.parts = left.bytes = undefined
  }
  signal.addEventListener('abort', end)

  /** Makes the next part; without one the response has ended. */
  async function makePart() {
    observer?.setMaking(true)
    const { value } = await left.parts!.next()
    observer?.setMaking(false)
    if (!left.parts || !value) return undefined
    unread.add(response, value.length)
    return value
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
      try {
        left.bytes ??= await makePart()
      } catch (error) {
        if (!left.parts) return
        observer?.onError(error)
        return response.cutOff()
      }
      if (!left.parts) return
      if (left.bytes) return send(controller, left.bytes)
      end()
      controller.close()
    },
    cancel: end,
  }

  function send(controller: ReadableStreamDefaultController<Uint8Array>, bytes: Uint8Array) {
    const sent = bytes.length - response.unsent
    controller.enqueue(bytes.subarray(sent, sent + CHUNK_BYTES))
    response.unsent -= CHUNK_BYTES
    if (response.unsent > 0) return unread.makeLast(response)
    unread.delete(response)
    left.bytes = undefined
  }
  return new ReadableStream(source, { highWaterMark: 0 })
}
