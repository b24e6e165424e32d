import { toUuid } from './records'

export type Asked = { id: string; origin: string; query: URLSearchParams; body: Record<string, unknown> }
/** What requests that fit a pattern are answered with; the pattern's group is the id. */
export type Answer = [pattern: RegExp, answer: (asked: Asked) => unknown]

export const find = <Item extends { id: number }>(items: Item[], id: string) =>
  items.find(item => String(item.id) === id || toUuid(item.id) === id)

export const page = (data: unknown[]) => ({
  data,
  metadata: { page: 1, limit: 50, total: data.length, total_pages: 1 },
})

/** Those that have the text of `q` in any field, of the status that is asked for. */
export const list = (items: object[], query: URLSearchParams) =>
  page(
    items.filter(item => {
      const text = JSON.stringify(item).toLowerCase()
      const isStatus = !query.has('status') || text.includes(`"${query.get('status')!.toLowerCase()}"`)
      return isStatus && text.includes(query.get('q')?.toLowerCase() ?? '')
    }),
  )
