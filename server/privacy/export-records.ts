import {
  FIELDS,
  toPageQuery,
  toRecordQuery,
  type Given,
  type Key,
  type List,
  type Page,
  type PageQuery,
  type ShortList,
} from './export-pages'

// Writes records in texts, each of which is made when the one before was read.

/** Reads pages in one statement, for the user with a phone number. */
export type Source = {
  phone: string
  read: (query: PageQuery, given: Given, after?: Key) => Promise<Page[]>
}

export type RecordKind = { first: PageQuery; lists: NamedList[] }
type NamedList = { name: string; list: List<any>; rest: PageQuery | undefined }
type Pages = Map<string, Page>

/** Prepares the queries of a kind of record. */
export function createRecordKind(fields: ShortList<unknown>, lists: Record<string, List<any>>): RecordKind {
  const named = Object.entries(lists).map(([name, list]) => {
    return { name, list, rest: 'rows' in list ? undefined : toPageQuery(name, list) }
  })
  return { first: toRecordQuery(fields, lists), lists: named }
}

/** Reads the fields of a record and the beginnings of its lists. */
export async function readRecord(source: Source, { first }: RecordKind, given: Given): Promise<Pages> {
  const pages = await source.read(first, given)
  return new Map(pages.map(page => [page.name, page]))
}

/** Writes a record that was read, and the rest of its lists; nothing if it is gone. */
export async function* writeRecord(source: Source, { lists }: RecordKind, given: Given, pages: Pages) {
  const fields = take(pages, FIELDS).text
  if (fields === null) return
  yield fields.slice(0, -1)
  for (const { name, list, rest } of lists) {
    yield `,"${name}":[`
    yield* joinItems(writeItems(source, { name, list, rest }, given, take(pages, name)))
    yield ']'
  }
  yield '}'
}

/** A page is not kept longer than it takes to write it. */
function take(pages: Pages, name: string) {
  const page = pages.get(name)!
  pages.delete(name)
  return page
}

async function* writeItems(source: Source, { list, rest }: NamedList, given: Given, beginning: Page) {
  const write = 'write' in list ? list.write : undefined
  let { text, next } = beginning
  for (;;) {
    if (text !== null) yield* write ? write(source, text) : [text]
    if (next === null) return
    const [page] = await source.read(rest!, given, next)
    ;({ text, next } = page!)
  }
}

/** Separates items, of which some have no text. */
async function* joinItems(items: AsyncIterable<string | AsyncIterable<string>>) {
  let isFirst = true
  for await (const item of items) {
    let separator = isFirst ? '' : ','
    for await (const text of typeof item === 'string' ? [item] : item) {
      yield separator + text
      separator = ''
      isFirst = false
    }
  }
}
