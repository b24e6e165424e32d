import { sql, type AliasableExpression, type Expression, type SelectQueryBuilder } from 'kysely'
import type { Db } from '../../db/database'
import { toSelection, type ColumnsOf } from '../domain/columns'
import type { Select, UserId } from '../http/reads/reader'
import type { Source } from './export-records'
import { isOwnAgreement } from './ownership'

// A record of the export has fields and lists. One statement brings the fields and the beginnings of all lists, and
// each list goes on in pages of its own. A page ends with the row that makes it long enough: so many short rows need
// few statements, and a page is hardly longer than the longest row.

/** What the beginning of a list has at least, if the list is as long. */
const FIRST_BYTES = 64 * 1024
const PAGE_BYTES = 1024 * 1024
const MAX_ROWS = 500

/** Sorts the rows of a list, and tells them apart. */
export type Key = number | string
/** What identifies a record, and what else its queries are given. */
export type Given = { phoneHash?: string; exportedAt?: string; agreementId?: number }
/** The same within a query. */
export type Owner = {
  userId: UserId
  phone: Expression<string>
  phoneHash: Expression<string>
  exportedAt: AliasableExpression<string>
  /** Null once the agreement is none of the user any more. */
  agreementId: Expression<number>
}

type Rows<Item> = SelectQueryBuilder<any, any, Item>
/** A list that is never long. */
export type ShortList<Item> = { rows: (db: Db, owner: Owner) => Rows<Item> }
type PagedList<Item> = {
  /** Sorts before all keys. */
  start: Key
  /** Selects the keys of all rows. */
  keys: (owner: Owner) => Expression<unknown>
  /** Whether an index has the keys in their order; else they are gathered first, and no other index is walked for it. */
  isIndexed?: boolean
  row: (db: Db, owner: Owner, key: Expression<never>) => Rows<Item>
  /** Makes the items of a page from what was selected; else they are sent as they are. */
  write?: (source: Source, rows: string) => Iterable<string | AsyncIterable<string>>
}
export type List<Item> = ShortList<Item> | PagedList<Item>

/** A list of records by their ids: the column that has them, and what each is shown with. */
export function listById<View>(
  from: (db: Db) => SelectQueryBuilder<any, any, {}>,
  idColumn: string,
  columns: ColumnsOf<View>,
  keys: (owner: Owner) => Expression<unknown>,
) {
  const row = (db: Db, _: Owner, id: Expression<never>) =>
    from(db).where(idColumn, '=', id).select(toSelection(columns))
  return { start: 0, keys, row }
}

/** The lists of a view: a field that is not a list, or has other items, does not compile. */
export type ListsOf<View> = { [Name in keyof View]: View[Name] extends (infer Item)[] ? List<Item> : never }

/** The fields of a record, or a page of the list with a name; `next` is the key after which the list goes on. */
export type Page = { name: string; text: string | null; next: Key | null }
/** Selects pages; it is compiled once. */
export type PageQuery = Select<Given & { after?: Key | undefined }, Page>

/** The name of the page that has the fields. */
export const FIELDS = ''

/** Selects the fields of a record and the beginnings of its lists. */
export function toRecordQuery(fields: ShortList<unknown>, lists: Record<string, List<any>>): PageQuery {
  return (db, userId, given) => {
    const owner = toOwner(userId, given)
    const beginnings = Object.entries(lists).map(([name, list]) => {
      if ('rows' in list) return selectAll(db, name, list, owner)
      return selectPage(db, name, list, owner, sql.lit(list.start), FIRST_BYTES)
    })
    const pages = [selectAll(db, FIELDS, fields, owner), ...beginnings]
    return db.selectFrom(sql<Page>`(${sql.join(pages, sql` union all `)})`.as('pages')).selectAll()
  }
}

/** Selects a page of a list after a key. */
export function toPageQuery(name: string, list: PagedList<any>): PageQuery {
  return (db, userId, given) => {
    const page = selectPage(db, name, list, toOwner(userId, given), sql.val(given.after), PAGE_BYTES)
    return db.selectFrom(sql<Page>`(${page})`.as('pages')).selectAll()
  }
}

function toOwner(userId: UserId, { phoneHash, exportedAt, agreementId }: Given): Owner {
  return {
    userId,
    phone: sql<string>`(select mine.phone from users mine where mine.id = ${userId})`,
    phoneHash: sql<string>`${phoneHash}::text`,
    exportedAt: sql<string>`${exportedAt}::text`,
    agreementId: sql<number>`(
      select own.id from agreements own where own.id = ${agreementId}::int and ${isOwnAgreement('own', userId)}
    )`,
  }
}

function selectAll(db: Db, name: string, { rows }: ShortList<unknown>, owner: Owner) {
  return sql`
    select ${sql.lit(name)} as name, string_agg(to_json(found)::text, ',') as text, null::json as next
    from (${rows(db, owner)}) as found`
}

function selectPage(
  db: Db,
  name: string,
  list: PagedList<unknown>,
  owner: Owner,
  after: Expression<unknown>,
  bytes: number,
) {
  const { keys, isIndexed, row } = list
  const all = isIndexed ? keys(owner) : sql`select unnest(array(${keys(owner)}))`
  return sql`
    select ${sql.lit(name)} as name, page.text, page.next
    from (
      select array(
        select key from (${all}) as listed (key) where key > ${after} order by key limit ${sql.lit(MAX_ROWS)}
      ) as list
      offset 0
    ) as keys
    cross join lateral (
      with recursive page (place, bytes, text) as (
        select 0, 0, null::text
        union all
        select page.place + 1, page.bytes + coalesce(octet_length(found.text), 0), found.text
        from page
        left join lateral (
          select to_json(selected)::text as text from (${row(db, owner, sql`keys.list[page.place + 1]`)}) as selected
        ) as found on true
        where page.place < cardinality(keys.list) and page.bytes < ${sql.lit(bytes)}
      )
      select
        string_agg(text, ',' order by place) as text,
        case
          when max(place) < cardinality(keys.list) or max(place) = ${sql.lit(MAX_ROWS)}
          then to_json(keys.list[max(place)])
        end as next
      from page
    ) as page`
}
