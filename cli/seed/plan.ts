import type { AgreementTerms, NewAgreement, NewProperty, NewTenant, NewUnit, PropertyType } from '@kiraya/sdk'
import { Random } from './random'
import { regions, type Region } from './regions'
import { kinds, planUnits } from './units'

/** How far an agreement gets. A `DECLINED` one is PENDING, with the landlord's signature and a refusal. */
export type Outcome = 'DRAFT' | 'PENDING' | 'DECLINED' | 'ACTIVE' | 'TERMINATED' | 'COMPLETED'

/** The survey number tells a landlord's properties apart, since names are often changed. */
export type PropertyPlan = NewProperty & { survey_number: string; property_units: NewUnit[] }
export type LeasePlan = {
  outcome: Outcome
  survey_number: string
  unit_name: string
  tenants: NewTenant[]
  terms: Omit<
    NewAgreement,
    keyof Pick<AgreementTerms, 'property_unit_id' | 'tenant_ids' | 'document_url'>
  > & {
    agreement_number: string
  }
}
export type LandlordPlan = {
  phone: string
  first_name: string
  last_name: string
  email: string
  city: string
  properties: PropertyPlan[]
  leases: LeasePlan[]
}

const propertyTypes = Object.keys(kinds) as PropertyType[]

/** For each five properties, one of each type. */
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

/** Signing takes longest, so that properties beyond these have no agreements. */
const MAX_LEASED_BATCHES = 4

type Size = { seed: string; landlords: number; scale: number }

/** Plans the same for the same seed; the months of agreements count from `today`. */
export const planLandlords = ({ seed, landlords, scale }: Size, today: Date): LandlordPlan[] =>
  Array.from({ length: landlords }, (_, index) => {
    const random = new Random(seed).at(`landlord ${index}`)
    return planLandlord(random, index, scale, today)
  })

function planLandlord(random: Random, index: number, scale: number, today: Date): LandlordPlan {
  const region = regions[index % regions.length]!
  const batches = Array.from({ length: scale }, (_, batch) => planBatch(random, region, batch, today))
  return {
    phone: random.phone('phone', 9),
    first_name: random.pick('first name', region.firstNames),
    last_name: random.pick('last name', region.lastNames),
    email: `landlord${index + 1}@example.com`,
    city: region.places[0]!.city,
    properties: batches.flatMap(({ properties }) => properties),
    leases: batches.slice(0, MAX_LEASED_BATCHES).flatMap(({ leases }) => leases),
  }
}

/** Five properties, one of each type, with an agreement of each outcome. */
function planBatch(landlord: Random, region: Region, batch: number, today: Date) {
  const random = landlord.at(`batch ${batch}`)
  const properties = propertyTypes.map((type, index) => {
    const number = batch * propertyTypes.length + index
    return planProperty(random.at(type), region, type, number)
  })
  const units = listUnitsInTurn(properties)
  const leases = outcomes.map((outcome, index) => {
    const number = batch * outcomes.length + index + 1
    return planLease(random.at(`lease ${index}`), units[index]!, { outcome, number, today })
  })
  return { properties, leases }
}

function planProperty(random: Random, region: Region, type: PropertyType, number: number): PropertyPlan {
  const { city: _, ...address } = random.pick('place', region.places)
  const house = region.houses[number % region.houses.length]!
  const round = Math.floor(number / region.houses.length)
  return {
    ...address,
    property_type: type,
    alias_name: round === 0 ? house : `${house} ${round + 1}`,
    society_building: random.pick('society', kinds[type].society) || null,
    survey_number: `${101 + number}/${random.integer('survey', 1, 9)}`,
    common_amenities: kinds[type].amenities,
    property_units: planUnits(random, type),
  }
}

type PlannedUnit = { property: PropertyPlan; unit: NewUnit }

/** The first unit of each property, then the second of each, so that agreements spread over all types. */
function listUnitsInTurn(properties: PropertyPlan[]): PlannedUnit[] {
  const ranked = properties.flatMap(property =>
    property.property_units.map((unit, rank) => ({ property, unit, rank })),
  )
  return ranked.toSorted((a, b) => a.rank - b.rank)
}

type LeaseChoice = { outcome: Outcome; number: number; today: Date }

function planLease(random: Random, { property, unit }: PlannedUnit, choice: LeaseChoice): LeasePlan {
  const [minRent, maxRent] = kinds[property.property_type].rent
  const rent_amount = 500 * random.integer('rent', minRent / 500, maxRent / 500)
  const tenantCount = random.chance('couple', 0.25) ? 2 : 1
  return {
    outcome: choice.outcome,
    survey_number: property.survey_number,
    unit_name: unit.unit_name,
    tenants: Array.from({ length: tenantCount }, (_, index) => planTenant(random.at(`tenant ${index}`))),
    terms: {
      agreement_number: `LEASE/${String(choice.number).padStart(4, '0')}`,
      agreement_start_date: planStart(random, choice),
      tenure_in_months: 11,
      rent_amount,
      deposit_amount: rent_amount * random.integer('deposit', 2, 6),
      rent_due_day: random.pick('due day', [1, 5, 7, 10]),
      notice_period_days: random.pick('notice', [30, 60]),
      late_fee: 500,
      auto_renew: random.chance('renewal', 0.3),
      pets_allowed: random.chance('pets', 0.4),
      non_veg_allowed: random.chance('meat', 0.7),
      bachelor_allowed: random.chance('bachelors', 0.6),
      payment_terms: 'By UPI or bank transfer to the account of the landlord',
    },
  }
}

function planTenant(random: Random): NewTenant {
  const region = random.pick('region', regions)
  return {
    phone_number: random.phone('phone', 8),
    first_name: random.pick('first name', region.firstNames),
    last_name: random.pick('last name', region.lastNames),
  }
}

/** Signed leases run since the first of a past month; the others begin next month. */
function planStart(random: Random, { outcome, today }: LeaseChoice) {
  const isSigned = outcome === 'ACTIVE' || outcome === 'TERMINATED' || outcome === 'COMPLETED'
  const months = isSigned ? -random.integer('months', 1, 8) : 1
  const start = new Date(Date.UTC(today.getUTCFullYear(), today.getUTCMonth() + months, 1))
  return start.toISOString().slice(0, 10)
}
