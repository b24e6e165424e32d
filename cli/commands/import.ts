import type { Context } from '../runtime/context'
import { findRepeatedPhones, inviteLandlords, landlordFileColumns } from '../csv/invite-landlords'
import { importProperties } from '../csv/import-properties'
import { findContradictions, propertyFileColumns, toProperties } from '../csv/property-file'
import { readCsv, type CsvError } from '../csv/read-csv'
import { ExitError, INVALID } from '../runtime/errors'
import { readGivenFile } from '../output/files'
import { createOperations } from '../runtime/operations-client'
import type { Verbs } from '../runtime/verbs'

const listColumns = (columns: { name: string }[]) => columns.map(({ name }) => name).join(', ')

export const verbs: Verbs = {
  properties: command =>
    command
      .description(`Your properties and units. Columns: ${listColumns(propertyFileColumns)}`)
      .argument('<file>', 'a CSV file, such as one of `kiraya export properties`')
      .addExamples('kiraya import properties houses.csv --dry-run')
      .addResult(['properties', 'units', 'dry_run', 'errors'])
      .run(runPropertyImport),
  landlords: command =>
    command
      .description(
        "Invite landlords by a message to each; KIRAYA_OPS_TOKEN is the server's OPS_TOKEN. " +
          `Columns: ${listColumns(landlordFileColumns)}`,
      )
      .argument('<file>', 'a CSV file')
      .addConfirmFlag()
      .addExamples('kiraya import landlords landlords.csv')
      .addResult(['landlords', 'invited', 'with_account', 'dry_run', 'errors'])
      .run(runLandlordImport),
}

async function runPropertyImport(context: Context, file: string) {
  const { rows, errors } = await readCsv(await readGivenFile(file), propertyFileColumns)
  requireNoErrors(context, file, [...errors, ...findContradictions(rows)])
  const properties = toProperties(rows)
  const units = properties.reduce((sum, { plan }) => sum + plan.property_units.length, 0)
  if (!context.isDryRun) requireNoErrors(context, file, await importProperties(context, properties))
  context.show({ properties: properties.length, units, dry_run: context.isDryRun })
}

/** Landlords sign in themselves, each with a one-time password of their own. */
async function runLandlordImport(context: Context, file: string, { yes }: { yes?: boolean }) {
  const { rows, errors } = await readCsv(await readGivenFile(file), landlordFileColumns)
  requireNoErrors(context, file, [...errors, ...findRepeatedPhones(rows)])
  if (context.isDryRun) return context.show({ landlords: rows.length, dry_run: true })
  const operations = await createOperations(context)
  await context.confirm(`Invite ${rows.length} landlords on ${context.baseUrl} by a message to each`, yes)
  const { invited, withAccount, errors: refused } = await inviteLandlords(context, operations, rows)
  requireNoErrors(context, file, refused)
  context.show({ landlords: rows.length, invited, with_account: withAccount, dry_run: false })
  context.printNote('Each signs in with a one-time password of their own; see: kiraya ops invitations')
}

/** Prints every error by line and column, as compilers do. */
function requireNoErrors({ terminal, isJsonOutput, show }: Context, file: string, errors: CsvError[]) {
  if (errors.length === 0) return
  const sorted = errors.toSorted((a, b) => a.line - b.line)
  if (isJsonOutput) show({ errors: sorted })
  for (const { line, column, message } of sorted) terminal.err(`${file}:${line}: ${column}: ${message}`)
  throw new ExitError(`The file has ${errors.length} ${errors.length === 1 ? 'error' : 'errors'}`, INVALID)
}
