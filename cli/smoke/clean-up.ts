import type { Kiraya } from '@kiraya/sdk'
import { signInPerson, type Person } from '../runtime/people'
import { ignoreNotFound } from '../csv/property-records'
import { reversePayments } from './bookkeeping'
import { hasOwnUsers, type Flow } from './flow'

/** Reverses payments, ends the agreement, deletes the property and erases the users, as far as the steps have not done so. */
export async function cleanUp(flow: Flow) {
  const { agreement, property, tenant } = flow
  const landlord = flow.landlord && (await signInAgain(flow, flow.landlord))
  if (!landlord) return
  if (agreement) await endAgreement(landlord.client, agreement.id)
  if (property) await landlord.client.properties.delete(property.id).catch(ignoreNotFound)
  if (!hasOwnUsers(flow)) return
  if (tenant) await erase(flow, await signInAgain(flow, tenant))
  await erase(flow, landlord)
}

/** The last step signs out. */
const signInAgain = async ({ context, otp }: Flow, person: Person) =>
  person.client.token ? person : signInPerson(context, person.phone, otp)

async function endAgreement(client: Kiraya, id: number) {
  const agreement = await client.agreements.get(id).catch(ignoreNotFound)
  if (agreement) await reversePayments(client, id)
  if (agreement?.status === 'DRAFT') await client.agreements.delete(id)
  if (agreement?.status === 'PENDING' || agreement?.status === 'ACTIVE') await client.agreements.terminate(id)
}

async function erase({ otp }: Flow, { client, phone }: Person) {
  await client.auth.sendOtp(phone)
  await client.auth.eraseMyData(otp)
}
