import { expect, test } from 'bun:test'
import { sql } from 'kysely'
import { getKysely, type Db } from '../../../db/database'
import { interrupt } from '../../support/locks'
import { clock, testServer } from '../../support/server'
import { createActiveAgreement, createDraft, createLandlord, signInUser } from '../../support/users'
import { confirmErasure, erase, tryErase } from './erasing'

const time = clock(new Date('2026-11-22T06:30:00Z'))
const server = testServer({ env: { WRONG_OTP_LIMIT_PER_SITE: '1' }, overrides: { now: time.now } })
/** Limits are twenty times as high with the sandbox channel. */
const MAX_WRONG = 20
const db = () => getKysely(server.em())

/** Copies a draft as the lease of a year, with an id of its own. */
const insertLease = (draftId: number, id: number, year: number) =>
  sql`
    insert into agreements (
      id, agreement_number, document_url, property_unit_id, landlord_id, agreement_start_date,
      agreement_end_date, tenure_in_months, rent_amount, rent_due_day, notice_period_days, status
    )
    select ${id}, ${`L-${id}`}, document_url, property_unit_id, landlord_id, ${`${year}-01-01`}::date,
      ${`${year}-12-31`}::date, 12, rent_amount, rent_due_day, notice_period_days, 'ACTIVE'
    from agreements where id = ${draftId}`.execute(db())

test('400: the leases that stand against an erasure are named by id, whatever the order in the table', async () => {
  const [landlord, tenant] = [await signInUser(server), await signInUser(server)]
  const { agreement } = await createDraft(landlord, [tenant])
  const ids = [9003, 9001, 9002].map(offset => agreement.id + offset)
  for (const [index, id] of ids.entries()) await insertLease(agreement.id, id, 2030 + index)

  const { status, error } = await tryErase(server, landlord)

  const numbers = error.details.map(({ agreement_number }: { agreement_number: string }) => agreement_number)
  expect([status, error.reason, numbers]).toEqual([
    400,
    'agreements_open',
    ids.toSorted((a, b) => a - b).map(id => `L-${id}`),
  ])
  for (const number of numbers) expect(error.message).toContain(number)
})

test.each(['PENDING', 'ACTIVE'] as const)(
  '200: a deleted agreement that is %s stands against no erasure',
  async status => {
    const [landlord, tenant] = [await signInUser(server), await signInUser(server)]
    const { agreement } = await createDraft(landlord, [tenant])
    const row = db().updateTable('agreements').where('id', '=', agreement.id)
    await row.set({ status, is_active: false }).execute()

    await erase(server, landlord)
  },
)

test('400: neither party is erased while a deposit is held, down to a rupee; each lease is named', async () => {
  const [landlord, tenant] = [await createLandlord(server), await signInUser(server)]
  const leases = [
    await createActiveAgreement(landlord, [tenant], { deposit_amount: 1 }),
    await createActiveAgreement(landlord, [tenant], { deposit_amount: 1 }),
  ]
  const paymentIds: number[] = []
  for (const { path } of leases.toReversed()) {
    const { data } = await landlord.post(`${path}/payments`, { amount: 1, method: 'cash' })
    paymentIds.push(data.id)
    await landlord.post(`${path}/terminate`, {})
  }
  const details = leases.map(({ agreement: { agreement_id, agreement_number } }) => ({
    agreement_id,
    agreement_number,
    status: 'TERMINATED',
  }))

  for (const party of [landlord, tenant]) {
    const { status, error } = await tryErase(server, party)
    expect([status, error.reason, error.details]).toEqual([400, 'deposit_held', details])
    for (const { agreement_number } of details) expect(error.message).toContain(agreement_number)
  }

  for (const id of paymentIds) await landlord.post(`/payments/${id}/reverse`, { reason: 'It was paid back' })
  for (const party of [tenant, landlord]) await erase(server, party)
})

test('an erasure that an active agreement forbids waits for no lock, and uses up no one-time password', async () => {
  const [landlord, tenant] = [await createLandlord(server), await signInUser(server)]
  const { agreement, path } = await createActiveAgreement(landlord, [tenant])
  const eraseTenant = await confirmErasure(server, tenant)

  const refused = await db()
    .transaction()
    .execute(async tx => {
      await sql`select from users where id = ${tenant.id} for key share`.execute(tx)
      await tx.selectFrom('agreements').where('id', '=', agreement.id).select('id').forUpdate().execute()
      return eraseTenant()
    })
  expect([refused.status, refused.error.reason]).toEqual([400, 'agreements_open'])

  for (let n = 0; n <= MAX_WRONG; n++) expect((await eraseTenant()).status).toBe(400)
  await landlord.post(`${path}/terminate`)
  expect((await eraseTenant()).status).toBe(200)
})

test('401: after five wrong one-time passwords the right one erases nobody', async () => {
  const user = await signInUser(server)
  const eraseThem = await confirmErasure(server, user)
  for (let n = 0; n < 5; n++)
    expect((await user.call('DELETE', '/auth/me', { otp: '000000' })).status).toBe(401)

  expect((await eraseThem()).status).toBe(401)
  expect((await user.get('/auth/me')).status).toBe(200)
})

test('400: an erasure waits for a change of an agreement, and is refused if that makes it ACTIVE', async () => {
  const [landlord, tenant] = [await signInUser(server), await signInUser(server)]
  const { agreement } = await createDraft(landlord, [tenant])
  const change = (tx: Db) => tx.updateTable('agreements').where('id', '=', agreement.id)

  const refused = await interrupt(server, {
    lock: tx => change(tx).set({ updated_at: server.deps.now() }).execute(),
    start: () => tryErase(server, tenant),
    meanwhile: tx => change(tx).set({ status: 'ACTIVE', signed_date: '2026-01-01' }).execute(),
  })

  expect([refused.status, refused.error.reason]).toEqual([400, 'agreements_open'])
})

/** Lets PostgreSQL report a deadlock to everyone who erases a user. */
async function reportDeadlocks() {
  await sql`create function report_deadlock() returns trigger language plpgsql as ${sql.lit(`begin
    raise exception using errcode = 'deadlock_detected';
  end`)}`.execute(db())
  await sql`create trigger report_deadlock before update on users for each row
    when (new.phone like 'erased-%') execute function report_deadlock()`.execute(db())
  return {
    [Symbol.asyncDispose]: async () => void (await sql`drop function report_deadlock cascade`.execute(db())),
  }
}

test('503: an erasure that finds no end of deadlocks; the one-time password stays valid', async () => {
  const user = await signInUser(server)
  const eraseThem = await confirmErasure(server, user)
  {
    await using _ = await reportDeadlocks()
    const { status, error } = await eraseThem()
    expect([status, error.reason]).toEqual([503, 'erasure_contended'])
  }
  expect((await eraseThem()).status).toBe(200)
})
