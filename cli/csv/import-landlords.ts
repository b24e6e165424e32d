import type { ValidationError } from '@kiraya/sdk'
import type { Context } from '../context'
import { storeCredential } from '../credentials'
import { finishOnboarding, PATIENT_RETRIES, signInPerson } from '../people'
import { createProgress } from '../progress'
import { mailbox, phone, text } from './cells'
import type { Column, CsvError, Row } from './read-csv'

type Name = 'phone' | 'first_name' | 'last_name' | 'email'
export type LandlordRow = Row<Name>

export const landlordFileColumns: Column<Name>[] = [
  { name: 'phone', kind: phone, isRequired: true },
  { name: 'first_name', kind: text(), isRequired: true },
  { name: 'last_name', kind: text(), isRequired: true },
  { name: 'email', kind: mailbox, isRequired: true },
]

/** All columns are required, so that a row without errors has them. */
export const toLandlord = ({ values }: LandlordRow) => values as Record<Name, string>

/** Finds the phone numbers that an earlier line has too. */
export function findRepeatedPhones(rows: LandlordRow[]): CsvError[] {
  const firstLines = new Map(rows.toReversed().map(({ line, values }) => [values.phone, line]))
  return rows.flatMap(({ line, values }) => {
    const firstLine = firstLines.get(values.phone)!
    if (values.phone === undefined || line === firstLine) return []
    return [{ line, column: 'phone', message: `is in line ${firstLine} already` }]
  })
}

/** Names the line and column of what the server refused; other errors end the import. */
export function toLandlordErrors(error: unknown, { line }: LandlordRow): CsvError[] {
  const { code, message, violations = [] } = error as ValidationError
  if (code !== 'VALIDATION_ERROR' && code !== 'BAD_REQUEST') throw error
  if (violations.length === 0) return [{ line, column: 'phone', message }]
  return violations.map(({ property, constraints }) => ({
    line,
    column: property === 'phone_number' ? 'phone' : property,
    message: Object.values(constraints).join('; ') || 'is not valid',
  }))
}

/** Signs landlords in and finishes their onboarding. Returns what the server refused. */
export async function importLandlords(
  context: Context,
  rows: LandlordRow[],
  otp: string,
): Promise<CsvError[]> {
  const errors: CsvError[] = []
  const progress = createProgress(context, 'landlords', rows.length)
  for (const row of rows) {
    await importLandlord(context, row, otp).catch((error: unknown) => {
      errors.push(...toLandlordErrors(error, row))
    })
    progress.add(1)
  }
  progress.end()
  return errors
}

/** Stores the sign-in under the phone number. */
async function importLandlord(context: Context, row: LandlordRow, otp: string) {
  const { phone: phoneNumber, ...profile } = toLandlord(row)
  const { client, status } = await signInPerson(context, phoneNumber, otp, PATIENT_RETRIES)
  await finishOnboarding(client, status, profile)
  const credential = { url: context.baseUrl, token: client.token, phone: phoneNumber }
  storeCredential(context.terminal.env, phoneNumber, credential)
}
