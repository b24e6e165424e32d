import { afterAll } from 'bun:test'
import { sql } from 'kysely'
import { getKysely, openDatabase, type Database, type EntityManager } from '../../db/database'
import { toApiError } from '../../server/http/variants/error-mapping'
import { freshDatabase } from '../support/database'

/** A database for a whole test file; what `open` opens on it closes with the file. */
export async function databaseOfFile(options: Parameters<typeof freshDatabase>[0] = {}) {
  const { url, name, drop } = await freshDatabase(options)
  const opened: Database[] = []
  afterAll(async () => {
    await Promise.all(opened.map(each => each.close()))
    await drop()
  })
  const open = (settings?: Parameters<typeof openDatabase>[1]) => {
    const database = openDatabase(url, settings)
    opened.push(database)
    return database
  }
  return { url, name, open }
}

export const ask = (of: Database | EntityManager, text: string) =>
  sql<Record<string, unknown>>`${sql.raw(text)}`.execute(getKysely(of)).then(({ rows }) => rows)

/** The code that a client gets, or `none` if the work does not fail. */
export const refusal = (work: Promise<unknown>) =>
  work.then(
    () => 'none',
    error => toApiError(error).code,
  )
