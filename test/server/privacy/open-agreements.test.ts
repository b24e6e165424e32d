import { expect, test } from 'bun:test'
import { sql } from 'kysely'
import { getKysely } from '../../../db/database'
import { testServer } from '../../support/server'
import { createDraft, sendRequest, signInUser } from '../../support/users'

const server = testServer()

/** Copies a draft as the lease of a year, with an id of its own. */
const insertLease = (draftId: number, id: number, year: number) =>
  sql`
    insert into agreements (
      id, agreement_number, document_url, property_unit_id, landlord_id, agreement_start_date,
      agreement_end_date, tenure_in_months, rent_amount, rent_due_day, notice_period_days, status
    )
    select ${id}, ${`L-${id}`}, document_url, property_unit_id, landlord_id, ${`${year}-01-01`}::date,
      ${`${year}-12-31`}::date, 12, rent_amount, rent_due_day, notice_period_days, 'ACTIVE'
    from agreements where id = ${draftId}`.execute(getKysely(server.em()))

test('400: the leases that stand against an erasure are named by id, whatever the order in the table', async () => {
  const [landlord, tenant] = [await signInUser(server), await signInUser(server)]
  const { agreement } = await createDraft(landlord, [tenant])
  for (const [index, id] of [9003, 9001, 9002].entries()) await insertLease(agreement.id, id, 2030 + index)
  await sendRequest(server, 'POST', '/auth/send-otp', { body: { phone_number: landlord.phone } })

  const { status, error } = await landlord.call('DELETE', '/auth/me', { otp: '123456' })

  const numbers = error.details.map(({ agreement_number }: { agreement_number: string }) => agreement_number)
  expect([status, numbers]).toEqual([400, ['L-9001', 'L-9002', 'L-9003']])
})

test.each(['PENDING', 'ACTIVE'] as const)(
  '200: a deleted agreement that is %s stands against no erasure',
  async status => {
    const [landlord, tenant] = [await signInUser(server), await signInUser(server)]
    const { agreement } = await createDraft(landlord, [tenant])
    await getKysely(server.em())
      .updateTable('agreements')
      .set({ status, is_active: false })
      .where('id', '=', agreement.id)
      .execute()
    await sendRequest(server, 'POST', '/auth/send-otp', { body: { phone_number: landlord.phone } })

    expect((await landlord.call('DELETE', '/auth/me', { otp: '123456' })).status).toBe(200)
  },
)
