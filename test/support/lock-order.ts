import { AsyncLocalStorage } from 'node:async_hooks'
import { Database, openDatabase, type DatabaseOptions, type EntityManager } from '../../db/database'
import { LOCK_ORDER } from '../../server/domain/lock-order'

/** The ids that a transaction has locked, by table; undefined where a statement does not return them. */
type Locked = Map<string, Set<number | undefined>>
type Lock = { locked: Locked; table: string; ids: (number | undefined)[] }

const transactions = new AsyncLocalStorage<Locked>()
const order: readonly string[] = LOCK_ORDER

/** Opens a database whose transactions are held to the order of locks; `listBroken` says which were not. */
export function openWatched(url: string, options: DatabaseOptions = {}) {
  const broken: string[] = []
  const database = openDatabase(url, {
    ...options,
    observe: (text, result, values) => {
      options.observe?.(text, result, values)
      const locked = transactions.getStore()
      const tables = locked ? findLockedTables(text) : []
      if (locked && tables.length > 0)
        result.then(rows => note(rows as Row[], locked, tables, text)).catch(() => {})
    },
  })
  function note(rows: Row[], locked: Locked, tables: string[], text: string) {
    const isSilent = rows.length === 0 && !text.trimStart().startsWith('select')
    for (const table of tables) {
      // What records activities does not say whose: of users that are locked already, as far as is known.
      const ids = isSilent && !locked.has(table) ? [undefined] : rows.map(({ id }) => id)
      const problem = findProblem({ locked, table, ids })
      if (problem) broken.push(`a transaction locks ${problem}: ${text}`)
      if (ids.length > 0) locked.set(table, new Set([...(locked.get(table) ?? []), ...ids]))
    }
  }
  database.transactional = <T>(work: (em: EntityManager) => Promise<T>) =>
    transactions.run(new Map(), () => Database.prototype.transactional.call(database, work) as Promise<T>)
  return { database, listBroken: () => broken }
}
type Row = { id?: number }

/** What breaks the order. A row that the transaction has locked before cannot make it wait. */
function findProblem({ locked, table, ids }: Lock) {
  const known = locked.get(table) ?? new Set()
  const added = ids.filter(id => !known.has(id))
  if (added.length === 0) return undefined
  if (!order.includes(table)) return `${table}, which has no place in LOCK_ORDER`
  const later = [...locked.keys()].find(other => order.indexOf(other) > order.indexOf(table))
  if (later) return `${table} after ${later}`
  // Users are only shared with others that name them, which waits for an erasure alone: that locks one user.
  const isUnordered = table !== 'users' && added.some(id => [...known].some(before => id! < before!))
  return isUnordered ? `${table} in another order than that of their ids` : undefined
}

/** The tables whose rows a statement locks itself, not in a subquery, and waits for. */
function findLockedTables(text: string) {
  let outer = text.replaceAll('"', '').replace(/\s+/g, ' ')
  for (let inner = ''; inner !== outer;) [inner, outer] = [outer, outer.replace(/\([^()]*\)/g, '')]
  const lock = / for (?:no key update|update|key share|share)(?: of (\w+))?(?! skip locked)(?=$| )/.exec(
    outer,
  )
  if (!lock) return []
  const [, alias] = lock
  const sources = [
    ...outer.matchAll(
      /\b(?:from|join) (\w+)(?: as)?(?: (?!where|join|inner|left|on|order|for|limit)(\w+))?/g,
    ),
  ]
  const named = sources.map(([, table, name]) => [table!, name ?? table!] as const)
  return named.filter(([, name]) => !alias || name === alias).map(([table]) => table)
}
