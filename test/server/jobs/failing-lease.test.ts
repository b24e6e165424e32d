import { expect, test } from 'bun:test'
import { sql } from 'kysely'
import { getKysely } from '../../../db/database'
import { endTenures } from '../../../server/jobs/end-tenures'
import { runForEachAgreement } from '../../../server/jobs/isolation'
import { postCharges } from '../../../server/jobs/post-charges'
import {
  createLease,
  listCharges,
  startBooksServer,
  type BooksServer,
} from '../../support/books/lease-fixture'

/** Has the database refuse each change of one table for an agreement, as an overflow does. */
async function breakAgreement(server: BooksServer, table: 'charges' | 'agreements', id: number) {
  const key = sql.ref(table === 'agreements' ? 'id' : 'agreement_id')
  const database = getKysely(server.em())
  await sql`create function overflow() returns trigger language plpgsql as $$
    begin raise exception 'overflow' using errcode = '22003'; end $$`.execute(database)
  await sql`create trigger overflow before insert or update on ${sql.table(table)} for each row
    when (new.${key} = ${sql.lit(id)}) execute function overflow()`.execute(database)
}

/** The dependencies with a log that keeps the agreements of its errors, and its warnings. */
function withErrors({ deps }: BooksServer) {
  const failed: unknown[] = []
  const error: typeof deps.log.error = (...line) => {
    const [fields] = line
    if (typeof fields !== 'string') failed.push(fields.agreement)
  }
  const warnings: unknown[] = []
  const warn: typeof deps.log.warn = (...line) => void warnings.push(line.at(-1))
  return { failed, warnings, deps: { ...deps, log: { ...deps.log, error, warn } } }
}

test('a lease that cannot be posted stops no other, and the job fails at its end', async () => {
  await using server = await startBooksServer('2026-12-07')
  const [broken, other] = [await createLease(server), await createLease(server)]
  await breakAgreement(server, 'charges', broken.agreement.id)
  server.setDay('2026-12-29')
  const { deps, failed, warnings } = withErrors(server)
  await expect(postCharges(deps)).rejects.toThrow('The job failed for 1 agreements')
  expect(failed).toEqual([broken.agreement.id])
  expect(warnings).toEqual(['A batch of leases failed; each is posted alone'])
  expect(await listCharges(other)).toHaveLength(2)
  expect(await listCharges(broken)).toHaveLength(0)

  await sql`drop trigger overflow on charges`.execute(getKysely(server.em()))
  await postCharges(server.deps)
  expect(await listCharges(broken)).toHaveLength(2)
})

test('a tenure that cannot be ended stops no other', async () => {
  await using server = await startBooksServer()
  const [broken, other] = [await createLease(server), await createLease(server)]
  await breakAgreement(server, 'agreements', broken.agreement.id)
  server.setDay('2027-12-01')
  const { deps, failed } = withErrors(server)
  await expect(endTenures(deps)).rejects.toThrow('The job failed for 1 agreements')
  expect(failed).toEqual([broken.agreement.id])
  const landlord = await other.asLandlord()
  expect((await landlord.get(other.path)).data.status).toBe('TERMINATED')
})

test('a job stops at the first lease when the database cannot be reached', async () => {
  const server = await startBooksServer()
  await server.end()
  const { deps, failed } = withErrors(server)
  const work = () => Promise.reject(new Error('no connection'))
  await expect(runForEachAgreement(deps, [7, 8, 9], work)).rejects.toThrow()
  expect(failed).toEqual([7])
})
