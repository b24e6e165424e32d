import type { Warning } from '#types'

/** A response: its data, and what its head says. */
export interface CallResponse<T> {
  /** What the call itself resolves with. */
  data: T
  /** Customs of renting that a term breaks, which is never refused; mostly none. */
  warnings: Warning[]
  /** The HTTP status, such as 200. */
  status: number
  /** The headers of the response; in a browser those that the server exposes. */
  headers: Headers
  /** Identifies the request in the server's log. */
  requestId: string | undefined
}

/** A call that is under way: a promise of its data. */
export class Call<T> extends Promise<T> {
  readonly #response: Promise<CallResponse<T>>

  constructor(response: Promise<CallResponse<T>>) {
    super((resolve, reject) => void response.then(({ data }) => resolve(data), reject))
    this.#response = response
  }

  /** What `then` returns is a promise of something else. */
  static override get [Symbol.species]() {
    return Promise
  }

  /**
   * Returns the data with the warnings, the status, the headers and the request id.
   * @example
   * const { data, requestId } = await kiraya.agreements.get(7).withResponse()
   */
  withResponse(): Promise<CallResponse<T>> {
    // A failure is reported to the caller of this method alone.
    this.catch(() => {})
    return this.#response
  }
}
