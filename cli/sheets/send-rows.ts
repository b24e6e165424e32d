import type { ImportedLease } from '@kiraya/sdk'
import type { Context } from '../runtime/context'
import type { Locate, Sheet, SheetError } from './read-sheet'
import { toSheetErrors } from './refusals'

/** The API takes so many rows at once, all of them or none. */
const MAX_ROWS = 500

export type ImportedRow = Pick<ImportedLease, 'row' | 'outcome' | 'warnings'>
type Import<Input> = (input: { rows: Input[]; dry_run: boolean }) => PromiseLike<{ rows: ImportedRow[] }>

/** The columns that hold a field of the API under another name. */
const columnNames: Record<string, string[]> = {
  alias_name: ['property'],
  phone_number: ['phone'],
  first_name: ['first_name', 'tenant'],
  last_name: ['last_name', 'tenant'],
  advance: ['advance_paid'],
  recurring_charges: ['recurring_charges', 'maintenance'],
  agreement_start_date: ['agreement_start_date', 'period'],
  tenure_in_months: ['tenure_in_months', 'period', 'end_date'],
  lease: ['lease', 'unit_name'],
  opening: ['settled_until', 'agreement_start_date', 'period'],
  paper: ['signed_on', 'agreement_start_date'],
  tenants: ['phone'],
  // Of an unknown PIN code the server asks for all three.
  city: ['city', 'pin_code'],
  district: ['district', 'pin_code'],
  state: ['state', 'pin_code'],
}

/** Imports rows, of many a part after the other: before the first is sent, all are tried. */
export async function sendRows<Input>(
  context: Context,
  { inputs, rows: read, locate }: Sheet & { inputs: Input[] },
  send: Import<Input>,
): Promise<{ rows: ImportedRow[]; errors: SheetError[] }> {
  const starts = Array.from({ length: Math.ceil(inputs.length / MAX_ROWS) }, (_, index) => index * MAX_ROWS)
  const lines = read.map(({ line }) => line)
  const rows: ImportedRow[] = []
  const errors: SheetError[] = []
  const sendAll = async (dry_run: boolean) => {
    rows.length = 0
    for (const start of starts) {
      try {
        const answer = await send({ rows: inputs.slice(start, start + MAX_ROWS), dry_run })
        rows.push(...answer.rows.map((row, index) => ({ ...row, row: lines[start + index]! })))
      } catch (error) {
        const found = toRowErrors(error, lines.slice(start), locate)
        errors.push(...new Map(found.map(each => [JSON.stringify(each), each])).values())
      }
    }
  }
  if (context.isDryRun || starts.length > 1) await sendAll(true)
  if (!context.isDryRun && errors.length === 0) await sendAll(false)
  return { rows, errors }
}

/** A row is refused by its place, as `rows.3.terms.rent_amount`. */
const toRowErrors = (error: unknown, lines: number[], locate: Locate) =>
  toSheetErrors(error, { line: lines[0]!, column: 'row' }, property => {
    const [, place, path = ''] = /^rows\W+(\d+)\W*(.*)$/.exec(property) ?? []
    const line = lines[Number(place)] ?? lines[0]!
    const names = path
      .split(/\W+/)
      .filter(name => name !== '')
      .toReversed()
    const number = Number(/^tenants\W+(\d+)/.exec(path)?.[1] ?? 0) + 1
    const columns = names
      .flatMap(name => [...(columnNames[name] ?? []), name])
      .map(name => (number > 1 ? `${name}_${number}` : name))
    return (
      columns.map(name => locate(line, name)).find(({ cell }) => cell) ?? locate(line, columns[0] ?? 'row')
    )
  })
