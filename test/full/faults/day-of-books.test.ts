import { expect, test } from 'bun:test'
import { sql } from 'kysely'
import { getKysely, openDatabase } from '../../../db/database'
import { postCharges } from '../../../server/jobs/post-charges'
import { startBooksServer } from '../../support/books/lease-fixture'
import { findBrokenInvariants } from '../../support/books/invariants'
import { fillFoundation } from '../../support/seed-rows'
import { chooseByRound, report, roundTo } from '../../support/round'

const LEASES = chooseByRound(100_000, 450)

/** Leases from 1 December 2026, each in a unit of its own, without books yet. */
async function createLeases(server: Awaited<ReturnType<typeof startBooksServer>>) {
  const orm = openDatabase(server.deps.db.url, { limitMs: 600_000 })
  await fillFoundation(orm, LEASES)
  await sql`update agreements set status = 'ACTIVE', signed_date = '2026-11-20'`.execute(getKysely(orm))
  await sql`vacuum analyze`.execute(getKysely(orm))
  await orm.close()
}

async function countCharges(server: Awaited<ReturnType<typeof startBooksServer>>) {
  const { rows } = await sql<{ due_date: string; count: number }>`
    select due_date::text, count(*)::int as count from charges group by due_date order by due_date`.execute(
    getKysely(server.em()),
  )
  return rows
}

/** Lists the tables that PostgreSQL believes to be empty: plans made for those read all that is in them later. */
async function listUnknownSizes(server: Awaited<ReturnType<typeof startBooksServer>>) {
  const { rows } = await sql<{ name: string }>`
    select relname as name from pg_class
    where relname in ('charges', 'journals', 'journal_lines', 'ledgers') and reltuples <= 0`.execute(
    getKysely(server.em()),
  )
  return rows
}

test(`the day's job posts the rents of ${LEASES} leases, and a run that was cut off goes on`, async () => {
  await using server = await startBooksServer('2026-12-01')
  await createLeases(server)
  const broken = { ...server.deps, db: breakAfter(server.deps.db, Math.ceil(LEASES / 200 / 2)) }
  await expect(postCharges(broken)).rejects.toThrow('cut off')
  const [half] = await countCharges(server)
  expect(half!.count).toBeGreaterThan(0)
  expect(half!.count).toBeLessThan(LEASES)

  await postCharges(server.deps)
  expect(await countCharges(server)).toEqual([{ due_date: '2026-12-05', count: LEASES }])

  expect(await listUnknownSizes(server)).toEqual([])

  server.setDay('2026-12-29')
  const [startedAt, cpu] = [performance.now(), process.cpuUsage()]
  await postCharges(server.deps)
  const { user, system } = process.cpuUsage(cpu)
  report('day of books', {
    leases: LEASES,
    seconds: roundTo((performance.now() - startedAt) / 1000),
    cpu_us_per_lease: roundTo((user + system) / LEASES),
  })
  expect(await countCharges(server)).toEqual([
    { due_date: '2026-12-05', count: LEASES },
    { due_date: '2027-01-05', count: LEASES },
  ])
  await postCharges(server.deps)
  expect(await countCharges(server)).toHaveLength(2)
  if (LEASES < 1000) expect(await findBrokenInvariants(server.em())).toEqual([])
}, 900_000)

/** A database that is gone after some transactions, as if the instance had been killed. */
function breakAfter<D extends { transactional: (work: never) => Promise<unknown> }>(
  database: D,
  count: number,
): D {
  let left = count
  return new Proxy(database, {
    get(target, name) {
      if (name === 'transactional') left--
      if (left < 0) throw new Error('cut off')
      const value = Reflect.get(target, name)
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
}
