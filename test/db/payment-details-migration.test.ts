import { expect, test } from 'bun:test'
import { sql } from 'kysely'
import { getKysely, openDatabase } from '../../db/database'
import { migrate } from '../../db/migrate'
import { createLease, startBooksServer } from '../support/books/lease-fixture'
import { findBrokenInvariants } from '../support/books/invariants'

test('the days of cheques, references of refunds and payments of tax alone outlast the way down and up', async () => {
  await using server = await startBooksServer('2026-12-01')
  const { landlord, path } = await createLease(server)
  const cheque = { amount: 500, method: 'cheque', reference: '1' }
  const { data: paid } = await landlord.post(`${path}/payments`, cheque)
  await landlord.post(`/payments/${paid.id}/clear`)
  await landlord.post(`${path}/refunds`, { amount: 100, method: 'upi', reference: 'UTR-77' })
  await landlord.post(`${path}/payments`, { amount: 0, tds_amount: 10, method: 'upi' })
  const orm = openDatabase(server.deps.config.DATABASE_URL!)
  const db = getKysely(orm)
  const loadRows = async () => ({
    payments: await db.selectFrom('payments').selectAll().orderBy('id').execute(),
    journals: await db.selectFrom('journals').selectAll().orderBy('id').execute(),
  })
  try {
    const before = await loadRows()
    await migrate(orm, '0014-pan')
    const old = sql`insert into payments (agreement_id, landlord_id, payer_id, amount, method, paid_on, status)
      select agreement_id, landlord_id, payer_id, 0, method, paid_on, status from payments limit 1`
    expect(old.execute(db)).rejects.toThrow('payments_amounts')
    await migrate(orm)
    expect(await loadRows()).toEqual(before)
    expect(await findBrokenInvariants(server.em())).toEqual([])
    const change = sql`update journals set reference = 'another'`
    expect(change.execute(db)).rejects.toThrow('never changed')
  } finally {
    await orm.close()
  }
})
