import { describe, expect, test } from 'bun:test'
import { formatCell } from '../../cli/sheets/cells'
import { createColumn, toColumns, type Column } from '../../cli/sheets/columns'
import type { Cell } from '../../cli/sheets/grid'
import { landlordSheet } from '../../cli/sheets/landlord-sheet'
import { propertySheet } from '../../cli/sheets/property-sheet'
import { parseCell } from '../../cli/sheets/values'
import { NewAgreement } from '../../sdk/contract/agreements'
import { NewPayment } from '../../sdk/contract/payments'

const all = [
  ...propertySheet.columns,
  ...landlordSheet.columns,
  ...toColumns(NewAgreement, { recurring_charges: { kind: 'items' } }),
  ...toColumns(NewPayment),
  createColumn('phones', 'phones'),
  createColumn('period', 'period'),
]
const columns = new Map<string, Column>(all.map(column => [column.name, column]))
function parses(name: string, cell: NonNullable<Cell>) {
  const { value, mistake, readings } = parseCell(columns.get(name)!, cell)
  return readings ?? (mistake ? 'refused' : value)
}

describe('a number or text', () => {
  test.each([
    ['pin_code', '100000', '99999', '999999', '1000000'],
    ['area_sqft', '0.01', '0', '9999999', '9999999.5'],
    ['floor_number', '-20', '-21', '300', '301'],
    ['rent_amount', '0.01', '0', '9999999999.99', '99999999999'],
    ['rent_due_day', '1', '0', '31', '32'],
    ['alias_name', 'x', undefined, 'x'.repeat(255), 'x'.repeat(256)],
    ['furniture_included', 'x', undefined, '🛋'.repeat(2000), 'x'.repeat(2001)],
  ])('%s takes %s and no less, and at most so much', (column, least, below, most, above) => {
    expect(parses(column, least)).not.toBe('refused')
    expect(parses(column, most)).not.toBe('refused')
    for (const wrong of [below, above].filter(cell => cell !== undefined))
      expect(parses(column, wrong)).toBe('refused')
  })
})

test.each([
  'rent_amount | 25,000/- | 25000 | ₹25,000.00 | Rs. 25000 | 25k | 0.25 lakh | २५,००० | 25,000 p.m. | 25000 only → 25000',
  'deposit_amount | 1.5 L | 1,50,000 | 150,000 → 150000',
  'deposit_amount | 1 cr → 10000000',
  'deposit_amount | 1.1 lakh → 110000',
  'rent_amount | 25,0 | 25,00 | 1,000,00 | 25.000.0 | twenty | 25000 sft | 2,5,000 | -5 → refused',
  'pin_code | 560 076 | 560076 | 560-076 | ५६००७६ → 560076',
  'pin_code | 56 0076 | 5600761 | 056007 → refused',
  'room_type | 2 BHK | 2BHK | 2-bhk | 2 Bedroom → "2bhk"',
  'room_type | 6bhk | big → refused',
  'furnishing_type | Semi | SF | semi-furnished | Semi Furnished | s → "semi_furnished"',
  'furnishing_type | UF | Unfurnished | none | Bare → "unfurnished"',
  'floor_number | SF | Second | 2nd floor | 2 | दूसरी मंजिल → 2',
  'floor_number | G | Ground | ground floor | भूतल | 0 → 0',
  'floor_number | 1.5 | roof | II → refused',
  'area_sqft | 1050 sft | 1,050 | 1050 sq. ft. | 1050 Sq Ft | 1050 square feet → 1050',
  'area_sqft | 98 sqm | 1050 ft → refused',
  'is_available | Y | yes | TRUE | हाँ → true',
  'is_available | N | no | false → false',
  'is_available | maybe → refused',
  'notice_period_days | 30 | 30 days | 1 month → 30',
  'tenure_in_months | 11 | 11 months → 11',
  'tenure_in_months | 1 year | 12 mths → 12',
  'rent_due_day | 5 | 5th | by 5th | 5th of every month → 5',
  'property_type | Shop | commercial → "commercial"',
  'method | GPay | PhonePe | UPI → "upi"',
  'agreement_start_date | 15/04/2026 | 15-4-26 | 15.04.2026 | 15-Apr-26 | 15 April 2026 | April 15, 2026 → "2026-04-15"',
  'agreement_start_date | 2026-04-15 | 15 अप्रैल 2026 | १५/०४/२०२६ | 46127 | 04/15/2026 → "2026-04-15"',
  'agreement_start_date | 03/03/2026 → "2026-03-03"',
  'agreement_start_date | 03/04/26 → ["2026-04-03","2026-03-04"]',
  'agreement_start_date | 31/02/2026 | Apr-26 | soon | 13/13/2026 | 5 → refused',
  'period | 11 months | 11 → {"months":11}',
  'period | 15/04/2026 to 14/03/2027 | 15-4-26 - 14-3-27 | 15/04/2026-15/03/2027 → {"from":"2026-04-15","months":11}',
  'period | 15/04/2026 to 20/03/2027 | 0 | long → refused',
  'phones | 98450 11104 / 98450 11114 → ["9845011104","98450 11114"]',
  'phones | 080 2345 6789, +91 98450 11104 → ["9845011104","080 2345 6789"]',
  'phones | 98450 | 080-2345 6789 → refused',
  `phone | '+919876543210 | \u202a+91 (0) 98765‑43210\u202c → "9876543210"`,
  'phone | 5876543210 | 080-2345 6789 → refused',
  'recurring_charges | maintenance:2500:Lift → [{"type":"maintenance","amount":2500,"description":"Lift"}]',
  'unit_amenities |  Lift ;; Gym → ["Lift","Gym"]',
  'unit_amenities | ["a;b"] → ["a;b"]',
  `unit_amenities | '=a; b → ["=a","b"]`,
  'unit_amenities | [1] | ["a" → refused',
  `alias_name | 'quoted → "'quoted"`,
  'email | asha@example.com → "asha@example.com"',
  'email | asha@उदाहरण.भारत → "asha@उदाहरण.भारत"',
  `email | '=a@b.co → "=a@b.co"`,
  `email | asha@example | asha rao@example.com | '@a@example.com → refused`,
])('a cell of %s', line => {
  const [cells, expected] = line.split(' → ') as [string, string]
  const [column, ...texts] = cells.split(' | ')
  for (const text of texts)
    expect<unknown>(parses(column!, text)).toEqual(expected === 'refused' ? expected : JSON.parse(expected))
})

describe('a cell', () => {
  test.each<[column: string, cell: NonNullable<Cell>, value: unknown]>([
    ['rent_amount', 25000, 25000],
    ['pin_code', 560076, 560076],
    ['is_available', true, true],
    ['agreement_start_date', 46127, '2026-04-15'],
    ['agreement_start_date', new Date('2026-04-15'), '2026-04-15'],
    ['phones', 9845011104, ['9845011104']],
    ['unit_name', 101, '101'],
    ['unit_name', new Date('2026-02-01'), 'refused'],
  ])('of %s in a workbook may be %p', (column, cell, value) => {
    expect<unknown>(parses(column, cell)).toEqual(value)
  })
})

describe('a written cell', () => {
  test.each(['=1', '+1', '-1', '@x', '＝1', '＋1', '－1', '＠x', `'＝1`, '\tx', '\rx', `'=1`, `''-1`])(
    'that a spreadsheet would run is escaped, and read again as it was: %p',
    text => {
      expect(formatCell(text)).toBe(`'${text}`)
      expect(parses('alias_name', formatCell(text))).toBe(text)
    },
  )

  test.each(['White House', `'quoted`, 'a=b', '1-2', ''])('%p is written as it is', text => {
    expect(formatCell(text)).toBe(text)
  })

  test.each([
    [['Lift', 'Gym'], 'Lift; Gym'],
    [['a;b'], '["a;b"]'],
    [[' a'], '[" a"]'],
    [['[x'], '["[x"]'],
    [['a', ''], '["a",""]'],
    [[], '[]'],
    [['-a', 'b'], "'-a; b"],
  ] as const)('of the list %j is %p, and read again as it was', (items, cell) => {
    expect(formatCell(items)).toBe(cell)
    expect(parses('common_amenities', cell)).toEqual([...items])
  })
})
