import { describe, expect, test } from 'bun:test'
import { testServer } from '../support/server'
import { createBilledLease, createLandlordShell, createLease } from './shell'

const server = testServer()

test('an agreement says how it is billed, and its schedule what it will cost', async () => {
  using shell = await createLandlordShell(server.url)
  const { draft } = await createLease(shell, server.url)

  const changed = await shell.kiraya(
    `agreement update ${draft.id} --billing-cycle anniversary --rent-rounding 1 --late-fee 200 --grace-days 5
      --late-fee-cap 1000 --escalation 5 --escalation-months 6
      --recurring-charge "maintenance:2500:Society maintenance" --recurring-charge water:300`,
  )
  expect(changed.data).toMatchObject({
    billing_cycle: 'anniversary',
    rent_rounding: 1,
    late_fee_grace_days: 5,
    late_fee_cap: 1000,
    escalation_percent: 5,
    escalation_every_months: 6,
    recurring_charges: [
      { type: 'maintenance', amount: 2500, description: 'Society maintenance' },
      { type: 'water', amount: 300, description: 'Water' },
    ],
  })

  const schedule = await shell.kiraya(`charge schedule ${draft.agreement_number}`)
  expect(schedule.data.total_rent).toBe(6 * 25_000 + 5 * 26_250)
  expect(schedule.data.instalments).toHaveLength(1 + 3 * 11)

  const cleared = await shell.kiraya(`agreement update ${draft.id} --clear recurring-charges`)
  expect(cleared.data.recurring_charges).toBeNull()
  const wrong = await shell.kiraya(`agreement update ${draft.id} --recurring-charge maintenance`)
  expect([wrong.exitCode, wrong.err]).toEqual([
    2,
    expect.stringContaining('--recurring-charge must be a type'),
  ])
})

test('a charge is posted, found and credited', async () => {
  using shell = await createLandlordShell(server.url)
  const { draft, deposit, rent, maintenance, today } = await createBilledLease(shell, server.url)
  expect([deposit, rent, maintenance].map(({ amount, status }) => [amount, status])).toEqual([
    [100_000, 'due'],
    [25_000, 'due'],
    [2_500, 'due'],
  ])

  const created = await shell.kiraya(
    `charge create ${draft.agreement_number} --type electricity --amount 1430.50 --due ${today}`,
  )
  expect(created.data).toMatchObject({ amount: 1430.5, description: 'Electricity', source: 'manual' })
  const credited = await shell.kiraya(`charge credit ${created.data.id} --amount 430.50 --reason waiver`)
  expect(credited.data).toMatchObject({ amount_credited: 430.5, amount_outstanding: 1000 })

  const found = await shell.kiraya(
    `charge list --agreement ${draft.agreement_id} --unit Bengaluru/A-101 --type electricity --pending true`,
  )
  expect(found.data).toEqual([credited.data])
  expect((await shell.kiraya(`charge get ${created.data.charge_id}`)).data).toEqual(credited.data)
  const refused = await shell.kiraya(`charge credit ${created.data.id} --amount 1000.01 --reason waiver`)
  expect([refused.exitCode, refused.err]).toEqual([6, expect.stringContaining('amount')])
})

test('a payment settles charges, is moved, and its overpayment goes back', async () => {
  using shell = await createLandlordShell(server.url)
  const { draft, rent, deposit, tenant } = await createBilledLease(shell, server.url)

  const paid = await shell.kiraya(
    `payment create ${draft.agreement_number} --amount 28500 --method upi --reference 634512345678
      --payer ${tenant.phone} --allocation ${rent.id}:25000 --allocation "${deposit.id}: 3500"`,
  )
  expect(paid.data).toMatchObject({ status: 'posted', payer_id: tenant.id, unapplied_amount: 0 })
  const moved = await shell.kiraya(`payment allocate ${paid.data.id} --allocation ${rent.id}:25000`)
  expect(moved.data).toMatchObject({
    allocations: [{ charge_id: rent.id, amount: 25_000 }],
    unapplied_amount: 3500,
  })
  const refund = await shell.kiraya(`payment refund ${draft.id} --amount 1000 --method cash`)
  expect(refund.data).toMatchObject({ amount: 1000, payments: [{ payment_id: paid.data.id, amount: 1000 }] })
  const freed = await shell.kiraya(`payment allocate ${paid.data.id} --none`)
  expect(freed.data).toMatchObject({ allocations: [], unapplied_amount: 27_500, refunded_amount: 1000 })

  const listed = await shell.kiraya(`payment list --payer ${tenant.phone} --status posted --json id`)
  expect(listed.data).toEqual([{ id: paid.data.id }])
  const again = await shell.kiraya(
    `payment create ${draft.id} --amount 1 --method upi --reference 634512345678`,
  )
  expect([again.exitCode, again.err]).toEqual([6, expect.stringContaining('allow_duplicate')])
})

test('a payment gets the number of its TDS certificate later', async () => {
  using shell = await createLandlordShell(server.url)
  const { draft } = await createBilledLease(shell, server.url)
  const paid = await shell.kiraya(`payment create ${draft.id} --amount 24500 --tds 500 --method cash`)
  const { id } = paid.data

  const numbered = await shell.kiraya(`payment update ${id} --tds-certificate-number ABCD1234E`)
  expect(numbered.data).toEqual({ ...paid.data, tds_certificate_number: 'ABCD1234E' })
  const cleared = await shell.kiraya(`payment update ${id} --clear tds_certificate_number`)
  expect(cleared.data.tds_certificate_number).toBeNull()
})

test('a payment is reversed only after a yes', async () => {
  using shell = await createLandlordShell(server.url)
  const { draft, rent } = await createBilledLease(shell, server.url)
  const paid = await shell.kiraya(
    `payment create ${draft.id} --amount 25000 --method cash --allocation ${rent.id}:25000`,
  )

  const unconfirmed = await shell.kiraya(`payment reverse ${paid.data.id} --reason Twice`)
  expect([unconfirmed.exitCode, unconfirmed.err]).toEqual([2, expect.stringContaining('--yes is required')])
  const reversed = await shell.kiraya(`payment reverse ${paid.data.payment_id} --reason Twice --yes`)

  expect(reversed.data).toMatchObject({ status: 'reversed', reversal_reason: 'Twice' })
  expect((await shell.kiraya(`charge get ${rent.id}`)).data.amount_outstanding).toBe(25_000)
})

test('a cheque is cleared, and bounces at a price', async () => {
  using shell = await createLandlordShell(server.url)
  const { draft, rent } = await createBilledLease(shell, server.url)
  const cheque = await shell.kiraya(
    `payment create ${draft.id} --amount 25000 --method cheque --reference 000123 --allocation ${rent.id}:25000`,
  )
  expect(cheque.data.status).toBe('pending')

  const cleared = await shell.kiraya(`payment clear ${cheque.data.id}`)
  expect(cleared.data).toMatchObject({ status: 'posted', receipt_number: expect.stringContaining('RCT-') })
  const bounced = await shell.kiraya(
    `payment bounce ${cheque.data.id} --reason "Insufficient funds" --charge 500 --yes`,
  )
  expect(bounced.data).toMatchObject({ status: 'reversed', reversal_reason: 'Insufficient funds' })
  const fees = await shell.kiraya(`charge list --agreement ${draft.id} --type other`)
  expect(fees.data).toMatchObject([{ amount: 500, status: 'due' }])
})

describe('a tenant', () => {
  test('reports a payment that the landlord confirms or rejects', async () => {
    using landlord = await createLandlordShell(server.url)
    using tenant = await createLandlordShell(server.url)
    const { draft } = await createBilledLease(landlord, server.url, tenant.phone)

    const first = await tenant.kiraya(`payment create ${draft.agreement_number} --amount 25000 --method upi`)
    const second = await tenant.kiraya(`payment create ${draft.agreement_number} --amount 10 --method cash`)
    expect([first.data.status, second.data.status]).toEqual(['reported', 'reported'])
    expect((await tenant.kiraya(`payment confirm ${first.data.id}`)).exitCode).toBe(7)

    const confirmed = await landlord.kiraya(`payment confirm ${first.data.id}`)
    const rejected = await landlord.kiraya(`payment reject ${second.data.id} --reason "No cash came"`)
    expect([confirmed.data.status, rejected.data.status]).toEqual(['posted', 'rejected'])
    const seen = await tenant.kiraya(`payment list --agreement ${draft.id} --sort id`)
    expect(seen.data).toMatchObject([
      { status: 'posted' },
      { status: 'rejected', reversal_reason: 'No cash came' },
    ])
  })
})
