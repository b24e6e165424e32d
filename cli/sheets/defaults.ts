import type { Context } from '../runtime/context'
import { UsageError } from '../runtime/errors'
import type { Column } from './columns'
import type { Place, SheetRecord } from './places'
import { isBlank, parseCell } from './values'

/** The values for rows that have none, by the names of columns. */
export type Defaults = Map<string, unknown>

type Wanted = {
  columns: readonly Column[]
  places: Place[]
  records: SheetRecord[]
  /** Headings that nothing tells. */
  unknown: string[]
  given?: Record<string, string | undefined>
}

/** Reads the defaults that some row needs; asks for one where the sheet has no such column, or refuses the sheet. */
export async function readDefaults(context: Context, wanted: Wanted): Promise<Defaults> {
  const { columns, places, records, unknown, given = {} } = wanted
  const placed = new Map(places.map(place => [place.column.name, place]))
  const isNeeded = ({ name, kind, isSection }: Column) => {
    const place = placed.get(name)
    if (place) return records.some(({ cells }) => isBlank(cells[place.index], kind))
    return !isSection || records.some(({ section }) => section === undefined)
  }
  const defaults: Defaults = new Map()
  const missing: Column[] = []
  for (const column of columns.filter(isNeeded)) {
    const text = given[column.name] ?? column.flag?.value
    if (text !== undefined) defaults.set(column.name, readDefault(column, text))
    else if (isWanted(column, name => placed.has(name))) missing.push(column)
  }
  if (unknown.length > 0) refuse(unknown, missing)
  for (const column of missing) {
    if (!column.flag || !context.terminal.isInteractive) refuse([], missing)
    defaults.set(column.name, readDefault(column, await askForDefault(context, column)))
  }
  return defaults
}

/** Whether a column is required, beside those that there are, and there is neither it nor what tells it too. */
export function isWanted(
  { name, isRequired, alternatives = [], neededBy = [] }: Column,
  isThere: (name: string) => boolean,
) {
  return (isRequired || neededBy.some(isThere)) && ![name, ...alternatives].some(isThere)
}

function readDefault(column: Column, text: string) {
  const { value, mistake, readings } = parseCell(column, text)
  if (mistake || readings)
    throw new UsageError(
      `--${column.flag?.name} ${mistake ?? `may be ${readings!.join(' or ')}`}; it is ${text}`,
    )
  return value
}

const askForDefault = ({ terminal }: Context, column: Column) =>
  terminal.ask({
    message: `The sheet has no column for this: ${column.flag!.help}`,
    choices: column.choices,
    findMistake: reply => (reply === '' ? 'Required' : parseCell(column, reply).mistake),
  })

function refuse(unknown: string[], missing: Column[]): never {
  const toFlag = ({ name, flag }: Column) => (flag ? `${name} (or --${flag.name})` : name)
  const sentences = [
    unknown.length > 0 &&
      `The columns ${unknown.map(name => `"${name}"`).join(', ')} are not known: ` +
        `say what each is with --map "${unknown[0]}=name", or leave it out with --map "${unknown[0]}=-".`,
    missing.length > 0 &&
      `The sheet has no column for ${missing.map(toFlag).join(', ')}: name it with --map "Heading=${missing[0]!.name}".`,
  ]
  throw new UsageError(sentences.filter(Boolean).join(' '))
}
