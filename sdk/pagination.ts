import type { PageMetadata } from './contract/index.ts'

/** One page of a list: its items, and the page's position. */
export type Page<T> = { data: T[]; metadata: PageMetadata }

/** Yields every item of a list, from the query's page to the last; each page is one request. */
export async function* iterateItems<T, Query extends { page?: number }>(
  list: (query: Query) => Promise<Page<T>>,
  query = {} as Query,
): AsyncGenerator<T, void, undefined> {
  let page = query.page ?? 1
  let lastPage = page
  while (page <= lastPage) {
    const { data, metadata } = await list({ ...query, page })
    yield* data
    lastPage = metadata.total_pages
    page++
  }
}
