import type { Context } from '../context'
import { storeCredential } from '../credentials'
import { finishOnboarding, PATIENT_RETRIES, signInPerson } from '../people'
import { createProgress } from '../progress'
import { phone, text } from './cells'
import type { Column, Row } from './read-csv'

type Name = 'phone' | 'first_name' | 'last_name' | 'email'
export type LandlordRow = Row<Name>

export const landlordFileColumns: Column<Name>[] = [
  { name: 'phone', kind: phone, isRequired: true },
  { name: 'first_name', kind: text(), isRequired: true },
  { name: 'last_name', kind: text(), isRequired: true },
  { name: 'email', kind: text(), isRequired: true },
]

/** All columns are required, so that a row without errors has them. */
export const toLandlord = ({ values }: LandlordRow) => values as Record<Name, string>

/** Signs each landlord in, finishes the onboarding and stores the sign-in under the phone number. */
export async function importLandlords(context: Context, rows: LandlordRow[], otp: string) {
  const progress = createProgress(context, 'landlords', rows.length)
  for (const row of rows) {
    const { phone: phoneNumber, ...profile } = toLandlord(row)
    const { client, status } = await signInPerson(context, phoneNumber, otp, PATIENT_RETRIES)
    await finishOnboarding(client, status, profile)
    const credential = { url: context.baseUrl, token: client.token, phone: phoneNumber }
    storeCredential(context.terminal.env, phoneNumber, credential)
    progress.add(1)
  }
  progress.end()
}
