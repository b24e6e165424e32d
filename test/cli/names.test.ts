import { expect, test } from 'bun:test'
import { testServer } from '../support/server'
import { freshPhone } from '../support/users'
import { createStubServer } from '../sdk/stub-server'
import { createLandlordShell, createLease, createShell } from './shell'

const server = testServer()
const terms = `--document-url https://example.com/lease.pdf --start 2026-12-01 --months 11 --rent 25000
  --due-day 5 --notice-days 30`

/** A landlord with two properties, of two units each. */
async function createHouses() {
  const shell = await createLandlordShell(server.url)
  for (const name of ['White House', 'Lake View'])
    await shell.kiraya(
      `property create --pin-code 560048 --property-type Apartment --alias-name "${name}" --unit A-101 --unit B/2`,
    )
  return shell
}

test('a lease is made, found and signed with names alone', async () => {
  using shell = await createHouses()
  const phone = freshPhone()
  const spoken = `+91 ${phone.slice(0, 5)} ${phone.slice(5)}`
  await shell.kiraya(`tenant create --phone "${spoken}" --first-name Tara --last-name Iyer --role Tenant`)
  const { data: listed } = await shell.kiraya('tenant list')
  expect(listed).toMatchObject([{ phone, first_name: 'Tara' }])

  const draft = await shell.kiraya(
    `agreement create --unit "white house/b/2" --tenant "${spoken}" --agreement-number "WH/7" ${terms}`,
  )
  expect(draft.data).toMatchObject({ tenant_ids: [listed[0].id], agreement_number: 'WH/7' })
  const unit = await shell.kiraya('unit get "White House/B/2"')
  expect(unit.data).toMatchObject({ id: draft.data.property_unit_id, unit_name: 'B/2' })

  const found = await shell.kiraya('agreement list --unit "White House/B/2" --status draft')
  expect(found.data).toMatchObject([{ id: draft.data.id }])
  const signing = await shell.kiraya('agreement sign wh/7 --signer "Tara Iyer"')
  expect(signing.data.signing_url).toStartWith('http')
  const own = await shell.kiraya(`agreement sign WH/7 --signer ${shell.phone}`)
  expect(own.data.signing_url).toStartWith('http')
})

test('units are named with their property, as one argument or as two', async () => {
  using shell = await createHouses()

  const one = await shell.kiraya('unit get "lake view/A-101"')
  const two = await shell.kiraya('unit get "Lake View" a-101')
  const managed = await shell.kiraya(`unit update "Lake View" A-101 --managed-by-id ${shell.phone}`)
  const list = await shell.kiraya('unit list "Lake View"')

  expect([one.exitCode, two.data]).toEqual([0, one.data])
  expect(managed.exitCode).not.toBe(2)
  expect(list.data.map(({ unit_name }: { unit_name: string }) => unit_name)).toEqual(['A-101', 'B/2'])
})

test('5: a name that nothing has is answered with those that there are', async () => {
  using shell = await createHouses()
  await createLease(shell, server.url)
  const cases = [
    ['property get "White Hous"', 'There is no property "White Hous". Did you mean White House, Bengaluru'],
    ['property get Castle', 'White House, Bengaluru 560048 (id'],
    ['unit get "White House/C-3"', 'There is no unit "C-3". Did you mean A-101 (id'],
    ['agreement get AGR-1999-000001', 'There is no agreement "AGR-1999-000001". Did you mean AGR-'],
    ['agreement sign 1 --signer Ravi', 'There is no person "Ravi". Did you mean Tara +91'],
  ] as const
  for (const [commandLine, sentence] of cases) {
    const { exitCode, err } = await shell.kiraya(commandLine)
    expect([commandLine, exitCode, err]).toEqual([commandLine, 5, expect.stringContaining(sentence)])
  }
})

test('2: a name that several have is answered with their ids', async () => {
  using shell = await createHouses()
  const again = await shell.kiraya(
    'property create --pin-code 600001 --property-type pg --alias-name "white house"',
  )

  const { exitCode, err } = await shell.kiraya('property get "White House"')

  expect(exitCode).toBe(2)
  expect(err).toContain('Several match the property "White House":')
  expect(err).toMatch(/White House, Bengaluru 560048 \(id \d+\)/)
  expect(err).toContain(`white house, Chennai 600001 (id ${again.data.id})`)
})

test('a name is found on a later page of those that contain it', async () => {
  const toUnit = (unit_name: string, id: number) => ({ id, unit_name })
  const names = Array.from({ length: 150 }, (_, index) => `A-1${index}`)
  const units = [...names, 'A-1'].map(toUnit)
  using stub = createStubServer(request => {
    const page = Number(new URL(request.url).searchParams.get('page') ?? 1)
    const data = units.slice((page - 1) * 100, page * 100)
    const metadata = { page, limit: 100, total: units.length, total_pages: 2 }
    return Response.json({ success: true, data, metadata })
  })
  using shell = createShell(stub.url)

  await shell.kiraya('unit get 1 A-1')

  expect(stub.requests.at(-1)!.path).toBe('/properties/1/units/150')
})

test('2: a unit without its property', async () => {
  using shell = await createHouses()
  const { exitCode, err } = await shell.kiraya('unit get A-101')
  expect([exitCode, err]).toEqual([2, expect.stringContaining('as "White House/A-101"')])
})
