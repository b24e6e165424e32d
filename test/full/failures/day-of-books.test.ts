import { expect, test } from 'bun:test'
import { sql } from 'kysely'
import { getKysely, openDatabase, type EntityManager } from '../../../db/database'
import { postCharges } from '../../../server/books/charges/daily-posting'
import { startBooksServer } from '../../support/books/lease-fixture'
import { report, roundTo } from '../../support/round'
import { createLeases } from './leases'

const LEASES = 100_000
const BATCH = 250

async function query<Row>(em: EntityManager, text: string) {
  return (await sql<Row>`${sql.raw(text)}`.execute(getKysely(em))).rows
}

const countCharges = (em: EntityManager) =>
  query<{ due_date: string; count: number }>(
    em,
    `select due_date::text, count(*)::int as count from charges group by due_date order by due_date`,
  )

test(`the day's job posts the rents of ${LEASES} leases, and a run that was cut off goes on`, async () => {
  const server = await startBooksServer('2026-12-01')
  // Without the check of all books, which takes minutes for so many.
  await using _ = { [Symbol.asyncDispose]: () => server.end() }
  const patient = openDatabase(server.deps.db.url, { limitMs: 600_000 })
  await createLeases(patient, LEASES).finally(() => patient.close())
  const broken = { ...server.deps, db: breakAfter(server.deps.db, Math.ceil(LEASES / BATCH / 2)) }
  await expect(postCharges(broken)).rejects.toThrow('cut off')
  const [half] = await countCharges(server.em())
  expect(half!.count).toBeGreaterThan(0)
  expect(half!.count).toBeLessThan(LEASES)

  await postCharges(server.deps)
  const december = { due_date: '2026-12-05', count: LEASES }
  expect(await countCharges(server.em())).toEqual([december])

  server.setDay('2026-12-29')
  const [startedAt, cpu] = [performance.now(), process.cpuUsage()]
  await postCharges(server.deps)
  const { user, system } = process.cpuUsage(cpu)
  report('day of books', {
    leases: LEASES,
    seconds: roundTo((performance.now() - startedAt) / 1000),
    cpu_us_per_lease: roundTo((user + system) / LEASES),
  })
  const january = { due_date: '2027-01-05', count: LEASES }
  expect(await countCharges(server.em())).toEqual([december, january])
  await postCharges(server.deps)
  expect(await countCharges(server.em())).toEqual([december, january])
}, 900_000)

/** A database that is gone after some transactions, as if the instance had been killed. */
function breakAfter<D extends object>(database: D, count: number): D {
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
