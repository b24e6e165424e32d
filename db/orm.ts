import type { Database, EntityManager } from './database'

export {
  anyIdIn as anyOf,
  getKysely as query,
  isoTimestamp as iso,
  openDatabase,
  SQL_TRUE as yes,
  toIsoTimestamp as isoTime,
} from './database'
export type { Db, Observe, Tables } from './database'

export type Orm = Database
export type Em = EntityManager
