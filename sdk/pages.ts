import { Call, type CallResponse } from './call.ts'
import { requireWhole } from './inputs.ts'
import type { PageMetadata } from './types/index.ts'

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

/** A list that was requested: `await` returns its page, `for await` yields every item from that page on. */
export class PagePromise<T> extends Call<Page<T>> implements AsyncIterable<T> {
  async *[Symbol.asyncIterator](): AsyncGenerator<T, void> {
    yield* await this
  }

  /**
   * Returns the first items of the list, at most `limit`.
   * @example
   * const active = await kiraya.agreements.list({ status: 'ACTIVE' }).toArray({ limit: 500 })
   */
  async toArray({ limit } = {} as { limit: number }): Promise<T[]> {
    // A failure is reported to the caller of this method alone.
    this.catch(() => {})
    requireWhole('limit', limit, 1)
    const items: T[] = []
    for await (const item of this) if (items.push(item) === limit) break
    return items
  }
}

/** Requests a page, which requests the next one in the same way. */
export function requestPage<T>(
  request: (page?: number) => Promise<CallResponse<PageBody<T>>>,
  page?: number,
): PagePromise<T> {
  const load = (next: number) => requestPage(request, next)
  return new PagePromise(
    request(page).then(response => ({ ...response, data: new Page(response.data, load) })),
  )
}
