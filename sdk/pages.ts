import { Call, type CallResponse } from './call.ts'
import { requireWhole } from './inputs.ts'
import type { PageMetadata } from '#types'

/** One page of a list: plain data, which can be stored, sent to another process and compared. */
export interface Page<T> {
  /** The page's items. */
  data: T[]
  /** The page's position in the list. */
  metadata: PageMetadata
}

type LoadPage<T> = (page?: number) => Promise<CallResponse<Page<T>>>

/**
 * Returns the number of the page after a page, or undefined after the last one.
 * @example
 * const first = await kiraya.tenants.list({ q: 'Tara' })
 * const page = getNextPage(first)
 * if (page) await kiraya.tenants.list({ q: 'Tara', page })
 */
export const getNextPage = ({ metadata }: Pick<Page<unknown>, 'metadata'>): number | undefined =>
  metadata.page < metadata.total_pages ? metadata.page + 1 : undefined

/**
 * A list: `await` returns its page, `for await` yields every item from that page on. It is requested once, by the first
 * of them.
 */
export class PagePromise<T> extends Call<Page<T>> implements AsyncIterable<T> {
  readonly #load: LoadPage<T>
  #start: (() => void) | undefined

  constructor(load: LoadPage<T>) {
    let start: (() => void) | undefined
    super(new Promise(resolve => (start = () => resolve(load()))))
    this.#load = load
    this.#start = start
  }

  // oxlint-disable-next-line unicorn/no-thenable -- What awaits a list requests it.
  override then<A = Page<T>, B = never>(
    onPage?: ((page: Page<T>) => A | PromiseLike<A>) | null,
    onError?: ((error: unknown) => B | PromiseLike<B>) | null,
  ): Promise<A | B> {
    this.#start?.()
    this.#start = undefined
    return super.then(onPage, onError)
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<T, void> {
    let page: Page<T> = await this
    yield* page.data
    for (let next = getNextPage(page); next; next = getNextPage(page)) {
      page = (await this.#load(next)).data
      yield* page.data
    }
  }

  /**
   * Returns the first items of the list, at most `limit`.
   * @example
   * const active = await kiraya.agreements.list({ status: 'ACTIVE' }).toArray({ limit: 500 })
   */
  async toArray({ limit } = {} as { limit: number }): Promise<T[]> {
    requireWhole('limit', limit, 1)
    const items: T[] = []
    for await (const item of this) if (items.push(item) === limit) break
    return items
  }
}
