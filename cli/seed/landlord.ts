import pLimit from 'p-limit'
import type { Agreement, Kiraya, PropertyWithUnits } from '@kiraya/sdk'
import type { Context } from '../context'
import { finishOnboarding, PATIENT_RETRIES, signInPerson } from '../people'
import type { Progress } from '../progress'
import { completeProperty, ignoreNotFound } from '../property-records'
import { createOnce, toKey } from '../repeatable'
import { bringToOutcome } from './lease'
import type { LandlordPlan, LeasePlan } from './plan'

const PROPERTIES_AT_ONCE = 4
const MAX_RECORDS = 1_000_000

export type SeedRun = { context: Context; otp: string; seed: string; progress: Progress }
type Landlord = SeedRun & { id: number; client: Kiraya; plan: LandlordPlan }

/** Makes what is missing of a landlord's plan. */
export async function seedLandlord(run: SeedRun, plan: LandlordPlan) {
  const { id, client, status } = await signInPerson(run.context, plan.phone, run.otp, PATIENT_RETRIES)
  const landlord: Landlord = { ...run, id, client, plan }
  await finishOnboarding(client, status, plan)

  const properties = await seedProperties(landlord)
  const agreements = await client.agreements.iterate({ limit: 100 }).toArray({ limit: MAX_RECORDS })
  const known = new Map(agreements.map(agreement => [agreement.agreement_number, agreement]))
  // One at a time: each signing is some twenty requests and two PDFs of the server.
  for (const lease of plan.leases) await seedLease(landlord, lease, properties, known)
}

type Properties = Map<string, PropertyWithUnits>

async function seedProperties(landlord: Landlord): Promise<Properties> {
  const { client, plan } = landlord
  const limit = pLimit(PROPERTIES_AT_ONCE)
  const found = await client.properties.iterate({ limit: 100 }).toArray({ limit: MAX_RECORDS })
  const known = new Map(found.map(({ survey_number, id }) => [survey_number, id]))
  const entries = await limit.map(plan.properties, async property => {
    const source = { client, key: ['seed', landlord.seed], id: known.get(property.survey_number) }
    const seeded = await completeProperty(source, property)
    landlord.progress.add(property.property_units.length)
    return [property.survey_number, seeded] as const
  })
  return new Map(entries)
}

async function seedLease(
  landlord: Landlord,
  lease: LeasePlan,
  properties: Properties,
  known: Map<string, Agreement>,
) {
  const agreement =
    known.get(lease.terms.agreement_number) ?? (await createAgreement(landlord, lease, properties))
  await bringToOutcome(landlord, agreement, lease.outcome)
  landlord.progress.add(1)
}

async function createAgreement(landlord: Landlord, lease: LeasePlan, properties: Properties) {
  const { seed, client, context } = landlord
  const units = properties.get(lease.survey_number)!.property_units
  const tenant_ids: number[] = []
  for (const tenant of lease.tenants) {
    const { id } = await client.tenants.create(tenant)
    tenant_ids.push(id)
  }
  const terms = {
    ...lease.terms,
    property_unit_id: units.find(({ unit_name }) => unit_name === lease.unit_name)!.id,
    tenant_ids,
    document_url: `${context.baseUrl}/sandbox/files/sample-lease.pdf`,
  }
  return createOnce(
    toKey('seed', seed, terms),
    options => client.agreements.create(terms, options),
    ({ id }) => client.agreements.get(id).catch(ignoreNotFound),
  )
}
