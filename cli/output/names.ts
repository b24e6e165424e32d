import type { Agreement, Kiraya, NamedPerson, NamedUnit, Tenant } from '@kiraya/sdk'

// People read names. Responses hold ids, so tables look the names up with few requests; without a name the id stays.

const PAGE = { limit: 100 }
const MAX_PROPERTIES = 20
const PARALLEL = 5
const MAX_SINGLE_READS = 10

type Names = Map<number, string>

/** Returns the names of units as `White House/A-101`: reads those of at most 20 properties until no id is missing. */
export async function loadUnitNames(client: Kiraya, ids: Set<number>): Promise<Names> {
  const names: Names = new Map()
  if (ids.size === 0) return names
  const { data: properties } = await client.properties.list(PAGE)
  const remaining = properties.slice(0, MAX_PROPERTIES)
  while (remaining.length > 0 && [...ids].some(id => !names.has(id))) {
    const batch = remaining.splice(0, PARALLEL)
    const pages = await Promise.all(batch.map(({ id }) => client.units.list(id, PAGE)))
    for (const [index, { data: units }] of pages.entries())
      for (const { id, unit_name } of units) names.set(id, `${batch[index]!.alias_name}/${unit_name}`)
  }
  return names
}

/** Returns the names of the people whom the user knows, and of the user; none if they cannot be read. */
export async function loadPeopleNames({ tenants, auth }: Kiraya): Promise<Names> {
  const reads = [tenants.list(PAGE).then(({ data }) => data), auth.me().then(({ user }) => [user])]
  const people = await Promise.all(reads).catch(() => [])
  const named = people.flat().map(person => [person.id, toPersonName(person)] as const)
  return new Map(named.filter((entry): entry is [number, string] => entry[1] !== undefined))
}

function toPersonName({ first_name, last_name, phone }: Pick<Tenant, 'first_name' | 'last_name' | 'phone'>) {
  const name = [first_name, last_name].filter(Boolean).join(' ')
  return name || (phone ? `+91 ${phone}` : undefined)
}

/** What a record says of others. Its own UUID may have the name of a number of another. */
type Ids = {
  agreement_number?: string
  agreement_id?: number | string | null
  property_unit_id?: number
  unit?: NamedUnit
  landlord?: NamedPerson
  manager?: NamedPerson | null
  tenants?: NamedPerson[]
  payer_id?: number
  signer_id?: number
  created_by_id?: number
}
type Name = 'agreement' | 'unit' | 'landlord' | 'manager' | 'tenants' | 'payer' | 'signer' | 'created_by'
type Named = { [Field in Name]?: string | number | null }

const toUnitName = ({ property_name, unit_name }: NamedUnit) => `${property_name}/${unit_name}`
const toName = (person?: NamedPerson | null) => (person ? (person.name ?? person.id) : undefined)

/** Returns records with names after their number and UUID. An id without a name stays. */
export async function addNames<Row extends Ids>(
  client: Kiraya,
  rows: Row[],
): Promise<(Omit<Row, Name> & Named)[]> {
  const leases = await loadLeases(client, new Set(rows.map(getLeaseId).filter(id => id !== undefined)))
  const unitIds = rows.flatMap(({ unit, property_unit_id }) => (unit ? [] : property_unit_id))
  const [units, people] = await Promise.all([
    loadUnitNames(client, new Set(unitIds.filter(id => id !== undefined))).catch((): Names => new Map()),
    rows.some(namesPeople) ? loadPeopleNames(client) : new Map<number, string>(),
  ])
  const getName = (names: Names, id?: number) => (id === undefined ? undefined : (names.get(id) ?? id))
  return rows.map(row => {
    const { agreement_number, agreement_id, payer_id, signer_id, created_by_id } = row
    const lease = leases.get(getLeaseId(row)!)
    const named = row.unit ?? lease?.unit
    const unit = named ? toUnitName(named) : getName(units, row.property_unit_id)
    const names = {
      agreement_number,
      agreement: typeof agreement_id === 'string' ? undefined : (lease?.agreement_number ?? agreement_id),
      unit: unit ?? (agreement_id === undefined ? undefined : null),
      landlord: toName(row.landlord),
      manager: toName(row.manager),
      tenants: row.tenants?.map(toName).join(', '),
      payer: getName(people, payer_id),
      signer: getName(people, signer_id),
      created_by: getName(people, created_by_id),
    }
    const [id, uuid, ...fields] = Object.entries(row).filter(([name]) => !(name in names))
    const given = Object.entries(names).filter(([, name]) => name !== undefined)
    return Object.fromEntries([id!, uuid!, ...given, ...fields]) as Omit<Row, Name> & Named
  })
}

const getLeaseId = ({ agreement_id }: Ids) => (typeof agreement_id === 'number' ? agreement_id : undefined)

const namesPeople = ({ payer_id, signer_id, created_by_id }: Ids) =>
  Boolean(payer_id ?? signer_id ?? created_by_id)

/** Few are read one by one, so that one that cannot be read hides no other; of many those on the newest page. */
async function loadLeases({ agreements }: Kiraya, ids: Set<number>): Promise<Map<number, Agreement>> {
  const isFew = ids.size <= MAX_SINGLE_READS
  const reads = isFew
    ? [...ids].map(async id => [await agreements.get(id)])
    : [agreements.list({ limit: 100, sort: '-id' }).then(({ data }) => data)]
  const leases = await Promise.all(reads.map(leases => leases.catch(() => [])))
  return new Map(leases.flat().map(lease => [lease.id, lease]))
}
