import type { Paging } from './contract'

/** A list's items and where the page stands in it. */
export type Page<T> = { data: T[]; metadata: Paging }

/** Every item of a list, one page after the other. */
export async function* everyItem<T>(page: (number: number) => Promise<Page<T>>, first = 1): AsyncGenerator<T, void, undefined> {
  for (let number = first, last = first; number <= last; number++) {
    const { data, metadata } = await page(number)
    yield* data
    last = metadata.total_pages
  }
}
