import { beforeAll, describe, expect, test } from 'bun:test'
import { sql } from 'kysely'
import { testServer } from '../../../support/server'
import { createLease } from '../../../support/books/lease-fixture'

const server = testServer()
const BALANCED = `(1, 'receivable', 10, 0), (2, 'advance', 0, 10)`

let leaseId: number
beforeAll(async () => {
  leaseId = (await createLease(server, { deposit_amount: 50_000 })).agreement.id
}, 60_000)

describe('PostgreSQL itself refuses', () => {
  test.each([
    'update journals set effective_on = effective_on',
    'delete from journals',
    'update journal_lines set debit = debit',
    'delete from journal_lines',
    'truncate journals cascade',
    'truncate journal_lines',
  ])('%s', async statement => {
    const before = await countRows()
    expect(before.lines).toBeGreaterThan(1)
    await expect(sql.raw(statement).execute(server.db)).rejects.toThrow('never changed or removed')
    expect(await countRows()).toEqual(before)
  })

  test.each(['journals', 'journal_lines'])(
    'a change of %s row by row, not statement by statement',
    async table => {
      await sql.raw(`delete from ${table} where false`).execute(server.db)
    },
  )

  test.each([
    ['a journal without lines', 1, '', 'do not sum to zero'],
    ['a line alone', 1, `(1, 'receivable', 10, 0)`, 'do not sum to zero'],
    [
      'lines that do not sum to zero',
      1,
      `(1, 'receivable', 10, 0), (2, 'advance', 0, 9.99)`,
      'do not sum to zero',
    ],
    ['a gap in the positions', 2, BALANCED, 'positions have no gaps'],
    ['the position of another journal', 0, BALANCED, 'journals_position'],
    ['a position before the first', -Infinity, BALANCED, 'positions have no gaps'],
  ])('%s', async (_, step, lines, refusal) => {
    const before = await countRows()
    await expect(insertJournal(before.journals + step, lines)).rejects.toThrow(refusal)
    expect(await countRows()).toEqual(before)
  })

  test('a further line of a posted journal', async () => {
    const added = sql`
      insert into journal_lines select max(id), 9, 'receivable', 1, 0 from journals
      where agreement_id = ${leaseId}`.execute(server.db)
    await expect(added).rejects.toThrow('do not sum to zero')
  })
})

test('PostgreSQL takes a journal whose lines sum to zero when the transaction commits', async () => {
  await insertJournal((await countRows()).journals + 1, BALANCED)
})

async function insertJournal(position: number, lines: string) {
  await server.db.transaction().execute(async tx => {
    const { rows } = await sql<{ id: number }>`
        insert into journals (agreement_id, position, kind, effective_on, posted_at, hash)
        values (${leaseId}, ${Math.max(position, 0)}, 'charge', '2026-12-20', now(), 'x') returning id`.execute(
      tx,
    )
    if (!lines) return
    await sql`
        insert into journal_lines (journal_id, line, account, debit, credit)
        select ${rows[0]!.id}, entry.* from (values ${sql.raw(lines)}) entry`.execute(tx)
  })
}

/** Counts the journals of the lease, which are all, and their lines. */
async function countRows() {
  const { rows } = await sql<{ journals: number; lines: number }>`
    select (select count(*)::int from journals) as journals,
      (select count(*)::int from journal_lines) as lines`.execute(server.db)
  return rows[0]!
}
