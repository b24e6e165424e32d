import { toNameKey } from '@kiraya/sdk/contract/names'
import { toDigits } from '@kiraya/sdk/phone'
import type { Column } from './columns'
import { isBlank } from './values'
import type { Cell } from './grid'
import { findWord } from './words'

/** How people head a column, by the name of its field, which is a heading too. The README has the same table. */
export const headings: Record<string, string> = {
  property:
    'building, building name, property name, society, apartment, house, pg, hostel, alias name, इमारत, भवन',
  pin_code: 'pin, pincode, postal code, पिन, पिन कोड',
  property_type: 'building type, type of property',
  unit_name:
    'unit, unit no, flat, flat no, room, room no, bed, bed no, shop, shop no, office no, house no, door no, फ्लैट, फ्लैट नं, कमरा, कमरा नं, बेड, दुकान',
  room_type: 'flat type, unit type, bhk, configuration, config',
  furnishing_type: 'furnishing, furnished, furniture',
  area_sqft: 'area, sft, sq ft, sqft, carpet area, built up area, super built up area, क्षेत्रफल',
  floor_number: 'floor, floor no, मंजिल, तल',
  tenant: 'tenant name, name of tenant, name, occupant, guest, lessee, किरायेदार, किरायेदार का नाम, नाम',
  phone:
    'mobile, mobile no, mobile number, phone no, contact, contact no, cell, whatsapp, मोबाइल, मोबाइल नं, फोन',
  manager_phone: 'manager, manager mobile, caretaker mobile',
  rent_amount: 'rent, monthly rent, rent per month, rent pm, किराया, मासिक किराया',
  deposit_amount: 'deposit, security deposit, security, advance, advance deposit, जमा, जमानत, अग्रिम',
  agreement_start_date:
    'from, start, start date, from date, lease start, since, wef, joining date, date of joining, doj, move in, से, शुरू, प्रारंभ',
  end_date: 'to, till, upto, to date, end, end date, lease end, expiry, expiry date, तक, समाप्ति',
  period: 'lease period, agreement period, term, tenure, duration, months, अवधि',
  rent_due_day: 'due day, due date, rent due day, payment day, देय तिथि',
  owed: 'dues, balance, balance due, arrears, outstanding, pending, amount due, बकाया, बाकी',
  advance_paid: 'advance rent, rent advance, rent paid in advance, अग्रिम किराया',
  deposit_held: 'deposit received, deposit paid, advance received',
  settled_until: 'paid until, paid upto, paid till, rent paid upto, rent paid till',
  notice_period_days: 'notice, notice period, notice days',
  pets_allowed: 'pets',
  non_veg_allowed: 'non veg',
  smoking_allowed: 'smoking',
  bachelor_allowed: 'bachelor, bachelors',
  maintenance: 'maint, society maintenance, monthly maintenance, रखरखाव',
  signed_on: 'agreement date, date of agreement, signed, signing date',
  registration_number: 'registration no, reg no',
  stamp_number: 'stamp no, e stamp no, stamp paper no',
  agreement_number: 'agreement no, lease no',
  lease: 'agreement, agreement number, agreement no, lease no',
  paid_on: 'date, payment date, paid date, date of payment, received on, तारीख, दिनांक',
  amount: 'amount paid, amount received, paid, received, rent, rent paid, राशि, रकम',
  method: 'mode, payment mode, mode of payment, paid by, via, माध्यम',
  reference: 'ref, ref no, reference no, utr, utr no, transaction id, cheque no, chq no',
  tds_amount: 'tds',
  payer_phone: 'payer, mobile, mobile no, phone, phone no',
  external_ref: 'external reference, receipt no, voucher no',
}

/** Headings whose cells tell which of two fields they are. */
const undecided: Record<string, { fields: [string, string]; isFirst: (cells: string[]) => boolean }> = {
  due: { fields: ['rent_due_day', 'owed'], isFirst: areDays },
  'rent due': { fields: ['rent_due_day', 'owed'], isFirst: areDays },
  type: {
    fields: ['property_type', 'room_type'],
    isFirst: cells => cells.some(cell => findWord('property_type', cell)),
  },
}

/** Whether all numbers are days of a month; what is none is wrong anyway. */
function areDays(cells: string[]) {
  const numbers = cells.map(toDigits).filter(cell => /\d/.test(cell))
  return numbers.every(cell => /^(0?[1-9]|[12]\d|3[01])\D*$/.test(cell))
}

/** What counts the rows is no data. */
const COUNTERS = [
  'sl no',
  'sl',
  's no',
  'sno',
  'sr no',
  'sr',
  'serial no',
  'no',
  'क्र',
  'क्र सं',
  'क्रम',
  'क्रमांक',
]

/** Writes a heading without units and marks, as `Rent (Rs.)`, `rent_amount` and `Tenant's name` have them. */
export const toHeadingKey = (heading: Cell) =>
  toNameKey(
    String(heading ?? '')
      .replaceAll(/\([^)]*\)/g, ' ')
      .replaceAll(/['’]s\b/g, '')
      .replaceAll(/[\p{P}\p{S}\s]+/gu, ' ')
      .replace(/ ?\b(in )?(rs|inr)\b/i, ''),
  )

export const isCounter = (heading: Cell) => COUNTERS.includes(toHeadingKey(heading))

const listHeadings = (name: string) => [name, ...(headings[name]?.split(', ') ?? [])].map(toHeadingKey)

/** Returns the columns that a heading may be: none, one, or two of which the cells decide. */
export function findColumns(heading: Cell, columns: readonly Column[]): Column[] {
  const key = toHeadingKey(heading)
  if (key === '') return []
  const names = undecided[key]?.fields
  if (names) return columns.filter(({ name }) => names.includes(name))
  const found =
    columns.find(({ name }) => toHeadingKey(name) === key) ??
    columns.find(({ name }) => listHeadings(name).includes(key))
  return found ? [found] : []
}

/** Returns the column that a heading is, with the cells below it; a second of its kind has its number: `Tenant 2`. */
export function findColumn(heading: Cell, cells: Cell[], columns: readonly Column[]): Column | undefined {
  const key = toHeadingKey(heading)
  const { fields, isFirst } = undecided[key] ?? {}
  const found = findColumns(heading, columns)
  if (!fields || found.length < 2) return found[0] ?? findNumbered(key, columns)
  const filled = cells.filter(cell => !isBlank(cell)).map(cell => String(cell).trim())
  return found.find(({ name }) => name === fields[isFirst!(filled) ? 0 : 1])
}

function findNumbered(key: string, columns: readonly Column[]) {
  const [, base, number] = /^(.*?) ?([2-9]|\d{2,3})$/.exec(key) ?? []
  const column = columns.find(({ name, isNumbered }) => isNumbered && listHeadings(name).includes(base ?? ''))
  return column && { ...column, name: `${column.name}_${number}`, isRequired: false }
}
