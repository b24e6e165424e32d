import type { Kiraya } from '@kiraya/sdk'
import type { Person } from '../runtime/people'
import { ignoreNotFound } from '../sheets/repeatable'
import type { Flow } from './flow'

/** Removes what the steps made, as far as they came. */
export async function cleanUp({ landlord, tenant, property, agreement, hasOwnUsers, otp }: Partial<Flow>) {
  if (!landlord) return
  if (agreement) await endAgreement(landlord.client, agreement.id)
  if (property) await landlord.client.properties.delete(property.id).catch(ignoreNotFound)
  if (!hasOwnUsers) return
  if (tenant) await erase(tenant, otp!)
  await erase(landlord, otp!)
}

/** Users cannot be erased while a deposit is held: payments that were not refunded are reversed. */
async function endAgreement({ agreements, payments, deposits }: Kiraya, agreement_id: number) {
  const agreement = await agreements.get(agreement_id).catch(ignoreNotFound)
  if (!agreement) return
  const { held } = await deposits.get(agreement_id)
  const { data } = await payments.list({ agreement_id, status: 'posted' })
  for (const { id, refunded_amount } of held > 0 ? data : [])
    if (refunded_amount === 0) await payments.reverse(id, { reason: 'Smoke test' })
  if (agreement.status === 'DRAFT') await agreements.delete(agreement_id)
  if (agreement.status === 'PENDING' || agreement.status === 'ACTIVE')
    await agreements.terminate(agreement_id)
}

async function erase({ client, phone }: Person, otp: string) {
  await client.auth.sendOtp(phone)
  await client.auth.eraseMyData(otp)
}
