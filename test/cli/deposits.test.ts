import { expect, test } from 'bun:test'
import { testServer } from '../support/server'
import { createBilledLease, createLandlordShell } from './shell'

const server = testServer()

/** A lease that ended on its first day, with a deposit of 1,00,000 and the rent paid. */
async function createEndedLease() {
  const landlord = await createLandlordShell(server.url)
  const tenant = await createLandlordShell(server.url)
  const { draft } = await createBilledLease(landlord, server.url, tenant.phone)
  await landlord.kiraya(`payment create ${draft.id} --amount 127500 --method upi`)
  await landlord.kiraya(`agreement terminate ${draft.id} --yes`)
  return {
    landlord,
    tenant,
    number: draft.agreement_number as string,
    [Symbol.dispose]: () => [landlord, tenant].forEach(shell => shell[Symbol.dispose]()),
  }
}

test('a deposit is settled: proposed, disputed, proposed again, accepted and posted', async () => {
  using lease = await createEndedLease()
  const { landlord, tenant, number } = lease

  const proposed = await landlord.kiraya(
    `deposit settle ${number} --deduction damage:12000:Painting --refund-method bank_transfer`,
  )
  expect(proposed.data).toMatchObject({ status: 'proposed', deducted_amount: 12_000, refund_amount: 88_000 })
  const disputed = await tenant.kiraya(`deposit dispute ${number} --reason "It was not painted before"`)
  expect(disputed.data).toMatchObject({ status: 'disputed', dispute_reason: 'It was not painted before' })
  const again = await landlord.kiraya(`deposit settle ${number} --refund-method bank_transfer`)
  expect(again.data).toMatchObject({ status: 'proposed', deductions: [], refund_amount: 100_000 })
  expect((await tenant.kiraya(`deposit accept ${number}`)).data.status).toBe('accepted')

  const unconfirmed = await landlord.kiraya(`deposit post ${number}`)
  expect([unconfirmed.exitCode, unconfirmed.err]).toEqual([2, expect.stringContaining('--yes is required')])
  const posted = await landlord.kiraya(`deposit post ${number} --reference 432156789012 --yes`)
  expect(posted.data).toMatchObject({ status: 'posted', reference: '432156789012' })
  expect((await landlord.kiraya(`deposit get ${number}`)).data).toMatchObject({
    agreed: 100_000,
    held: 0,
    refunded: 100_000,
    settlement: { status: 'posted' },
  })
})

test('a settlement is refused without how the rest goes back, and to a tenant; refusals say what to do', async () => {
  using lease = await createEndedLease()
  const { landlord, tenant, number } = lease

  const none = await tenant.kiraya(`deposit accept ${number}`)
  expect([none.exitCode, none.err]).toEqual([
    5,
    expect.stringContaining('Propose one: kiraya deposit settle'),
  ])
  const early = await landlord.kiraya(`agreement complete ${number} --yes`)
  expect([early.exitCode, early.err]).toEqual([6, expect.stringContaining('kiraya payment refund')])
  await landlord.kiraya(`deposit settle ${number}`)
  await tenant.kiraya(`deposit accept ${number}`)
  const refused = await landlord.kiraya(`deposit post ${number} --yes`)
  expect([refused.exitCode, refused.err]).toEqual([6, expect.stringContaining('refund_method')])
  const wrong = await landlord.kiraya(`deposit settle ${number} --deduction Painting`)
  expect([wrong.exitCode, wrong.err]).toEqual([2, expect.stringContaining('--deduction must be a type')])
  const foreign = await tenant.kiraya(`deposit settle ${number} --refund-method cash`)
  expect(foreign.exitCode).toBe(7)
  const dry = await landlord.kiraya(`deposit settle ${number} --refund-method cash --dry-run`)
  expect(dry.data).toMatchObject({ method: 'POST', body: { deductions: [], refund_method: 'cash' } })
})
