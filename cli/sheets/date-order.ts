import { toIndianDay } from '../output/formats'
import type { Context } from '../runtime/context'
import { findOrder, type DateOrder } from './dates'
import type { Place, SheetRecord } from './places'
import { isBlank, parseCell } from './values'

export type { DateOrder } from './dates'
export const dateOrders = ['day-first', 'month-first'] as const satisfies DateOrder[]

type Dates = { places: Place[]; records: SheetRecord[]; given?: DateOrder }

/** Finds in which order a sheet writes day and month: a day above 12 tells it for all. If none does, it asks. */
export async function chooseOrder(
  { terminal }: Context,
  { places, records, given }: Dates,
): Promise<DateOrder | undefined> {
  const columns = places.filter(({ column: { kind } }) => kind === 'date' || kind === 'period')
  const cells = columns.flatMap(({ column, index }) =>
    records.map(record => ({ column, cell: record.cells[index] })).filter(({ cell }) => !isBlank(cell)),
  )
  const orders = cells.map(({ cell }) => findOrder(cell))
  const [dayFirst, monthFirst] = dateOrders.map(order => orders.filter(each => each === order).length)
  const told = dayFirst || monthFirst ? dateOrders[dayFirst! >= monthFirst! ? 0 : 1] : undefined
  if (given ?? told) return given ?? told
  for (const { column, cell } of cells) {
    const { readings } = parseCell(column, cell!)
    if (readings && terminal.isInteractive) {
      const choices = readings.map(toIndianDay)
      const reply = await terminal.ask({ message: `What is ${String(cell)}?`, choices })
      return dateOrders[choices.indexOf(reply)]
    }
  }
}
