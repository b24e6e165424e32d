import { expect, test } from 'bun:test'
import { sql } from 'kysely'
import { type Db } from '../../../db/database'
import { interrupt } from '../../support/locks'
import { clock, testServer } from '../../support/server'
import { createActiveAgreement, createDraft, createLandlord, signInUser } from '../../support/users'
import { confirmErasure, erase, tryErase } from './erasing'

const time = clock(new Date('2026-11-22T06:30:00Z'))
const server = testServer({ overrides: { now: time.now } })

/** Copies a draft as the lease of a year, with an id of its own. */
const insertLease = (draftId: number, id: number, year: number) =>
  sql`
    insert into agreements (
      id, agreement_number, document_url, property_unit_id, landlord_id, agreement_start_date,
      agreement_end_date, tenure_in_months, rent_amount, rent_due_day, notice_period_days, status,
      created_at, updated_at
    )
    select ${id}, ${`L-${id}`}, document_url, property_unit_id, landlord_id, ${`${year}-01-01`}::date,
      ${`${year}-12-31`}::date, 12, rent_amount, rent_due_day, notice_period_days, 'ACTIVE', now(), now()
    from agreements where id = ${draftId}`.execute(server.db)

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
    const row = server.db.updateTable('agreements').where('id', '=', agreement.id)
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

test('400: a certificate that cannot be stored is named, until the signed document can be had', async () => {
  const [landlord, tenant] = [await signInUser(server), await signInUser(server)]
  const { agreement, path } = await createActiveAgreement(landlord, [tenant])
  await landlord.post(`${path}/terminate`)
  const { agreement_id, agreement_number } = agreement
  const { signing } = server.deps
  const { download } = signing
  signing.download = () => Promise.reject(new Error('Down'))
  const eraseTenant = await confirmErasure(server, tenant)

  const { status, error } = await eraseTenant().finally(() => (signing.download = download))

  const details = [{ agreement_id, agreement_number, status: 'TERMINATED' }]
  expect([status, error.reason, error.details]).toEqual([400, 'certificate_not_stored', details])
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
