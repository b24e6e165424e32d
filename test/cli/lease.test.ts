import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { testServer } from '../support/server'
import { createActiveLease, createLandlordShell, createLease } from './shell'

const server = testServer()

test('a property is created, changed, found and deleted', async () => {
  using shell = await createLandlordShell(server.url)

  const created = await shell.kiraya(
    `property create --pin-code 560048 --property-type apartment --alias-name "White House"
      --common-amenities lift --common-amenities pool --unit A-101`,
  )
  expect(created.data).toMatchObject({
    alias_name: 'White House',
    city: 'Bengaluru',
    common_amenities: ['lift', 'pool'],
    property_units: [{ unit_name: 'A-101' }],
  })

  const { id } = created.data
  const updated = await shell.kiraya(`property update ${id} --landmark Lake --clear common-amenities`)
  expect(updated.data).toMatchObject({ landmark: 'Lake', common_amenities: null })

  const found = await shell.kiraya('property search --name White --pin-code 560048')
  expect(found.exitCode).toBe(0)
  const units = await shell.kiraya(`unit list ${id}`)
  expect(units.data).toHaveLength(1)

  const deleted = await shell.kiraya(`property delete ${id} --yes`)
  expect(deleted.exitCode).toBe(0)
  const properties = await shell.kiraya('property list')
  expect(properties.data).toEqual([])
})

test('a unit is changed, read and deleted', async () => {
  using shell = await createLandlordShell(server.url)
  const property = await shell.kiraya('property create --pin-code 560048 --property-type apartment')
  const path = property.data.id
  const unit = await shell.kiraya(`unit create ${path} --unit-name B-2 --floor-number -1 --area-sqft 650.5`)

  await shell.kiraya(`unit update ${path} ${unit.data.id} --unit-notes "Painted in May" --clear area-sqft`)

  const changed = await shell.kiraya(`unit get ${path} ${unit.data.property_unit_id}`)
  expect(changed.data).toMatchObject({
    unit_name: 'B-2',
    floor_number: -1,
    area_sqft: null,
    unit_notes: 'Painted in May',
  })
  const deleted = await shell.kiraya(`unit delete ${path} ${unit.data.id} --yes`)
  expect(deleted.exitCode).toBe(0)
})

test('a manager gives a unit back', async () => {
  using shell = await createLandlordShell(server.url)
  using ofManager = await createLandlordShell(server.url)
  const { data: me } = await ofManager.kiraya('status')
  const property = await shell.kiraya('property create --pin-code 560048 --property-type apartment')
  const unit = await shell.kiraya(`unit create ${property.data.id} --unit-name B-2 --managed-by-id ${me.id}`)
  const path = `${property.data.id} ${unit.data.id}`

  const resigned = await ofManager.kiraya(`unit resign ${path} --yes`)

  expect([resigned.exitCode, resigned.data]).toEqual([0, { message: 'You no longer manage the unit' }])
  expect((await shell.kiraya(`unit get ${path}`)).data.managed_by_id).toBe(unit.data.landlord_id)
})

test('an agreement becomes active when every party has signed', async () => {
  using shell = await createLandlordShell(server.url)
  const { draft } = await createActiveLease(shell, server.url)
  expect(draft).toMatchObject({ status: 'DRAFT', rent_amount: 25000, deposit_amount: 100000 })

  const signatures = await shell.kiraya(`agreement signatures ${draft.agreement_id}`)
  expect(signatures.data.allSigned).toBe(true)
  const timeline = await shell.kiraya(`agreement timeline ${draft.id}`)
  expect(timeline.data.intact).toBe(true)
  expect(timeline.data.events.map(({ type }: { type: string }) => type)).toEqual(
    expect.arrayContaining(['created', 'sent', 'signed', 'activated']),
  )
  const active = await shell.kiraya('agreement list --status ACTIVE --json')
  expect(active.data).toMatchObject([{ id: draft.id }])
  const dashboard = await shell.kiraya('dashboard')
  expect(dashboard.data.stats.total_tenants).toBe(1)
  const tenants = await shell.kiraya('tenant list')
  expect(tenants.data).toMatchObject([{ first_name: 'Tara' }])
})

test('an active agreement refuses changes, ends, and frees its property', async () => {
  using shell = await createLandlordShell(server.url)
  const { property, unit, draft } = await createActiveLease(shell, server.url)

  const change = await shell.kiraya(`agreement update ${draft.id} --rent 1`)
  expect(change.exitCode).toBe(7)
  const unitDeletion = await shell.kiraya(`unit delete ${property.id} ${unit.id} --yes`)
  expect(unitDeletion.exitCode).toBe(6)

  const terminated = await shell.kiraya(`agreement terminate ${draft.id} --reason Moved --yes`)
  expect(terminated.data).toMatchObject({ status: 'TERMINATED', termination_reason: 'Moved' })
  const completed = await shell.kiraya(`agreement complete ${draft.id} --yes`)
  expect(completed.data.status).toBe('COMPLETED')
  const propertyDeletion = await shell.kiraya(`property delete ${property.id} --yes`)
  expect(propertyDeletion.exitCode).toBe(0)
})

test('a tenant declines a draft', async () => {
  using landlord = await createLandlordShell(server.url)
  using tenant = await createLandlordShell(server.url)
  const { draft } = await createLease(landlord, server.url, tenant.phone)

  const declined = await tenant.kiraya(`agreement decline ${draft.id} --reason "Too far away"`)
  expect(declined.data).toMatchObject({ status: 'declined', decline_reason: 'Too far away' })

  const started = await landlord.kiraya(`agreement sign ${draft.id}`)
  expect(started.exitCode).toBe(6)
  expect(started.err).toContain('they declined this draft')
})

test('the signed document and the certificate are saved as PDFs', async () => {
  using shell = await createLandlordShell(server.url)
  const { draft } = await createActiveLease(shell, server.url)
  const signatures = await shell.kiraya(`agreement signatures ${draft.id}`)
  const [first] = signatures.data.signatures

  const commandLines = [
    [`agreement document ${draft.id} --out last.pdf`, 'last.pdf'],
    [`agreement document ${draft.id} --signature ${first.signature_id} --out first.pdf`, 'first.pdf'],
    [`agreement certificate ${draft.id}`, `agreement-${draft.id}-certificate.pdf`],
  ] as const
  for (const [commandLine, file] of commandLines) {
    const { data } = await shell.kiraya(commandLine)
    const bytes = await Bun.file(join(shell.home, file)).text()
    expect(data).toEqual({ file, bytes: expect.any(Number) })
    expect(bytes).toStartWith('%PDF-')
  }
})
