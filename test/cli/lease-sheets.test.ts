import { expect, test } from 'bun:test'
import { leaseSheet, toLeases } from '../../cli/sheets/lease-sheet'
import { read } from './sheet-fixture'

const HEADING = 'Building|Pin|property_type|Flat|Tenant|Mobile|Rent|'
const LEASE = 'Oak|560076|Flat|101|Anil Nair|9845011104|25000|'
const defaults = { rent_due_day: '5', notice_period_days: '30' }

/** Reads leases that differ in the columns after those above. */
async function readLeases(headings: string, cells: string[], given = {}, isSignedAtStart = false) {
  const lines = [HEADING + headings, ...cells.map(each => LEASE + each)]
  const options = { defaults: { ...defaults, ...given } }
  const sheet = await read(`sep=|\n${lines.join('\n')}`, leaseSheet, options)
  const { leases, errors } = toLeases(sheet.rows, sheet.locate, isSignedAtStart)
  const told = [...sheet.errors, ...errors].map(({ cell, message }) => `${cell}: ${message}`)
  return { lease: leases[0]!, leases, errors: told }
}

const dates = '2026-04-01|11'
const settled = { settled_until: '2026-10-31' }

test.each<[what: string, headings: string, cells: string, lease: object]>([
  ['the parts of a name', 'From|Period', dates, { tenants: [{ first_name: 'Anil', last_name: 'Nair' }] }],
  ['a name by its place and start', 'From|Period', dates, { external_ref: 'oak/101/2026-04-01' }],
  ['an advance as deposit', 'From|Period|Advance', `${dates}|1.5 L`, { terms: { deposit_amount: 150000 } }],
  ['a due day, if all are days', 'From|Period|Due', `${dates}|7`, { terms: { rent_due_day: 7 } }],
  ['what is owed, if one is no day', 'From|Period|Due', `${dates}|450`, { opening: { owed: 450 } }],
  ['a period of two days', 'Period', '1-4-26 to 31-3-27', { terms: { tenure_in_months: 12 } }],
  ['a last day', 'From|To', '2026-04-01|2027-02-28', { terms: { tenure_in_months: 11 } }],
  ['maintenance', 'From|Period|Maint.', `${dates}|500`, { terms: { recurring_charges: [{ amount: 500 }] } }],
  [
    'a second number',
    'From|Period|Mobile 2',
    `${dates}|98450 11114`,
    { internal_notes: 'Other phone: 9845011114' },
  ],
  [
    'a second tenant',
    'From|Period|Tenant 2|Mobile 2',
    `${dates}|Priya|98450 11114`,
    { tenants: [{}, { first_name: 'Priya' }] },
  ],
  ['a day until which all is settled', 'From|Period', dates, { opening: settled }],
  [
    'a day of signature',
    'From|Period|Agreement Date',
    `${dates}|30-Mar-26`,
    { paper: { signed_on: '2026-03-30' } },
  ],
])('a lease has %s', async (_, headings, cells, expected) => {
  const { lease, errors } = await readLeases(headings, [cells], settled)
  expect(errors).toEqual([])
  expect<object>(lease).toMatchObject(expected)
})

test.each([
  [
    'begins otherwise than its period',
    'From|Period',
    ['2026-04-02|1-4-26 to 31-3-27'],
    'I2: begins on another day than 2026-04-02',
  ],
  ['ends within a month', 'From|To', ['2026-04-01|2027-02-20'], 'I2: must be whole months after 2026-04-01'],
  ['is there twice', 'From|Period', [dates, dates], 'D3: has the lease of row 2 already'],
  ['has a tenant without a number', 'From|Period|Tenant 2|Mobile 2', [`${dates}|Priya|`], 'K2: is missing'],
  ['owes, until when is not said', 'From|Period|Balance|Paid till', [`${dates}|450|`], 'K2: is missing'],
])('a lease is wrong that %s', async (_, headings, cells, error) => {
  expect((await readLeases(headings, cells)).errors).toEqual([error])
})

test('a lease has nothing to settle before its eve, and may be signed on its first day', async () => {
  const { leases } = await readLeases('From|Period', ['2026-11-01|11', '2026-11-02|11'], settled, true)
  expect(leases.map(({ paper }) => paper!.signed_on)).toEqual(['2026-11-01', '2026-11-02'])
  expect(leases.map(({ opening }) => opening)).toEqual([settled, undefined])
})

test('a first day that may be two is named once, and missing in no row', async () => {
  const { leases, errors } = await readLeases('From|Period', ['03/04/26|11', '05/04/26|11'])
  const message = 'is 3 Apr 2026 or 4 Mar 2026: say which with --dates day-first or month-first'
  expect([leases, errors]).toEqual([[], [`H2: ${message}`]])
})

test('a row with a name alone is the property of the rows below', async () => {
  const sheet = [
    'Pin,property_type,Flat,Tenant,Mobile,Rent,From,Period',
    'OAK HOUSE',
    '560076,pg,1,Anil,9845011104,1,2026-04-01,11',
  ]
  const { rows, errors, locate } = await read(sheet.join('\n'), leaseSheet, { defaults })
  expect(errors).toEqual([])
  expect(toLeases(rows, locate, false).leases[0]!.property.alias_name).toBe('OAK HOUSE')
})

test('two headings of the deposit are refused', async () => {
  const reading = readLeases('From|Period|Deposit|Advance', [`${dates}|1|2`])
  await expect(reading).rejects.toThrow('"Deposit" (J) and "Advance" (K) are both deposit_amount')
})
