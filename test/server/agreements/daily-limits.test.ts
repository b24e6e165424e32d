import { expect, test } from 'bun:test'
import { refuse } from '../../../server/faults'
import { clock, testServer } from '../../support/server'
import { agreementTerms, createLandlord, createTenant, createUnit, signInUser } from '../../support/users'
import { createLease } from '../../support/books/lease-fixture'

const time = clock(new Date('2026-12-15T06:30:00Z'))
const env = {
  CHANGE_LIMIT_PER_AGREEMENT: '1',
  CHARGE_LIMIT_PER_AGREEMENT: '1',
  PAYMENT_LIMIT_PER_AGREEMENT: '1',
  PROPOSAL_LIMIT_PER_AGREEMENT: '1',
}
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

test('429: changes of a payment count as payments do, and a repetition does not', async () => {
  const { landlord, path } = await createLease(server)
  const payment = { amount: 98, tds_amount: 2, method: 'cash' }
  const { data } = await landlord.post(`${path}/payments`, payment)
  const change = (tds_certificate_number: string) =>
    landlord.patch(`/payments/${data.id}`, { tds_certificate_number })
  for (let n = 1; n < LIMIT; n++) expect((await change(`C-${n}`)).status).toBe(200)
  expect((await change(`C-${LIMIT - 1}`)).status).toBe(200)

  for (const refused of [await change('C-0'), await landlord.post(`${path}/payments`, payment)])
    expect([refused.status, refused.error?.reason]).toEqual([429, 'too_many_payments'])
  expect((await landlord.get(`/payments/${data.id}`)).data.tds_certificate_number).toBe(`C-${LIMIT - 1}`)
})

/** A lease with its deposit paid, and what proposes a rent or a settlement. */
async function createPaidLease() {
  const lease = await createLease(server, { deposit_amount: 100 })
  const { landlord, path, agreement } = lease
  const { data } = await landlord.get(`/charges?agreement_id=${agreement.id}&type=deposit`)
  const allocations = [{ charge_id: data[0].id, amount: 100 }]
  await landlord.post(`${path}/payments`, { amount: 100, method: 'cash', allocations })
  const proposeRent = (effective_on = '2027-04-01') =>
    landlord.post(`${path}/rent-revisions`, { rent_amount: 30_000, effective_on })
  const settlement = `${path}/deposit/settlement`
  const proposeSettlement = (by = landlord) => by.post(settlement, { deductions: [], refund_method: 'upi' })
  return { ...lease, proposeRent, settlement, proposeSettlement }
}

test('429: an agreement gets only so many proposals in a day; answers to them do not count', async () => {
  const { landlord, tenant, path, settlement, ...lease } = await createPaidLease()
  const revisions = `${path}/rent-revisions`
  for (let n = 1; n < LIMIT / 2; n++) {
    const { data } = await lease.proposeRent()
    expect((await landlord.post(`${revisions}/${data.id}/withdraw`)).status).toBe(200)
  }
  const { data: rent } = await lease.proposeRent()
  expect((await lease.proposeRent()).status).toBe(400)
  expect((await tenant.post(`${revisions}/${rent.id}/accept`)).status).toBe(200)
  await landlord.post(`${path}/terminate`, {})
  for (let n = 0; n < LIMIT / 2; n++) expect((await lease.proposeSettlement()).status).toBe(201)

  const refused = await lease.proposeSettlement()
  expect([refused.status, refused.error?.reason]).toEqual([429, 'too_many_proposals'])
  expect(refused.headers.get('retry-after')).toBe('86400')
  const { settlement_id } = (await tenant.get(`${path}/deposit`)).data.settlement
  expect((await tenant.post(`${settlement}/accept`, { settlement_id })).status).toBe(200)

  time.advance(86_400_000)
  expect((await lease.proposeSettlement(await signInUser(server, landlord.phone))).status).toBe(201)
})

test('429: a rent is proposed as seldom as a settlement', async () => {
  const { proposeRent } = await createPaidLease()
  const days = Array.from({ length: LIMIT }, (_, index) => `2027-04-${10 + index}`)
  for (const day of days) expect((await proposeRent(day)).status).toBe(201)
  const refused = await proposeRent('2027-05-01')
  expect([refused.status, refused.error?.reason]).toEqual([429, 'too_many_proposals'])
})

test('429: credits count as charges do', async () => {
  const { landlord, path } = await createLease(server)
  const { data } = await landlord.post(`${path}/charges`, charge)
  const credit = () => landlord.post(`/charges/${data.id}/credits`, { amount: 0.01, reason: 'waiver' })
  for (let n = 1; n < LIMIT; n++) expect((await credit()).status).toBe(201)

  for (const refused of [await credit(), await landlord.post(`${path}/charges`, charge)])
    expect([refused.status, refused.error?.reason]).toEqual([429, 'too_many_charges'])
  expect((await landlord.get(`/charges/${data.id}`)).data.amount_credited).toBe(0.19)
})

test('429: refunds and other allocations count as payments do', async () => {
  const { landlord, path } = await createLease(server)
  const payment = { amount: 100, method: 'cash' }
  const { data } = await landlord.post(`${path}/payments`, payment)
  const refund = () => landlord.post(`${path}/refunds`, { amount: 1, method: 'cash' })
  const allocate = () => landlord.call('PUT', `/payments/${data.id}/allocations`, { allocations: [] })
  for (let n = 1; n < LIMIT; n += 2) expect((await allocate()).status).toBe(200)
  for (let n = 2; n < LIMIT; n += 2) expect((await refund()).status).toBe(201)

  for (const refused of [await refund(), await allocate()])
    expect([refused.status, refused.error?.reason]).toEqual([429, 'too_many_payments'])
  expect((await landlord.get(`/payments/${data.id}`)).data.unapplied_amount).toBe(91)
})

test('429: a draft is changed only so often in a day', async () => {
  const [landlord, tenant] = [await createLandlord(server), await createTenant(server)]
  const { unit } = await createUnit(landlord)
  const createDraft = async () => {
    const { data } = await landlord.post('/agreements', agreementTerms(unit.id, [tenant.id]))
    return (rent_amount: number) => landlord.patch(`/agreements/${data.id}`, { rent_amount })
  }
  const [change, changeOther] = [await createDraft(), await createDraft()]
  for (let n = 1; n < LIMIT; n++) expect((await change(n)).status).toBe(200)
  expect((await change(0)).status).toBe(400)
  expect((await change(LIMIT)).status).toBe(200)

  const refused = await change(1)
  expect([refused.status, refused.error?.reason]).toEqual([429, 'too_many_agreement_changes'])
  expect(refused.headers.get('retry-after')).toBe('86400')
  expect((await changeOther(1)).status).toBe(200)
})

test('429: signatures under an agreement are requested only so often in a day', async () => {
  const [landlord, tenant] = [await createLandlord(server), await createTenant(server)]
  const { unit } = await createUnit(landlord)
  const { data } = await landlord.post('/agreements', agreementTerms(unit.id, [tenant.id]))
  const path = `/agreements/${data.id}`
  const request = () => landlord.post(`${path}/sign`, { signer_id: landlord.id })
  const cancel = (id: string) => landlord.post(`${path}/signatures/${id}/cancel`)
  for (let n = 0; n < LIMIT; n++) {
    const { status, data: started } = await request()
    expect(status).toBe(200)
    expect((await cancel(started.signature_id)).status).toBe(200)
  }

  const refused = await request()
  expect([refused.status, refused.error?.reason]).toEqual([429, 'too_many_agreement_changes'])
  expect(refused.headers.get('retry-after')).toBe('86400')
})

test('429: requests for signatures that fail count, too', async () => {
  const [landlord, tenant] = [await createLandlord(server), await createTenant(server)]
  const { unit } = await createUnit(landlord)
  const { data } = await landlord.post('/agreements', agreementTerms(unit.id, [tenant.id]))
  const request = () => landlord.post(`/agreements/${data.id}/sign`, { signer_id: tenant.id })
  const { signing } = server.deps
  const initiate = async () => {
    throw refuse('provider_unreachable', { provider: 'e-signing' })
  }
  Object.assign(server.deps, { signing: { ...signing, initiate } })
  for (let n = 0; n < LIMIT; n++) expect((await request()).status).toBe(503)

  const refused = await request()
  Object.assign(server.deps, { signing })

  expect([refused.status, refused.error?.reason]).toEqual([429, 'too_many_agreement_changes'])
})

test('429: drafts of a next term count as changes of the lease', async () => {
  const { landlord, path } = await createLease(server)
  const requestsToSign = 2
  for (let n = requestsToSign; n < LIMIT; n++) {
    const { data } = await landlord.post(`${path}/renew`, {})
    expect((await landlord.delete(`/agreements/${data.id}`)).status).toBe(200)
  }

  const refused = await landlord.post(`${path}/renew`, {})

  expect([refused.status, refused.error?.reason]).toEqual([429, 'too_many_agreement_changes'])
})
