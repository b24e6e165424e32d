import { expect, test } from 'bun:test'
import { readCertificate } from '../../../support/certificate-text'
import { createActiveAgreement, signInUser } from '../../../support/users'
import { createRecorded, listTypes, paperServer, type Recorded } from './fixtures'

const server = paperServer()
const reason = 'Wrong tenant'
const voidLease = ({ landlord, path }: Recorded, body: object = { reason }) =>
  landlord.post(`${path}/terminate`, { void: true, ...body })

async function readReports({ landlord, agreement }: Recorded) {
  const paths = [
    '/books/summary?from=2024-01-01&to=2027-12-31',
    '/books/rent-roll',
    '/books/arrears',
    '/books/annual',
    '/books/expiring?days=365',
  ]
  const reports = await Promise.all(paths.map(async each => (await landlord.get(each)).data))
  return { named: JSON.stringify(reports).includes(agreement.agreement_number), charged: reports[0].charged }
}

test.each([
  ['is active', {}],
  ['has ended with its tenure', { agreement_start_date: '2024-10-01' }],
])('200: a lease on paper that %s is void, with all that was charged', async (_, changes) => {
  const lease = await createRecorded(server, changes)
  const { landlord, tenant, path, agreement, unit } = lease
  expect((await readReports(lease)).charged).toBeGreaterThan(0)
  await tenant.post(`${path}/payments`, { amount: 100, method: 'upi', reference: 'UTR 9' })

  const { status, data } = await voidLease(lease)

  expect([status, data.status, data.voided_on, data.termination_reason]).toEqual([
    200,
    'TERMINATED',
    '2026-12-01',
    reason,
  ])
  expect(await readReports(lease)).toEqual({ named: false, charged: 0 })
  const { data: statement } = await landlord.get(`${path}/statement?verify=true`)
  expect([statement.closing_balance, statement.is_intact]).toEqual([0, true])
  const { data: payments } = await landlord.get(`/payments?agreement_id=${agreement.id}`)
  expect(payments.map((payment: any) => payment.status)).toEqual(['rejected'])
  expect((await listTypes(landlord, path)).at(-1)).toBe('voided')
  expect((await readCertificate(server, landlord, agreement.id)).text).toContain('VOID')

  const refused = await Promise.all([
    voidLease(lease),
    landlord.post(`${path}/renew`, {}),
    landlord.post(`${path}/payments`, { amount: 100, method: 'upi' }),
    tenant.post(`${path}/acceptance`),
    tenant.post(`${path}/objection`, { reason }),
  ])
  expect(refused.map(({ error }) => error.reason)).toEqual([
    'not_recorded',
    'wrong_status',
    'books_not_open',
    'not_recorded',
    'not_recorded',
  ])
  const terms = { ...agreement, property_unit_id: unit.id, agreement_number: 'AGAIN-1', signing_order: null }
  const { data: next } = await landlord.post('/agreements', terms)
  expect((await landlord.post(`/agreements/${next.id}/record`, { signed_on: '2026-09-20' })).status).toBe(200)
})

test('400: what cannot be void', async () => {
  const lease = await createRecorded(server)
  const toReason = ({ status, error }: any) => [status, error.reason]
  expect(toReason(await voidLease(lease, {}))).toEqual([400, 'void_reason_missing'])
  expect(toReason(await lease.tenant.post(`${lease.path}/terminate`, { void: true, reason }))).toEqual([
    403,
    'not_unit_side',
  ])

  const { data: payment } = await lease.landlord.post(`${lease.path}/payments`, {
    amount: 900_000,
    method: 'upi',
  })
  const refunded = await lease.landlord.post(`${lease.path}/refunds`, { amount: 100, method: 'upi' })
  expect(toReason(await voidLease(lease))).toEqual([400, 'money_posted'])
  await lease.landlord.post(`/refunds/${refunded.data.id}/reverse`, { reason })
  await lease.landlord.post(`/payments/${payment.id}/reverse`, { reason })
  expect((await voidLease(lease)).status).toBe(200)

  const [landlord, tenant] = [await signInUser(server), await signInUser(server)]
  const { path } = await createActiveAgreement(landlord, [tenant])
  expect(toReason(await landlord.post(`${path}/terminate`, { void: true, reason }))).toEqual([
    400,
    'not_recorded',
  ])
})
