import type { Agreement, Kiraya, Tenant } from '@kiraya/sdk'

// People read names. Answers hold ids, so tables look the names up with few requests; without a name the id stays.

const PAGE = { limit: 100 }
const MAX_PROPERTIES = 20
const PARALLEL = 5

type Labels = Map<number, string>

/** Returns the names of units as `White House/A-101`, of at most 20 properties; none if they cannot be read. */
export const loadUnitLabels = (client: Kiraya, ids: Set<number>): Promise<Labels> =>
  readUnitLabels(client, ids).catch(() => new Map<number, string>())

/** Reads units until no id is missing. */
async function readUnitLabels(client: Kiraya, ids: Set<number>): Promise<Labels> {
  const labels: Labels = new Map()
  const { data: properties } = await client.properties.list(PAGE)
  const remaining = properties.slice(0, MAX_PROPERTIES)
  const missing = new Set(ids)
  while (remaining.length > 0 && missing.size > 0) {
    const batch = remaining.splice(0, PARALLEL)
    const pages = await Promise.all(batch.map(({ id }) => client.units.list(id, PAGE)))
    for (const [index, { data: units }] of pages.entries())
      for (const { id, unit_name } of units) {
        labels.set(id, `${batch[index]!.alias_name}/${unit_name}`)
        missing.delete(id)
      }
  }
  return labels
}

/** Returns the names of the people whom the user knows, and of the user; none if they cannot be read. */
export const loadPeopleLabels = (client: Kiraya): Promise<Labels> =>
  readPeopleLabels(client).catch(() => new Map<number, string>())

async function readPeopleLabels(client: Kiraya): Promise<Labels> {
  const [{ data: people }, { user }] = await Promise.all([client.tenants.list(PAGE), client.auth.me()])
  const named = [...people, user].map(person => [person.id, toPersonName(person)] as const)
  return new Map(named.filter((entry): entry is [number, string] => entry[1] !== undefined))
}

function toPersonName({ first_name, last_name, phone }: Pick<Tenant, 'first_name' | 'last_name' | 'phone'>) {
  const name = [first_name, last_name].filter(Boolean).join(' ')
  return name || (phone ? `+91 ${phone}` : undefined)
}

/** Adds the names of unit and tenants to agreements. */
export async function addNames(client: Kiraya, agreements: Agreement[]) {
  if (agreements.length === 0) return []
  const unitIds = new Set(agreements.map(({ property_unit_id }) => property_unit_id))
  const [units, people] = await Promise.all([loadUnitLabels(client, unitIds), loadPeopleLabels(client)])
  return agreements.map(({ id, agreement_id, agreement_number, ...agreement }) => ({
    id,
    agreement_id,
    agreement_number,
    unit: units.get(agreement.property_unit_id) ?? agreement.property_unit_id,
    tenants: agreement.tenant_ids.map(id => people.get(id) ?? id).join(', '),
    ...agreement,
  }))
}
