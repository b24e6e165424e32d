import { expect, test } from 'bun:test'
import { booksServer, startBooksServer } from '../../support/books/lease-fixture'
import { createLandlord, createManager, createUnit, freshPhone, signInUser } from '../../support/users'
import { listBroken, listOutcomes, toLeaseRow } from './rows'

const server = booksServer('2026-12-01')

async function createImporter() {
  const landlord = await createLandlord(server)
  const importRows = (rows: object[], more = {}) => landlord.post('/imports/leases', { rows, ...more })
  return { landlord, importRows }
}

const count = async (landlord: { get: (path: string) => Promise<any> }) => {
  const lists = await Promise.all(
    ['/properties', '/agreements', '/tenants'].map(path => landlord.get(`${path}?limit=100`)),
  )
  return lists.map(({ body }) => body.metadata.total)
}

test('rows make properties, units, tenants and leases; a repetition keeps them', async () => {
  const { landlord, importRows } = await createImporter()
  const manager_phone = freshPhone()
  const shop = { property: { alias_name: 'Brew', pin_code: 560038, property_type: 'commercial' } }
  const rows = [
    toLeaseRow('101', { manager_phone }),
    toLeaseRow('102', { internal_notes: 'Second phone 98450 11114' }),
    toLeaseRow('shop', { ...shop, paper: undefined, opening: undefined }),
  ]
  const created = await importRows(rows)
  expect(created.data).toMatchObject({ created: 3, kept: 0, changed: 0, dry_run: false })
  expect(await count(landlord)).toEqual([2, 3, 4])
  const [first, second, third] = created.data.rows
  expect(first.property_id).toBe(second.property_id)
  const lease = (await landlord.get(`/agreements/${second.agreement_id}`)).data
  expect(lease).toMatchObject({
    status: 'ACTIVE',
    external_ref: '102',
    internal_notes: 'Second phone 98450 11114',
    agreement_number: second.agreement_number,
    property_unit_id: second.property_unit_id,
    opening: { settled_until: '2026-10-31', owed: 1500, advance: null, deposit_held: 30_000 },
  })
  expect((await landlord.get(`/agreements/${third.agreement_id}`)).data.status).toBe('DRAFT')
  expect(third.warnings).toBeUndefined()
  const manager = await signInUser(server, manager_phone)
  expect((await manager.get('/agreements')).data.map(({ id }: any) => id)).toEqual([first.agreement_id])
  const { data: timeline } = await landlord.get(`/agreements/${first.agreement_id}/timeline`)
  expect(timeline.intact).toBe(true)

  const again = await importRows(rows)
  expect(listOutcomes(again)).toEqual(['kept', 'kept', 'kept'])
  expect(again.data.rows.map(({ warnings: _, ...row }: any) => row)).toEqual(
    created.data.rows.map(({ warnings: _, ...row }: any) => ({ ...row, outcome: 'kept' })),
  )
  expect(await count(landlord)).toEqual([2, 3, 4])
})

/** 1,500 owed; 10,000 of the deposit missing; rent of November and December: 20,000 each. */
test('the books of each row begin with its opening', async () => {
  const { landlord, importRows } = await createImporter()
  const advance = { settled_until: '2026-12-31', advance: 4000 }
  const { data } = await importRows([toLeaseRow('101'), toLeaseRow('102', { opening: advance })])
  const [first, second] = data.rows.map(({ agreement_id }: any) => `/agreements/${agreement_id}`)
  const { data: statement } = await landlord.get(`${first}/statement?verify=true`)
  expect([statement.closing_balance, statement.is_intact]).toEqual([51_500, true])
  expect(statement.deposit).toEqual({ agreed: 40_000, paid: 30_000, held: 30_000 })
  const ahead = (await landlord.get(`${second}/statement`)).data
  expect([ahead.closing_balance, ahead.deposit.held]).toEqual([-4000, 40_000])
  const { data: summary } = await landlord.get('/books/summary')
  expect(summary).toMatchObject({ received: 0, balances: { deposits_held: 70_000, advances: 4000 } })
})

test('400: the violations of all rows name row and field, and nothing is written', async () => {
  const { landlord, importRows } = await createImporter()
  const own = { phone_number: landlord.phone }
  const twice = { phone_number: freshPhone() }
  const rows = [
    toLeaseRow('1', { terms: { agreement_start_date: '2025-11-30', tenure_in_months: 24 }, opening: null }),
    toLeaseRow('2', { opening: { settled_until: '2026-03-01' } }),
    toLeaseRow('3', { terms: { escalation_percent: 5 } }),
    toLeaseRow('4', { tenants: [own, twice, twice] }),
    toLeaseRow('5', { paper: { signed_on: '2026-12-02' } }),
    toLeaseRow('1', { unit: { unit_name: '6' } }),
    toLeaseRow('7', { property: { alias_name: 'X', pin_code: 999999, property_type: 'pg' } }),
    toLeaseRow('8', { unit: { unit_name: '5' } }),
  ]
  expect(listBroken(await importRows(rows))).toEqual([
    400,
    'rows.0.opening opening_required',
    'rows.1.opening.settled_until settled_before_start',
    'rows.2.terms.escalation_every_months escalation_incomplete',
    'rows.3.tenants.0.phone_number party_as_tenant',
    'rows.3.tenants.2.phone_number repeated_in_import',
    'rows.4.paper.signed_on date_in_future',
    'rows.5.external_ref repeated_in_import',
    'rows.6.property.city pin_code_unknown',
    'rows.6.property.district pin_code_unknown',
    'rows.6.property.state pin_code_unknown',
  ])
  const malformed = [toLeaseRow('1', { terms: { rent_amount: 'x' } }), { ...toLeaseRow('2'), tenants: [] }]
  expect(listBroken(await importRows(malformed))).toEqual([
    400,
    'rows.0.terms.rent_amount decimal',
    'rows.1.tenants min_items',
  ])
  expect(await count(landlord)).toEqual([0, 0, 0])
})

test('400: a unit is let once at a time, by other leases and by other rows', async () => {
  const { importRows } = await createImporter()
  const next = (external_ref: string, agreement_start_date: string) =>
    toLeaseRow(external_ref, {
      unit: { unit_name: 'a-1' },
      terms: { agreement_start_date },
      opening: { settled_until: '2026-11-30' },
    })
  const earlier = {
    ...next('old', '2025-12-01'),
    terms: { ...next('', '2025-12-01').terms, tenure_in_months: 3 },
  }
  expect(listOutcomes(await importRows([earlier, next('A', '2026-03-10')]))).toEqual(['created', 'created'])
  const later = [
    next('B', '2026-06-01'),
    toLeaseRow('C'),
    { ...next('D', '2026-06-01'), unit: { unit_name: 'C' } },
  ]
  expect(listBroken(await importRows(later))).toEqual([
    400,
    'rows.0.unit.unit_name unit_is_let',
    'rows.2.unit.unit_name unit_is_let',
  ])
})

test('of an ACTIVE lease names and notes change, and another difference is refused by row and column', async () => {
  const { landlord, importRows } = await createImporter()
  const row = toLeaseRow('101')
  const { data } = await importRows([row])
  const { phone_number } = row.tenants[0]!
  const renamed = { ...row, tenants: [{ phone_number, first_name: 'Anita' }], internal_notes: 'Pays late' }
  expect(listOutcomes(await importRows([renamed]))).toEqual(['changed'])
  expect((await landlord.get('/tenants?q=Anita')).data).toHaveLength(1)
  const byUuid = (await landlord.get(`/agreements/${data.rows[0].agreement_id}`)).data
  expect(byUuid.internal_notes).toBe('Pays late')
  const named = { ...renamed, external_ref: byUuid.agreement_id, opening: { settled_until: '2026-12-01' } }
  expect(listOutcomes(await importRows([named]))).toEqual(['kept'])
  const other = {
    ...renamed,
    terms: { ...row.terms, rent_amount: 21_000, late_fee: 5 },
    unit: { unit_name: '102' },
    paper: { signed_on: '2026-03-02' },
    tenants: [{ phone_number: freshPhone() }],
  }
  expect(listBroken(await importRows([toLeaseRow('103'), other]))).toEqual([
    400,
    'rows.1.terms.rent_amount lease_is_fixed',
    'rows.1.terms.late_fee lease_is_fixed',
    'rows.1.unit.unit_name lease_is_fixed',
    'rows.1.tenants lease_is_fixed',
    'rows.1.paper.signed_on lease_is_fixed',
  ])
  expect(await count(landlord)).toEqual([1, 1, 1])
})

test('the own name of a tenant who has accepted, as an export has it, changes nothing', async () => {
  const { landlord, importRows } = await createImporter()
  const row = toLeaseRow('101')
  const { data } = await importRows([row])
  const { phone_number } = row.tenants[0]!
  const importName = (names: object) => importRows([{ ...row, tenants: [{ phone_number, ...names }] }])
  const own = { first_name: 'Meena', last_name: 'Iyer' }
  const tenant = await signInUser(server, phone_number)
  await tenant.put('/profile/complete', { ...own, email: 'meena@example.com' })
  const contacts = server.db.selectFrom('tenant_contacts').where('landlord_id', '=', landlord.id)
  const given = await contacts.select(['first_name', 'last_name']).execute()
  await tenant.post(`/agreements/${data.rows[0].agreement_id}/acceptance`)
  for (const names of [own, row.tenants[0]!, {}])
    expect(listOutcomes(await importName(names))).toEqual(['kept'])
  expect(await contacts.select(['first_name', 'last_name']).execute()).toEqual(given)
  expect(listOutcomes(await importName({ first_name: 'Anita' }))).toEqual(['changed'])
})

test('a draft becomes what its row says, and ACTIVE with its paper', async () => {
  const { landlord, importRows } = await createImporter()
  const row = toLeaseRow('101', { paper: undefined })
  await importRows([row])
  const moved = {
    ...row,
    terms: { ...row.terms, rent_amount: 22_000 },
    unit: { unit_name: '201' },
    tenants: [...row.tenants, { phone_number: freshPhone() }],
  }
  const changed = await importRows([moved])
  expect(listOutcomes(changed)).toEqual(['changed'])
  const path = `/agreements/${changed.data.rows[0].agreement_id}`
  const { data: draft } = await landlord.get(path)
  expect([draft.rent_amount, draft.tenant_ids.length, draft.status]).toEqual([22_000, 2, 'DRAFT'])
  expect(draft.property_unit_id).toBe(changed.data.rows[0].property_unit_id)
  expect((await landlord.get(`${path}/timeline`)).data.intact).toBe(true)
  const paper = { signed_on: '2026-03-01' }
  expect(listOutcomes(await importRows([{ ...moved, paper }]))).toEqual(['changed'])
  expect((await landlord.get(path)).data.status).toBe('ACTIVE')
})

test('properties and units that are there are found in any case and stay as they are', async () => {
  const { landlord, importRows } = await createImporter()
  const { property, unit } = await createUnit(landlord, { unit_name: 'B-7', unit_notes: 'Kept' })
  const { alias_name, pin_code } = property
  const given = { alias_name: alias_name.toUpperCase(), pin_code, property_type: 'pg' }
  const row = toLeaseRow('1', { property: given, unit: { unit_name: 'b-7', unit_notes: 'Other' } })
  const { data } = await importRows([row])
  expect([data.rows[0].property_id, data.rows[0].property_unit_id]).toEqual([property.id, unit.id])
  const after = (await landlord.get(`/properties/${property.id}`)).data
  expect([after.property_type, after.alias_name]).toEqual([property.property_type, alias_name])
  expect(after.property_units.find(({ id }: any) => id === unit.id).unit_notes).toBe('Kept')
  await landlord.post(`/properties/${property.id}/units`, { unit_name: 'B 7' })
  await landlord.post(`/properties/${property.id}/units`, { unit_name: 'b  7' })
  const unclear = toLeaseRow('2', { property: given, unit: { unit_name: 'b 7' } })
  expect(listBroken(await importRows([unclear]))).toEqual([400, 'rows.0.unit.unit_name name_of_several'])
})

test('a dry run says the same and writes nothing, whether a number is known or not', async () => {
  const { landlord, importRows } = await createImporter()
  const known = await signInUser(server)
  const rows = [toLeaseRow('1'), toLeaseRow('2', { tenants: [{ phone_number: known.phone }] })]
  const { data, status } = await importRows(rows, { dry_run: true })
  expect([status, data.created, data.dry_run]).toEqual([200, 2, true])
  const hidden = { property_id: null, property_unit_id: null, agreement_id: null, agreement_number: null }
  expect(data.rows.map(({ row: _, external_ref: _ref, ...rest }: any) => rest)).toEqual([
    { outcome: 'created', ...hidden },
    { outcome: 'created', ...hidden },
  ])
  expect(await count(landlord)).toEqual([0, 0, 0])
})

test('403: a manager imports nothing', async () => {
  const [landlord, manager] = [await createLandlord(server), await createManager(server)]
  await createUnit(landlord, { managed_by_id: manager.id })
  const leases = await manager.post('/imports/leases', { rows: [toLeaseRow('1')] })
  expect([leases.status, leases.error.reason]).toEqual([403, 'not_landlord'])
})

test('two imports of the same rows at the same time make each lease once', async () => {
  const { landlord, importRows } = await createImporter()
  const rows = ['1', '2', '3'].map(ref => toLeaseRow(ref))
  const both = await Promise.all([importRows(rows), importRows(rows)])
  expect(both.map(({ data }) => [data.created, data.kept]).toSorted()).toEqual([
    [0, 3],
    [3, 0],
  ])
  expect(await count(landlord)).toEqual([1, 3, 3])
})

test('413: a body has 4 MiB at most', async () => {
  const { importRows } = await createImporter()
  const long = (bytes: number) => ({ ...toLeaseRow('1'), unknown: 'x'.repeat(bytes) })
  expect((await importRows([long(3_000_000)])).status).toBe(200)
  expect((await importRows([long(5_000_000)])).status).toBe(413)
})

test('429: a landlord names so many people a day; a dry run and what is kept count none', async () => {
  await using server = await startBooksServer('2026-12-01')
  Object.assign(server.deps.config, { PEOPLE_LIMIT_PER_LANDLORD: 2, rateLimitMultiplier: 1 })
  const landlord = await createLandlord(server)
  const send = async (rows: object[], more = {}) =>
    (await landlord.post('/imports/leases', { rows, ...more })).status
  const both = [toLeaseRow('1'), toLeaseRow('2')]
  expect(await send([...both, toLeaseRow('3')])).toBe(429)
  expect([await send(both, { dry_run: true }), await send(both), await send(both)]).toEqual([200, 200, 200])
  expect(await send([toLeaseRow('3')])).toBe(429)
})

test('a lease of a deleted unit is kept, and a deleted property is made anew', async () => {
  const { landlord, importRows } = await createImporter()
  const row = toLeaseRow('101')
  const [lease] = (await importRows([row])).data.rows
  await landlord.post(`/agreements/${lease.agreement_id}/terminate`)
  expect((await landlord.delete(`/properties/${lease.property_id}`)).status).toBe(200)
  const again = await importRows([row, toLeaseRow('102')])
  expect(listOutcomes(again)).toEqual(['kept', 'created'])
  expect(again.data.rows[1].property_id).not.toBe(lease.property_id)
})
