import type { Kiraya, PropertyWithUnits } from '@kiraya/sdk'
import type { Context } from '../runtime/context'
import { finishOnboarding, PATIENT_RETRIES, signInPerson } from '../runtime/people'
import type { Progress } from '../output/progress'
import { completeProperty, ignoreNotFound } from '../csv/property-records'
import { createOnce, toKey } from '../csv/repeatable'
import {
  buildings,
  chooseName,
  chooseProperty,
  chooseTenants,
  chooseTerms,
  regions,
  unitCount,
  type Outcome,
  type Region,
} from './choices'
import { bringToOutcome } from './lease'
import { Random } from './random'

/** The leases of each landlord, in units of all its properties. */
const outcomes: Outcome[] = [
  'COMPLETED',
  'TERMINATED',
  'ACTIVE',
  'ACTIVE',
  'DECLINED',
  'ACTIVE',
  'PENDING',
  'ACTIVE',
  'DRAFT',
]
const MAX_RECORDS = 1_000_000

/** How many units and agreements a landlord has. */
export const recordCount = unitCount + outcomes.length

export type SeedRun = { context: Context; otp: string; seed: string; progress: Progress }
type Landlord = SeedRun & { id: number; client: Kiraya; random: Random }

/** Makes what is missing of a landlord's records. The same seed and number make the same. */
export async function seedLandlord(run: SeedRun, index: number) {
  const random = new Random(run.seed).at(`landlord ${index}`)
  const region = regions[index % regions.length]!
  const phone = random.phone('phone', 9)
  const name = chooseName(random, region)
  const { id, client, status } = await signInPerson(run.context, phone, run.otp, PATIENT_RETRIES)
  await finishOnboarding(client, status, { ...name, email: `landlord${index + 1}@example.com` })

  const landlord: Landlord = { ...run, id, client, random }
  await seedLeases(landlord, await seedProperties(landlord, region))
  const counts = { properties: buildings.length, units: unitCount, agreements: outcomes.length }
  return { phone, ...name, city: region.places[0]!.city, ...counts }
}

async function seedProperties({ client, random, seed, progress }: Landlord, region: Region) {
  const found = await client.properties.list({ limit: 100 }).toArray({ limit: MAX_RECORDS })
  const known = new Map(found.map(({ survey_number, id }) => [survey_number, id]))
  const properties: PropertyWithUnits[] = []
  for (const [index, building] of buildings.entries()) {
    const plan = chooseProperty(random.at(building.property_type), region, building, index)
    const source = { client, key: ['seed', seed], id: known.get(plan.survey_number) }
    properties.push(await completeProperty(source, plan))
    progress.add(plan.property_units.length)
  }
  return properties
}

/** One at a time: each signing is some twenty requests and two PDFs of the server. */
async function seedLeases(landlord: Landlord, properties: PropertyWithUnits[]) {
  const { client, progress } = landlord
  const found = await client.agreements.list({ limit: 100 }).toArray({ limit: MAX_RECORDS })
  const known = new Map(found.map(agreement => [agreement.agreement_number, agreement]))
  for (const [index, outcome] of outcomes.entries()) {
    const number = `LEASE/${String(index + 1).padStart(4, '0')}`
    const agreement = known.get(number) ?? (await createAgreement(landlord, properties, number, index))
    await bringToOutcome(landlord, agreement, outcome)
    progress.add(1)
  }
}

/** The first unit of each property has a lease, then the second of each. */
async function createAgreement(
  { seed, client, context, random }: Landlord,
  properties: PropertyWithUnits[],
  agreement_number: string,
  index: number,
) {
  const lease = random.at(`lease ${index}`)
  const place = index % buildings.length
  const { floors, rent } = buildings[place]!
  const unitName = floors.flat()[Math.floor(index / buildings.length)]
  const tenant_ids: number[] = []
  for (const tenant of chooseTenants(lease)) {
    const { id } = await client.tenants.create(tenant)
    tenant_ids.push(id)
  }
  const terms = {
    agreement_number,
    ...chooseTerms(lease, rent, outcomes[index]!, new Date()),
    property_unit_id: properties[place]!.property_units.find(({ unit_name }) => unit_name === unitName)!.id,
    tenant_ids,
    document_url: `${context.baseUrl}/sandbox/files/sample-lease.pdf`,
  }
  return createOnce(
    toKey('seed', seed, terms),
    options => client.agreements.create(terms, options),
    ({ id }) => client.agreements.get(id).catch(ignoreNotFound),
  )
}
