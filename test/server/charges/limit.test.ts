import { expect, test } from 'bun:test'
import { clock, testServer } from '../../support/server'
import { signInUser } from '../../support/users'
import { createLease } from '../../support/books/lease-fixture'

const time = clock(new Date('2026-12-15T06:30:00Z'))
const env = { CHARGE_LIMIT_PER_AGREEMENT: '1', PAYMENT_LIMIT_PER_AGREEMENT: '1' }
const server = testServer({ overrides: { now: time.now }, env })
// In development, as in tests, each limit counts twenty times.
const LIMIT = 20
const charge = { type: 'other', amount: 100, due_date: '2026-12-20' }

test('429: an agreement gets only so many charges by hand in a day', async () => {
  const { landlord, path } = await createLease(server)
  const other = await createLease(server)
  const postCharge = async (body: object) => (await landlord.post(`${path}/charges`, body)).status

  const posted = await Promise.all(Array.from({ length: LIMIT - 1 }, () => postCharge(charge)))
  expect(posted).toEqual(Array(LIMIT - 1).fill(201))
  expect(await postCharge({ ...charge, due_date: '2020-01-01' })).toBe(400)
  expect(await postCharge(charge)).toBe(201)

  const refused = await landlord.post(`${path}/charges`, charge)
  expect([refused.status, refused.error]).toMatchObject([429, { reason: 'too_many_charges' }])
  expect(refused.headers.get('retry-after')).toBe('86400')
  const { body } = await landlord.get('/charges?type=other')
  expect(body.metadata.total).toBe(LIMIT)

  expect((await other.landlord.post(`${other.path}/charges`, charge)).status).toBe(201)
  time.advance(86_400_000)
  const nextDay = await signInUser(server, landlord.phone)
  expect((await nextDay.post(`${path}/charges`, charge)).status).toBe(201)
})

test('429: charges for bounced cheques count too, and a bounce without one does not', async () => {
  const { landlord, path } = await createLease(server)
  const { data: cheque } = await landlord.post(`${path}/payments`, {
    amount: 100,
    method: 'cheque',
    reference: '000123',
  })
  for (let n = 0; n < LIMIT; n++) await landlord.post(`${path}/charges`, charge)

  const refused = await landlord.post(`/payments/${cheque.id}/bounce`, { charge_amount: 500 })

  expect([refused.status, refused.error?.reason]).toEqual([429, 'too_many_charges'])
  expect((await landlord.get(`/payments/${cheque.id}`)).data.status).toBe('pending')
  expect((await landlord.post(`/payments/${cheque.id}/bounce`, {})).status).toBe(200)
})

test('429: an agreement gets only so many payments in a day, of both sides together', async () => {
  const { landlord, tenant, path } = await createLease(server)
  const pay = (payer: typeof landlord) => payer.post(`${path}/payments`, { amount: 1, method: 'cash' })
  const recorded = await Promise.all(Array.from({ length: LIMIT - 1 }, () => pay(landlord)))
  expect(recorded.map(({ status }) => status)).toEqual(Array(LIMIT - 1).fill(201))
  expect((await landlord.post(`${path}/payments`, { amount: 0, method: 'cash' })).status).toBe(400)
  expect((await pay(tenant)).status).toBe(201)

  for (const payer of [landlord, tenant]) {
    const refused = await pay(payer)
    expect([refused.status, refused.error?.reason]).toEqual([429, 'too_many_payments'])
    expect(refused.headers.get('retry-after')).toBe('86400')
  }
  const { body } = await landlord.get('/payments')
  expect(body.metadata.total).toBe(LIMIT)

  time.advance(86_400_000)
  const nextDay = await signInUser(server, landlord.phone)
  expect((await pay(nextDay)).status).toBe(201)
})
