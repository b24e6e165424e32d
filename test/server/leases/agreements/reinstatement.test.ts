import { expect, test } from 'bun:test'
import { createLease, listCharges, startBooksServer, type Lease } from '../../../support/books/lease-fixture'
import { createDraft, createManager } from '../../../support/users'
import { createRecorded, listTypes } from '../paper/fixtures'

const toReason = ({ status, error }: any) => [status, error?.reason]
const by = async (side: 'asLandlord' | 'asTenant', lease: Lease, body: object = {}) =>
  (await lease[side]()).post(`${lease.path}/reinstate`, body)
const terminate = async (lease: Lease, body: object = {}) =>
  (await lease.asLandlord()).post(`${lease.path}/terminate`, body)
const readStatement = async ({ asLandlord, path }: Lease) =>
  (await (await asLandlord()).get(`${path}/statement?verify=true`)).data

test.each([
  ['in advance', {}],
  ['in arrears', { rent_in: 'arrears', agreement_start_date: '2026-12-01' }],
  ['of two services', { recurring_charges: [1, 2].map(amount => ({ type: 'other', amount: amount * 310 })) }],
  [
    'in arrears of two services',
    {
      rent_in: 'arrears',
      recurring_charges: [1, 2].map(amount => ({ type: 'other', amount: amount * 310 })),
    },
  ],
])('the books of a lease %s are as if it had not been terminated', async (_, terms) => {
  await using server = await startBooksServer()
  const [ended, other] = [await createLease(server, terms), await createLease(server, terms)]
  await server.goTo('2027-02-01')
  for (const lease of [ended, other]) {
    const [rent] = (await (await lease.asLandlord()).get(`/charges?agreement_id=${lease.agreement.id}`)).data
    await (await lease.asLandlord()).post(`/charges/${rent.id}/credits`, { amount: 100, reason: 'waiver' })
    await (await lease.asLandlord()).post(`${lease.path}/payments`, { amount: 60_000, method: 'upi' })
  }
  await server.goTo('2027-02-10')
  for (const day of ['2027-01-20', '2027-02-10']) {
    expect((await terminate(ended, { termination_date: day, reason: 'Moves' })).status).toBe(200)
    const { status, data } = await by('asLandlord', ended)
    expect([status, data.status, data.termination_date, data.termination_reason]).toEqual([
      200,
      'ACTIVE',
      null,
      null,
    ])
  }
  await server.goTo('2027-06-01')
  const sumUp = async (lease: Lease) => {
    const { closing_balance, is_intact } = await readStatement(lease)
    return [closing_balance, is_intact]
  }
  expect(await sumUp(ended)).toEqual(await sumUp(other))
  expect(
    (await listTypes(await ended.asTenant(), ended.path)).filter(type => type === 'reinstated'),
  ).toHaveLength(2)
  const { data } = await (await ended.asTenant()).get('/auth/me/export')
  expect(data.tables.activities.map(({ type }: any) => type)).toContain('reinstated')
})

test('what fell due between the two is due today', async () => {
  await using server = await startBooksServer()
  const lease = await createLease(server)
  await server.goTo('2027-01-25')
  await terminate(lease)
  await server.goTo('2027-02-10')
  await by('asLandlord', lease, { accepted_on_paper: { on: '2027-02-09' } })
  expect((await listCharges(lease)).slice(-2)).toEqual([
    'rent 2027-01-05 25000 25000 overdue',
    'rent 2027-02-10 25000 25000 due',
  ])
})

test.each([
  ['asLandlord', 'asTenant', 'landlord'],
  ['asTenant', 'asLandlord', 'tenants'],
] as const)('after a day %s asks and %s agrees', async (first, second, side) => {
  await using server = await startBooksServer()
  const lease = await createLease(server)
  await server.goTo('2027-02-10')
  await terminate(lease)
  await server.goOn(1)
  for (let repeated = 0; repeated < 2; repeated++) {
    const { status, data } = await by(first, lease)
    expect([status, data.status, data.reinstatement_asked_by]).toEqual([200, 'TERMINATED', side])
  }
  const { data } = await by(second, lease)
  expect([data.status, data.reinstatement_asked_by]).toEqual(['ACTIVE', null])
  expect((await listTypes(await lease.asLandlord(), lease.path)).slice(-3)).toEqual([
    'terminated',
    'reinstatement_asked',
    'reinstated',
  ])
  await server.goOn(1)
  await terminate(lease)
  expect((await by('asLandlord', lease)).data.status).toBe('ACTIVE')
})

test('on paper the landlord enters it within 30 days, and a proposed settlement is withdrawn', async () => {
  await using server = await startBooksServer()
  const lease = await createLease(server, { deposit_amount: 50_000 })
  await (await lease.asLandlord()).post(`${lease.path}/payments`, { amount: 50_000, method: 'upi' })
  await server.goTo('2027-02-10')
  await terminate(lease)
  const settlement = { deductions: [], refund_method: 'upi' }
  await (await lease.asLandlord()).post(`${lease.path}/deposit/settlement`, settlement)
  await server.goTo('2027-03-12')
  const onPaper = { accepted_on_paper: { on: '2027-03-01' } }
  expect(toReason(await by('asTenant', lease, onPaper))).toEqual([403, 'not_unit_side'])
  const future = { accepted_on_paper: { on: '2027-03-13' } }
  expect(toReason(await by('asLandlord', lease, future))).toEqual([400, 'date_in_future'])
  expect((await by('asLandlord', lease, onPaper)).data.status).toBe('ACTIVE')
  const landlord = await lease.asLandlord()
  expect((await landlord.get(`${lease.path}/deposit`)).data).toMatchObject({ held: 50_000, settlement: null })
  expect((await landlord.get(`${lease.path}/timeline`)).data).toMatchObject({ intact: true })
  const queued = server.db.selectFrom('messages_out').where('state', '=', 'queued').select('id')
  expect(await queued.where('user_id', '=', lease.tenant.id).execute()).toEqual([])
})

test('no late fee accrues for the days between, and the fees of other days go on', async () => {
  await using server = await startBooksServer()
  const terms = { late_fee_kind: 'percent_pa', late_fee_percent: 18, late_fee_grace_days: 5 }
  const lease = await createLease(server, { ...terms, agreement_start_date: '2027-01-01' })
  const listFees = async () => (await listCharges(lease)).filter(each => each.startsWith('late_fee'))
  await server.goTo('2027-01-21')
  await terminate(lease, { termination_date: '2027-01-31' })
  await terminate(lease, { termination_date: '2027-01-21' })
  await server.goTo('2027-02-05')
  await by('asLandlord', lease, { accepted_on_paper: { on: '2027-02-05' } })
  await server.goTo('2027-02-28')
  // Of January's rent 11 to 21 January and 6 to 28 February, 34 days; of February's from 11 February on, 18.
  const total = (await listFees()).reduce((sum, each) => sum + Number(each.split(' ')[3]), 0)
  expect(total).toBeCloseTo((25_000 * 0.18 * (34 + 18)) / 365, 1)
})

test('a flat fee that fell between the two is taken back, and comes once the grace is over', async () => {
  await using server = await startBooksServer()
  const terms = { late_fee: 500, late_fee_grace_days: 5, agreement_start_date: '2027-01-01' }
  const lease = await createLease(server, terms)
  const countFees = async () => (await listCharges(lease)).filter(each => / 500 500 /.test(each)).length
  await server.goTo('2027-01-08')
  await terminate(lease)
  await server.goTo('2027-01-15')
  expect(await countFees()).toBe(1)
  await by('asLandlord', lease, { accepted_on_paper: { on: '2027-01-15' } })
  expect(await countFees()).toBe(0)
  // Three of the five days had passed before the termination.
  await server.goTo('2027-01-17')
  expect(await countFees()).toBe(0)
  await server.goTo('2027-01-18')
  expect(await countFees()).toBe(1)
})

test('400: what cannot go on', async () => {
  await using server = await startBooksServer()
  const create = async (terms = {}) => {
    const lease = await createLease(server, terms)
    expect((await lease.landlord.post(`${lease.path}/terminate`, {})).status).toBe(200)
    return { ...lease, reinstate: () => lease.landlord.post(`${lease.path}/reinstate`) }
  }
  const active = await createLease(server)
  expect(toReason(await by('asLandlord', active))).toEqual([403, 'wrong_status'])

  const voided = await createRecorded(server)
  await voided.landlord.post(`${voided.path}/terminate`, {})
  await voided.landlord.post(`${voided.path}/terminate`, { void: true, reason: 'Wrong' })
  expect(toReason(await voided.landlord.post(`${voided.path}/reinstate`))).toEqual([400, 'not_reinstatable'])
  const over = await createRecorded(server, { agreement_start_date: '2025-01-01' })
  expect(toReason(await over.landlord.post(`${over.path}/reinstate`))).toEqual([400, 'not_reinstatable'])

  const renewed = await create({ agreement_start_date: '2026-11-01' })
  await renewed.landlord.post(`${renewed.path}/renew`, {})
  expect(toReason(await renewed.reinstate())).toEqual([400, 'already_renewed'])

  const taken = await create()
  const draft = await createDraft(taken.landlord, [await createManager(server)])
  await taken.landlord.patch(draft.path, {
    property_unit_id: taken.unit.id,
    agreement_start_date: '2027-01-01',
  })
  await taken.landlord.post(`${draft.path}/record`, { signed_on: '2026-12-01' })
  expect(toReason(await taken.reinstate())).toEqual([400, 'unit_overlap'])

  const managed = await create()
  await managed.landlord.patch(`/properties/${managed.unit.property_id}/units/${managed.unit.id}`, {
    managed_by_id: managed.tenant.id,
  })
  expect(toReason(await managed.reinstate())).toEqual([400, 'unit_overlap'])

  const erased = await create()
  await server.db.updateTable('users').set({ is_active: false }).where('id', '=', erased.tenant.id).execute()
  expect(toReason(await erased.reinstate())).toEqual([400, 'tenants_erased'])

  const settled = await create({ deposit_amount: 50_000 })
  await settled.landlord.post(`${settled.path}/payments`, { amount: 50_000, method: 'upi' })
  await settled.landlord.post(`${settled.path}/deposit/settlement`, { deductions: [], refund_method: 'upi' })
  const onPaper = { accepted_on_paper: { on: '2026-12-01' } }
  await settled.landlord.post(`${settled.path}/deposit/settlement/post`, onPaper)
  expect(toReason(await settled.reinstate())).toEqual([400, 'settlement_wrong_status'])

  const late = await create()
  await server.goTo('2027-01-01')
  expect(toReason(await by('asLandlord', late, { accepted_on_paper: { on: '2026-12-31' } }))).toEqual([
    400,
    'not_reinstatable',
  ])
})
