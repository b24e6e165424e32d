import { decideSettlement } from '../../../support/books/deposit-fixture'
import { createLease, type BooksServer } from '../../../support/books/lease-fixture'

export const DEDUCTIONS = [
  { type: 'electricity', description: 'Electricity of February', amount: 1430 },
  { type: 'damage', description: 'Painting', amount: 12000 },
  { type: 'damage', description: 'Geyser', amount: 3500 },
]
const REFUND = { refund_method: 'bank_transfer', reference: 'UTR432156789012' }

/** A lease that ended on 10 February 2027, its deposit and rents paid until January. */
export async function createEndedLease(server: BooksServer, paid = 100_000, tenantCount = 1) {
  const lease = await createLease(server, { deposit_amount: 100_000 }, tenantCount)
  await server.goTo('2027-01-31')
  let landlord = await lease.asLandlord()
  const charges = (await landlord.get(`/charges?agreement_id=${lease.agreement.id}&sort=due_date`)).data
  const payer_id = lease.tenant.id
  const deposit = charges.find(({ type }: { type: string }) => type === 'deposit')
  const rents = charges.filter((each: any) => each.type === 'rent' && each.due_date < '2027-02-01')
  await landlord.post(`${lease.path}/payments`, {
    amount: paid,
    payer_id,
    method: 'upi',
    allocations: [{ charge_id: deposit.id, amount: paid }],
  })
  for (const { id, amount } of rents)
    await landlord.post(`${lease.path}/payments`, {
      amount,
      payer_id,
      method: 'upi',
      allocations: [{ charge_id: id, amount }],
    })
  await server.goTo('2027-02-10')
  landlord = await lease.asLandlord()
  await landlord.post(`${lease.path}/terminate`, {})
  const tenant = await lease.asTenant()
  const settle = (body: Record<string, unknown>) =>
    landlord.post(`${lease.path}/deposit/settlement`, { deductions: DEDUCTIONS, ...REFUND, ...body })
  const post = (body = {}) => landlord.post(`${lease.path}/deposit/settlement/post`, body)
  const decide = (step: 'accept' | 'dispute', body = {}) => decideSettlement(tenant, lease.path, step, body)
  return { ...lease, landlord, tenant, settle, decide, post }
}
export type EndedLease = Awaited<ReturnType<typeof createEndedLease>>
