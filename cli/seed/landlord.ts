import type { Kiraya, PropertyWithUnits } from '@kiraya/sdk'
import type { Context } from '../runtime/context'
import type { Progress } from '../output/progress'
import { createOnce, toKey } from '../sheets/repeatable'
import { finishOnboarding, PATIENT_RETRIES, signInPerson } from '../runtime/people'
import { completeProperty } from '../sheets/property-records'
import buildings from './buildings.json'
import { chooseName, chooseProperty, chooseTenants, chooseTerms, type Building } from './choices'
import { completeMaintenance } from './maintenance'
import { bringToOutcome, isSigned, type Outcome } from './lease'
import { Random } from './random'
import regions from './regions.json'

const MAX_RECORDS = 1_000_000
/** What each landlord has. */
export const counts = {
  properties: buildings.length,
  units: buildings.flatMap(({ floors }) => floors.flat()).length,
  agreements: buildings.flatMap(({ leases }) => leases).length,
}

export type SeedRun = { context: Context; otp: string; seed: string; progress: Progress }
type Landlord = SeedRun & { id: number; client: Kiraya; random: Random }
type Lease = Building['leases'][number]

/** Makes what is missing of a landlord's records. The same seed and number make the same. */
export async function seedLandlord(run: SeedRun, index: number) {
  const random = new Random(run.seed).at(`landlord ${index}`)
  const region = regions[index % regions.length]!
  const phone = random.phone('phone', 9)
  const name = chooseName(random, region)
  const { id, client, status } = await signInPerson(run.context, phone, run.otp, PATIENT_RETRIES)
  await finishOnboarding(client, status, { ...name, email: `landlord${index + 1}@example.com` })

  const landlord = { ...run, id, client, random }
  const properties = await client.properties.list({ limit: 100 }).toArray({ limit: MAX_RECORDS })
  const agreements = await client.agreements.list({ limit: 100 }).toArray({ limit: MAX_RECORDS })
  for (const [place, building] of buildings.entries()) {
    const plan = chooseProperty(random.at(building.property_type), region, building, place)
    const known = properties.find(({ survey_number }) => survey_number === plan.survey_number)
    const property = await completeProperty({ client, key: ['seed', run.seed], id: known?.id }, plan)
    run.progress.add(plan.property_units.length)
    // One at a time: each signing is some twenty requests and two PDFs of the server.
    for (const lease of building.leases) {
      const found = agreements.find(({ agreement_number }) => agreement_number === lease.number)
      const agreement = found ?? (await createAgreement(landlord, property, lease, building.rent))
      await bringToOutcome(landlord, agreement, lease.outcome as Outcome)
      await completeMaintenance(landlord, agreement)
      run.progress.add(1)
    }
  }
  return { phone, ...name, city: region.places[0]!.city, ...counts }
}

async function createAgreement(
  { seed, client, context, random }: Landlord,
  { property_units }: PropertyWithUnits,
  { number, unit, outcome }: Lease,
  rent: Building['rent'],
) {
  const lease = random.at(number)
  const tenants: { id: number }[] = []
  for (const tenant of chooseTenants(lease)) tenants.push(await client.tenants.create(tenant))
  const input = {
    agreement_number: number,
    ...chooseTerms(lease, rent, isSigned(outcome as Outcome), new Date()),
    property_unit_id: property_units.find(({ unit_name }) => unit_name === unit)!.id,
    tenant_ids: tenants.map(({ id }) => id),
    document_url: `${context.baseUrl}/sandbox/files/sample-lease.pdf`,
  }
  return createOnce(client.agreements, input, toKey('seed', seed, input))
}
