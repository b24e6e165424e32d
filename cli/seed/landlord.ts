import pLimit from 'p-limit'
import type { Agreement, Kiraya, KirayaError, PropertyWithUnits } from '@kiraya/sdk'
import type { Context } from '../context'
import { signInPerson } from '../people'
import type { Progress } from '../progress'
import { createOnce, toKey } from '../repeatable'
import { isSandboxPage, pressButton } from '../sandbox-pages'
import { bringToOutcome } from './lease'
import type { LandlordPlan, LeasePlan, PropertyPlan } from './plan'

const RECORDS_AT_ONCE = 4
const MAX_RECORDS = 1_000_000

export type SeedRun = { context: Context; otp: string; seed: string; progress: Progress }
type Landlord = SeedRun & { id: number; client: Kiraya; plan: LandlordPlan }

/** Makes what is missing of a landlord's plan. */
export async function seedLandlord(run: SeedRun, plan: LandlordPlan) {
  const { id, client, status } = await signInPerson(run.context, plan.phone, run.otp)
  const landlord: Landlord = { ...run, id, client, plan }
  if (status === 'NEEDS_PROFILE_COMPLETION') {
    const { first_name, last_name, email } = plan
    await client.profile.complete({ first_name, last_name, email })
  }
  if (status !== 'LOGIN_SUCCESSFUL') await verifyIdentity(client)

  const limit = pLimit(RECORDS_AT_ONCE)
  const properties = await seedProperties(landlord, limit)
  const agreements = await client.agreements.iterate({ limit: 100 }).toArray({ limit: MAX_RECORDS })
  const known = new Map(agreements.map(agreement => [agreement.agreement_number, agreement]))
  await limit.map(plan.leases, lease => seedLease(landlord, lease, properties, known))
}

async function verifyIdentity({ profile }: Kiraya) {
  const { verification_id, verification_url } = await profile.startKyc()
  if (isSandboxPage(verification_url)) await pressButton(verification_url, 'approve')
  await profile.completeKyc(verification_id)
}

type Limit = ReturnType<typeof pLimit>
type Properties = Map<string, PropertyWithUnits>

async function seedProperties(landlord: Landlord, limit: Limit): Promise<Properties> {
  const { client, plan } = landlord
  const found = await client.properties.iterate({ limit: 100 }).toArray({ limit: MAX_RECORDS })
  const known = new Map(found.map(({ survey_number, id }) => [survey_number, id]))
  const entries = await limit.map(plan.properties, async property => {
    const id = known.get(property.survey_number)
    const seeded =
      id === undefined ? await createProperty(landlord, property) : await client.properties.get(id)
    await completeUnits(landlord, property, seeded)
    landlord.progress.add(property.property_units.length)
    return [property.survey_number, seeded] as const
  })
  return new Map(entries)
}

const createProperty = ({ seed, client }: Landlord, property: PropertyPlan) =>
  createOnce(
    toKey('seed', seed, property),
    options => client.properties.create(property, options),
    ({ id }) => client.properties.get(id).catch(ignoreNotFound),
  )

async function completeUnits({ seed, client }: Landlord, plan: PropertyPlan, property: PropertyWithUnits) {
  const { id, property_units } = property
  const names = new Set(property_units.map(({ unit_name }) => unit_name))
  for (const unit of plan.property_units.filter(({ unit_name }) => !names.has(unit_name))) {
    const created = await createOnce(
      toKey('seed', seed, id, unit),
      options => client.units.create(id, unit, options),
      ({ id: unitId }) => client.units.get(id, unitId).catch(ignoreNotFound),
    )
    property_units.push(created)
  }
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

function ignoreNotFound(error: unknown): undefined {
  const { code } = error as KirayaError
  if (code !== 'NOT_FOUND') throw error
}
