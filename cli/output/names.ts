import type {
  Agreement,
  Charge,
  Kiraya,
  MaintenanceComment,
  MaintenanceRequest,
  Payment,
  Tenant,
} from '@kiraya/sdk'

// People read names. Responses hold ids, so tables look the names up with few requests; without a name the id stays.

const PAGE = { limit: 100 }
const MAX_PROPERTIES = 20
const PARALLEL = 5
const MAX_SINGLE_READS = 10

type Names = Map<number, string>

/** Returns the names of units as `White House/A-101`, of at most 20 properties; none if they cannot be read. */
export const loadUnitNames = (client: Kiraya, ids: Set<number>): Promise<Names> =>
  readUnitNames(client, ids).catch(() => new Map<number, string>())

/** Reads units until no id is missing. */
async function readUnitNames(client: Kiraya, ids: Set<number>): Promise<Names> {
  const names: Names = new Map()
  if (ids.size === 0) return names
  const { data: properties } = await client.properties.list(PAGE)
  const remaining = properties.slice(0, MAX_PROPERTIES)
  const missing = new Set(ids)
  while (remaining.length > 0 && missing.size > 0) {
    const batch = remaining.splice(0, PARALLEL)
    const pages = await Promise.all(batch.map(({ id }) => client.units.list(id, PAGE)))
    for (const [index, { data: units }] of pages.entries())
      for (const { id, unit_name } of units) {
        names.set(id, `${batch[index]!.alias_name}/${unit_name}`)
        missing.delete(id)
      }
  }
  return names
}

/** Returns the names of the people whom the user knows, and of the user; none if they cannot be read. */
export const loadPeopleNames = (client: Kiraya): Promise<Names> =>
  readPeopleNames(client).catch(() => new Map<number, string>())

async function readPeopleNames(client: Kiraya): Promise<Names> {
  const [{ data: people }, { user }] = await Promise.all([client.tenants.list(PAGE), client.auth.me()])
  const named = [...people, user].map(person => [person.id, toPersonName(person)] as const)
  return new Map(named.filter((entry): entry is [number, string] => entry[1] !== undefined))
}

function toPersonName({ first_name, last_name, phone }: Pick<Tenant, 'first_name' | 'last_name' | 'phone'>) {
  const name = [first_name, last_name].filter(Boolean).join(' ')
  return name || (phone ? `+91 ${phone}` : undefined)
}

export async function addAgreementNames(client: Kiraya, agreements: Agreement[]) {
  if (agreements.length === 0) return []
  const unitIds = new Set(agreements.map(({ property_unit_id }) => property_unit_id))
  const [units, people] = await Promise.all([loadUnitNames(client, unitIds), loadPeopleNames(client)])
  return agreements.map(({ id, agreement_id, agreement_number, ...agreement }) => ({
    id,
    agreement_id,
    agreement_number,
    unit: units.get(agreement.property_unit_id) ?? agreement.property_unit_id,
    tenants: agreement.tenant_ids.map(tenant => people.get(tenant) ?? tenant).join(', '),
    ...agreement,
  }))
}

export async function addChargeNames(client: Kiraya, charges: Charge[]) {
  const toNames = await loadLeaseNames(client, charges)
  return charges.map(({ id, charge_id, ...charge }) => ({
    id,
    charge_id,
    ...toNames(charge.agreement_id, charge.property_unit_id),
    ...charge,
  }))
}

export async function addPaymentNames(client: Kiraya, payments: Payment[]) {
  if (payments.length === 0) return []
  const [toNames, people] = await Promise.all([loadLeaseNames(client, payments), loadPeopleNames(client)])
  return payments.map(({ id, payment_id, ...payment }) => ({
    id,
    payment_id,
    ...toNames(payment.agreement_id),
    payer: people.get(payment.payer_id) ?? payment.payer_id,
    ...payment,
  }))
}

export async function addMaintenanceNames<Request extends MaintenanceRequest>(
  client: Kiraya,
  requests: Request[],
) {
  const leaseIds = requests.flatMap(({ agreement_id }) => agreement_id ?? [])
  const unitIds = requests.map(({ property_unit_id }) => property_unit_id)
  const [leases, units] = await Promise.all([
    loadLeases(client, new Set(leaseIds)),
    loadUnitNames(client, new Set(unitIds)),
  ])
  return requests.map(({ id, request_id, ...request }) => ({
    id,
    request_id,
    agreement: leases.get(request.agreement_id ?? 0)?.agreement_number ?? request.agreement_id,
    unit: units.get(request.property_unit_id) ?? request.property_unit_id,
    ...request,
  }))
}

export async function addCommentNames(client: Kiraya, comments: MaintenanceComment[]) {
  if (comments.length === 0) return []
  const people = await loadPeopleNames(client)
  return comments.map(comment => ({
    ...comment,
    created_by: people.get(comment.created_by_id) ?? comment.created_by_id,
  }))
}

async function loadLeaseNames(client: Kiraya, rows: { agreement_id: number }[]) {
  const leases = await loadLeases(client, new Set(rows.map(({ agreement_id }) => agreement_id)))
  const units = await loadUnitNames(
    client,
    new Set([...leases.values()].map(lease => lease.property_unit_id)),
  )
  return (agreementId: number, knownUnitId?: number) => {
    const lease = leases.get(agreementId)
    const unitId = lease?.property_unit_id ?? knownUnitId
    const unit = unitId === undefined ? undefined : (units.get(unitId) ?? unitId)
    return { agreement: lease?.agreement_number ?? agreementId, unit }
  }
}

/** Few are read one by one, so that one that cannot be read hides no other; of many those on the newest page. */
async function loadLeases({ agreements }: Kiraya, ids: Set<number>): Promise<Map<number, Agreement>> {
  const isFew = ids.size <= MAX_SINGLE_READS
  const reads = isFew
    ? [...ids].map(async id => [await agreements.get(id)])
    : [agreements.list({ limit: 100, sort: '-id' }).then(({ data }) => data)]
  const leases = await Promise.all(reads.map(leases => leases.catch(() => [])))
  return new Map(leases.flat().map(lease => [lease.id, lease]))
}
