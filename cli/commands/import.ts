import { Option } from 'commander'
import { appendValue } from '../input/flags'
import { readGivenFile } from '../output/files'
import type { CliCommand } from '../runtime/command'
import type { Context } from '../runtime/context'
import { createOperations } from '../runtime/operations-client'
import type { Verbs } from '../runtime/verbs'
import { dateOrders, type DateOrder } from '../sheets/date-order'
import { importProperties } from '../sheets/import-properties'
import { findRepeatedPhones, inviteLandlords, landlordSheet } from '../sheets/landlord-sheet'
import { findContradictions, findNameless, propertySheet, toProperties } from '../sheets/property-sheet'
import { readSheet, type Row, type SheetError, type SheetOptions, type SheetSpec } from '../sheets/read-sheet'
import { requireNoErrors } from '../sheets/refusals'

type Flags = { sheet?: string; map?: string[]; dates?: DateOrder; yes?: boolean; [flag: string]: unknown }

export const verbs: Verbs = {
  properties: command =>
    addSheet(command, 'Your properties and units, a row for each unit', propertySheet)
      .addExamples('kiraya import properties houses.csv --dry-run')
      .addResult(['properties', 'units', 'dry_run', 'errors'])
      .run(runPropertyImport),
  landlords: command =>
    addSheet(
      command,
      "Invite landlords by a message to each; KIRAYA_OPS_TOKEN is the server's OPS_TOKEN",
      landlordSheet,
    )
      .addConfirmFlag()
      .addExamples('kiraya import landlords landlords.csv')
      .addResult(['landlords', 'invited', 'with_account', 'dry_run', 'errors'])
      .run(runLandlordImport),
}

/** Adds the file and what a person may say of it. */
function addSheet(command: CliCommand, summary: string, { columns }: SheetSpec) {
  command
    .description(
      `${summary}. Columns: ${columns.map(({ name }) => name).join(', ')}, or what people call them`,
    )
    .argument('<file>', 'an .xlsx or a CSV file')
    .option('--sheet <name>', 'name or number of the sheet; the first by default')
    .option(
      '--map <heading=column>',
      'what a heading means, or - to leave it out (repeatable)',
      appendValue<string>,
    )
    .addOption(
      new Option('--dates <order>', 'what 03/04/2026 is, if no day above 12 tells it').choices(dateOrders),
    )
  for (const { flag } of columns) if (flag) command.option(`--${flag.name} <value>`, flag.help, flag.value)
  return command
}

/** Finds the defaults among the flags, by the names of columns. */
function toOptions({ columns }: SheetSpec, { sheet, map, dates, ...flags }: Flags): SheetOptions {
  const toCamelCase = (flag: string) => flag.replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase())
  const withFlag = columns.flatMap(({ name, flag }) => (flag ? [[name, flag.name] as const] : []))
  const defaults = withFlag.map(([name, flag]) => [name, flags[toCamelCase(flag)] as string | undefined])
  return { sheet, map, dates, defaults: Object.fromEntries(defaults) }
}

/** A row with a wrong cell says nothing that could be compared. */
const withoutErrors = (rows: Row[], errors: SheetError[]) =>
  rows.filter(({ line }) => !errors.some(error => error.line === line))

async function runPropertyImport(context: Context, file: string, flags: Flags) {
  const { rows, errors, locate } = await readSheet(
    context,
    await readGivenFile(file),
    propertySheet,
    toOptions(propertySheet, flags),
  )
  const right = withoutErrors(rows, errors)
  const contradictions = [...findNameless(right, locate), ...findContradictions(right, locate)]
  requireNoErrors(context, file, [...errors, ...contradictions])
  const properties = toProperties(rows)
  const units = properties.reduce((sum, { plan }) => sum + plan.property_units.length, 0)
  if (!context.isDryRun) requireNoErrors(context, file, await importProperties(context, properties, locate))
  context.show({ properties: properties.length, units, dry_run: context.isDryRun })
}

/** Landlords sign in themselves, each with a one-time password of their own. */
async function runLandlordImport(context: Context, file: string, flags: Flags) {
  const sheet = await readSheet(
    context,
    await readGivenFile(file),
    landlordSheet,
    toOptions(landlordSheet, flags),
  )
  const { rows, locate } = sheet
  requireNoErrors(context, file, [...sheet.errors, ...findRepeatedPhones(rows, locate)])
  if (context.isDryRun) return context.show({ landlords: rows.length, dry_run: true })
  const operations = await createOperations(context)
  await context.confirm(
    `Invite ${rows.length} landlords on ${context.baseUrl} by a message to each`,
    flags.yes,
  )
  const { invited, withAccount, errors } = await inviteLandlords(context, operations, sheet)
  requireNoErrors(context, file, errors)
  context.show({ landlords: rows.length, invited, with_account: withAccount, dry_run: false })
  context.printNote('Each signs in with a one-time password of their own; see: kiraya ops invitations')
}
