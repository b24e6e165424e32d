import type { PageMetadata } from './contract'

/** A list's items and where the page stands in it. */
export type Page<T> = { data: T[]; metadata: PageMetadata }

/** Every item of a list, one page after the other, from the query's page on. */
export async function* iterateItems<T, Q extends { page?: number }>(
  list: (query: Q) => Promise<Page<T>>,
  query = {} as Q,
): AsyncGenerator<T, void, undefined> {
  for (let page = query.page ?? 1, last = page; page <= last; page++) {
    const { data, metadata } = await list({ ...query, page })
    yield* data
    last = metadata.total_pages
  }
}
