import { readFile } from 'node:fs/promises'
import type { CliCommand } from '../command'
import type { Context } from '../context'
import { importLandlords, landlordFileColumns } from '../csv/import-landlords'
import { importProperties } from '../csv/import-properties'
import { findContradictions, propertyFileColumns, toProperties } from '../csv/property-file'
import { readCsv, type CsvError } from '../csv/read-csv'
import { InvalidFileError } from '../exit-codes'
import { say, toSentence } from '../messages'
import { requireSandbox } from '../sandbox-pages'

type LandlordOptions = { otp: string; yes?: boolean }

export function addImportCommands(program: CliCommand) {
  const command = program
    .command('import')
    .description(
      'Create records from a CSV file, or with --dry-run only check it; a repetition completes what is missing',
    )

  command
    .command('properties')
    .description(
      `Your properties and units. Columns: ${propertyFileColumns.map(({ name }) => name).join(', ')}`,
    )
    .argument('<file>', 'a CSV file, such as one of `kiraya export properties`')
    .addExamples('kiraya import properties houses.csv --dry-run')
    .run(runPropertyImport)

  command
    .command('landlords')
    .description(
      `Sign landlords in on a server with the sandbox. Columns: phone, first_name, last_name, email`,
    )
    .argument('<file>', 'a CSV file')
    .option('--otp <digits>', "the sandbox's one-time password", '123456')
    .addConfirmFlag()
    .addExamples('kiraya import landlords landlords.csv')
    .run(runLandlordImport)
}

async function runPropertyImport(context: Context, file: string) {
  const { rows, errors } = await readCsv(await readFile(file, 'utf8'), propertyFileColumns)
  requireNoErrors(context, file, [...errors, ...findContradictions(rows)])
  const properties = toProperties(rows)
  const units = properties.reduce((sum, { plan }) => sum + plan.property_units.length, 0)
  if (!context.isDryRun) requireNoErrors(context, file, await importProperties(context, properties))
  context.show({ properties: properties.length, units, dry_run: context.isDryRun })
}

async function runLandlordImport(context: Context, file: string, { otp, yes }: LandlordOptions) {
  const { rows, errors } = await readCsv(await readFile(file, 'utf8'), landlordFileColumns)
  requireNoErrors(context, file, errors)
  if (!context.isDryRun) {
    await requireSandbox(context, say('import_production', { url: context.baseUrl }), yes)
    await importLandlords(context, rows, otp)
  }
  context.show({ landlords: rows.length, dry_run: context.isDryRun })
  if (!context.isDryRun) context.printNote(say('landlords_stored'))
}

/** Prints every error by line and column, as compilers do. */
function requireNoErrors(
  { terminal, language, isJsonOutput, show }: Context,
  file: string,
  errors: CsvError[],
) {
  if (errors.length === 0) return
  const sentences = errors
    .toSorted((a, b) => a.line - b.line)
    .map(({ line, column, message }) => ({ line, column, message: toSentence(message, language) }))
  if (isJsonOutput) show({ errors: sentences })
  for (const { line, column, message } of sentences) terminal.err(`${file}:${line}: ${column}: ${message}`)
  throw new InvalidFileError(say('csv_errors', { count: errors.length }))
}
