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
import { readSheet, type SheetError, type SheetOptions, type SheetSpec } from '../sheets/read-sheet'
import { leaseSheet, toLeases } from '../sheets/lease-sheet'
import { loadOwnLeases } from '../sheets/own-leases'
import { namesUnits, paymentSheet, toPayments } from '../sheets/payment-sheet'
import { requireNoErrors } from '../sheets/refusals'
import type { LeaseRow } from '@kiraya/sdk'
import { sendRows, type ImportedRow } from '../sheets/send-rows'

const importedFields = ['created', 'kept', 'changed', 'dry_run', 'rows', 'errors']

type Flags = { sheet?: string; map?: string[]; dates?: DateOrder; yes?: boolean; [flag: string]: unknown }

export const verbs: Verbs = {
  leases: command =>
    addSheet(
      command,
      'Your leases with their properties, units and tenants, a row for each lease',
      leaseSheet,
    )
      .addExamples(
        'kiraya import leases flats.xlsx --dry-run --property-type apartment --map "Remarks=-" \\',
        '  --settled-until 2026-10-31 --signed-on start',
      )
      .addResult(importedFields)
      .run(runLeaseImport),
  payments: command =>
    addSheet(command, 'What was paid for your leases, a row for each payment', paymentSheet)
      .addExamples('kiraya import payments received.csv --method upi')
      .addResult(importedFields)
      .run(runPaymentImport),
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

const START = 'start'

async function runLeaseImport(context: Context, file: string, { signedOn, ...flags }: Flags) {
  const isSignedAtStart = signedOn === START
  const given = { ...flags, ...(!isSignedAtStart && { signedOn }) }
  const { sheet, right, refuse } = await openSheet(context, file, leaseSheet, given)
  const { leases, errors } = toLeases(right, sheet.locate, isSignedAtStart)
  refuse([...sheet.errors, ...errors, ...findContradictions(right, sheet.locate)])
  const charged = leases.filter(({ opening }) => !opening).length
  if (charged > 0)
    context.printNote(`Charged from their start, as --settled-until says nothing of them: ${charged} leases`)
  const { imports } = await context.client(context.send)
  const answer = await sendRows(context, { ...sheet, inputs: leases }, imports.leases)
  refuse(answer.errors)
  showImported(context, answer.rows, leases.map(toLeaseCells))
}

async function runPaymentImport(context: Context, file: string, flags: Flags) {
  const { sheet, right, refuse } = await openSheet(context, file, paymentSheet, flags)
  const client = await context.client(context.send)
  const leases = namesUnits(right) ? await loadOwnLeases(client) : []
  const { payments, errors } = toPayments(right, sheet.locate, leases)
  refuse([...sheet.errors, ...errors])
  const answer = await sendRows(context, { ...sheet, inputs: payments }, client.imports.payments)
  refuse(answer.errors)
  const cells = payments.map(({ paid_on, amount, method, reference }, index) => {
    const { lease: given, property, unit_name } = right[index]!.values
    const lease = given ?? [property, unit_name].filter(Boolean).join('/')
    return { paid_on, amount, method, reference, lease }
  })
  showImported(context, answer.rows, cells)
}

const toLeaseCells = ({ property, unit, tenants, terms, opening }: LeaseRow) => ({
  unit: `${property.alias_name}/${unit.unit_name}`,
  tenants: tenants.map(
    ({ first_name, last_name, phone_number }) =>
      [first_name, last_name].filter(Boolean).join(' ') || phone_number,
  ),
  rent: terms.rent_amount,
  deposit: terms.deposit_amount,
  owed: opening?.owed,
})

/** Shows to programs what the server says of each row, to people what the rows are, and what breaks a custom. */
function showImported(context: Context, rows: ImportedRow[], cells: object[]) {
  const count = (outcome: string) => rows.filter(row => row.outcome === outcome).length
  const dry_run = context.isDryRun
  const counts = { created: count('created'), kept: count('kept'), changed: count('changed'), dry_run }
  if (context.isJsonOutput) return context.show({ ...counts, rows })
  if (dry_run) context.show(rows.map(({ row, outcome }, index) => ({ row, ...cells[index], outcome })))
  const warned = rows.flatMap(({ row, warnings = [] }) => warnings.map(({ message }) => ({ row, message })))
  for (const [message, of] of Map.groupBy(warned, each => each.message))
    context.printNote(`Warning: ${message}: row ${of.map(({ row }) => row).join(', ')}`)
  context.show(counts)
}

async function runPropertyImport(context: Context, file: string, flags: Flags) {
  const { sheet, right, refuse } = await openSheet(context, file, propertySheet, flags)
  const { errors, locate } = sheet
  refuse([...errors, ...findNameless(right, locate), ...findContradictions(right, locate)])
  const properties = toProperties(right)
  const units = properties.reduce((sum, { plan }) => sum + plan.property_units.length, 0)
  if (!context.isDryRun) refuse(await importProperties(context, properties, locate))
  context.show({ properties: properties.length, units, dry_run: context.isDryRun })
}

/** Landlords sign in themselves, each with a one-time password of their own. */
async function runLandlordImport(context: Context, file: string, flags: Flags) {
  const { sheet, refuse } = await openSheet(context, file, landlordSheet, flags)
  const { rows, locate } = sheet
  refuse([...sheet.errors, ...findRepeatedPhones(rows, locate)])
  if (context.isDryRun) return context.show({ landlords: rows.length, dry_run: true })
  const operations = await createOperations(context)
  await context.confirm(
    `Invite ${rows.length} landlords on ${context.baseUrl} by a message to each`,
    flags.yes,
  )
  const { invited, withAccount, errors } = await inviteLandlords(context, operations, sheet)
  refuse(errors)
  context.show({ landlords: rows.length, invited, with_account: withAccount, dry_run: false })
  context.printNote('Each signs in with a one-time password of their own; see: kiraya ops invitations')
}

/** Reads a sheet with the flags of its command; a row with a wrong cell says nothing that could be compared. */
async function openSheet(context: Context, file: string, spec: SheetSpec, flags: Flags) {
  const sheet = await readSheet(context, await readGivenFile(file), spec, toOptions(spec, flags))
  const wrong = new Set(sheet.errors.map(({ line }) => line))
  const refuse = (errors: SheetError[]) => requireNoErrors(context, file, errors)
  return { sheet, right: sheet.rows.filter(({ line }) => !wrong.has(line)), refuse }
}
