import { describe, expect, test } from 'bun:test'
import { sql } from 'kysely'
import { getKysely } from '../../../db/database'
import { testServer } from '../../support/server'
import { createLease } from '../../support/books/lease-fixture'

const server = testServer()
const db = () => getKysely(server.em())

describe('PostgreSQL itself refuses', () => {
  test.each([
    'update journals set effective_on = effective_on',
    'delete from journals',
    'update journal_lines set debit = debit',
    'delete from journal_lines',
    'truncate journals cascade',
    'truncate journal_lines',
  ])('%s', async statement => {
    await createLease(server, { deposit_amount: 50000 })
    const before = await countRows()
    await expect(sql.raw(statement).execute(db())).rejects.toThrow('never changed or removed')
    expect(await countRows()).toEqual(before)
  })

  test.each([
    ['a journal without lines', ''],
    ['lines that do not sum to zero', `(1, 'receivable', 10, 0), (2, 'advance', 0, 9.99)`],
    ['a line alone', `(1, 'receivable', 10, 0)`],
  ])('%s', async (_, lines) => {
    const { agreement } = await createLease(server, { deposit_amount: 50000 })
    const posted = insertJournal(agreement.id, (await countJournals(agreement.id)) + 1, lines)
    await expect(posted).rejects.toThrow('do not sum to zero')
  })

  test('a further line of a posted journal', async () => {
    const { agreement } = await createLease(server, { deposit_amount: 50000 })
    const added = sql`
      insert into journal_lines select max(id), 9, 'receivable', 1, 0 from journals
      where agreement_id = ${agreement.id}`.execute(db())
    await expect(added).rejects.toThrow('do not sum to zero')
  })

  test('the position of another journal', async () => {
    const { agreement } = await createLease(server, { deposit_amount: 50000 })
    const posted = insertJournal(agreement.id, 1, `(1, 'receivable', 10, 0), (2, 'advance', 0, 10)`)
    await expect(posted).rejects.toThrow('journals_position')
  })

  test.each([
    ['a gap', (count: number) => count + 2],
    ['a position before the first', () => 0],
  ])('%s in the positions', async (_, toPosition) => {
    const { agreement } = await createLease(server, { deposit_amount: 50000 })
    const position = toPosition(await countJournals(agreement.id))
    const posted = insertJournal(agreement.id, position, `(1, 'receivable', 10, 0), (2, 'advance', 0, 10)`)
    await expect(posted).rejects.toThrow('positions have no gaps')
  })
})

test('PostgreSQL takes a journal whose lines sum to zero when the transaction commits', async () => {
  const { agreement } = await createLease(server, { deposit_amount: 50000 })
  const position = (await countJournals(agreement.id)) + 1
  await insertJournal(agreement.id, position, `(1, 'receivable', 10, 0), (2, 'advance', 0, 10)`)
})

async function insertJournal(agreementId: number, position: number, lines: string) {
  await db()
    .transaction()
    .execute(async tx => {
      const { rows } = await sql<{ id: number }>`
        insert into journals (agreement_id, position, kind, effective_on, posted_at, hash)
        values (${agreementId}, ${position}, 'charge', '2026-12-20', now(), 'x') returning id`.execute(tx)
      if (!lines) return
      await sql`
        insert into journal_lines (journal_id, line, account, debit, credit)
        select ${rows[0]!.id}, entry.* from (values ${sql.raw(lines)}) entry`.execute(tx)
    })
}

async function countJournals(agreementId: number) {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from journals where agreement_id = ${agreementId}`.execute(db())
  return rows[0]!.count
}

async function countRows() {
  const { rows } = await sql`
    select (select count(*) from journals) as journals, (select count(*) from journal_lines) as lines`.execute(
    db(),
  )
  return rows
}
