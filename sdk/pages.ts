import { Call, type CallResponse } from './call.ts'
import { requireWhole } from './inputs.ts'
import type { PageMetadata } from '#types'

export interface PageBody<T> {
  data: T[]
  metadata: PageMetadata
}

type LoadPage<T> = (page: number) => PagePromise<T>

/** One page of a list. `for await` yields its items and those of later pages, which it requests one by one. */
export class Page<T> implements AsyncIterable<T> {
  /** The page's items. */
  readonly data: T[]
  /** The page's position in the list. */
  readonly metadata: PageMetadata
  readonly #load: LoadPage<T>

  constructor({ data, metadata }: PageBody<T>, load: LoadPage<T>) {
    this.data = data
    this.metadata = metadata
    this.#load = load
  }

  hasNextPage(): boolean {
    return this.metadata.page < this.metadata.total_pages
  }

  getNextPage(): PagePromise<T> {
    return this.#load(this.metadata.page + 1)
  }

  [Symbol.asyncIterator](): AsyncGenerator<T, void> {
    return iterateFrom(this)
  }
}

async function* iterateFrom<T>(page: Page<T>): AsyncGenerator<T, void> {
  yield* page.data
  while (page.hasNextPage()) {
    page = await page.getNextPage()
    yield* page.data
  }
}

/**
 * A list: `await` returns its page, `for await` yields every item from that page on. It is requested once, by the first
 * of them.
 */
export class PagePromise<T> extends Call<Page<T>> implements AsyncIterable<T> {
  #start: (() => void) | undefined

  constructor(request: () => Promise<CallResponse<Page<T>>>) {
    let start: (() => void) | undefined
    super(new Promise(resolve => (start = () => resolve(request()))))
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
    yield* await this
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

/** Describes a page, which leads to the next one in the same way. */
export function createList<T>(
  request: (page?: number) => Promise<CallResponse<PageBody<T>>>,
  page?: number,
): PagePromise<T> {
  const load = (next: number) => createList(request, next)
  return new PagePromise(async () => {
    const response = await request(page)
    return { ...response, data: new Page(response.data, load) }
  })
}
