import type { PageMetadata } from './types/index.ts'
import { requireWhole } from './inputs.ts'
import type { CallOptions } from './options.ts'

/** One page of a list. */
export interface Page<T> {
  /** The page's items. */
  data: T[]
  /** The page's position in the list. */
  metadata: PageMetadata
}

/** Every item of a list. Each page is requested when it is reached. */
export interface Items<T> extends AsyncIterable<T> {
  /**
   * Returns the first items, at most `limit`.
   * @example
   * const active = await kiraya.agreements.iterate({ status: 'ACTIVE' }).toArray({ limit: 500 })
   */
  toArray(options: { limit: number }): Promise<T[]>
}

type Paged = { page?: number }
type List<T, Query> = (query: Query, options?: CallOptions) => Promise<Page<T>>

/** Reads a list from the query's page to the last. */
export function iterateItems<T, Query extends Paged>(
  list: List<T, Query>,
  query = {} as Query,
  options?: CallOptions,
): Items<T> {
  const items = {
    async *[Symbol.asyncIterator]() {
      let page = query.page ?? 1
      let lastPage = page
      while (page <= lastPage) {
        const { data, metadata } = await list({ ...query, page }, options)
        yield* data
        lastPage = metadata.total_pages
        page++
      }
    },
    toArray: async ({ limit } = {} as { limit: number }) => {
      requireWhole('limit', limit, 1)
      const found: T[] = []
      for await (const item of items) if (found.push(item) === limit) break
      return found
    },
  }
  return items
}
