import { agreementTerms, freshPhone, type TestUser } from '../../support/users'

export const UNITS = 8
const RETRY_MS = 250
const MAX_RETRIES = 40
const TIMEOUT_MS = 25_000
const CHANGES = 3

/** What the server has acknowledged; a unit may have the name of a change without a response too. */
export type Acknowledged = {
  properties: number[]
  agreements: number[]
  tenants: number[]
  names: Map<number, { known: string; possible: string[] }>
}

/** Clients that create and change records until they are stopped, while the server comes and goes. */
export function startLoad(url: string, owners: TestUser[], tenants: TestUser[], clients: number) {
  const acknowledged: Acknowledged = { properties: [], agreements: [], tenants: [], names: new Map() }
  const statuses: Record<string, number> = {}
  let isBusy = true

  async function send(user: TestUser, method: string, path: string, body: unknown, key?: string) {
    const response = await exchange(url + path, user.token, method, body, key)
    const name = response.status || 'lost'
    statuses[name] = (statuses[name] ?? 0) + 1
    return response
  }

  /** Sends once without a key; with an idempotency key again until there is a response. */
  async function create(user: TestUser, path: string, body: unknown) {
    const key = Math.random() < 0.5 ? crypto.randomUUID() : undefined
    let response = await send(user, 'POST', path, body, key)
    for (let tries = 0; key && tries < MAX_RETRIES && isUnavailable(response); tries++) {
      await Bun.sleep(RETRY_MS)
      response = await send(user, 'POST', path, body, key)
    }
    if (response.status === 201 || response.status === 200) return response.body.data
    if (!isUnavailable(response)) throw new Error(`${path}: ${JSON.stringify(response)}`)
    await Bun.sleep(100)
    return undefined
  }

  async function renameUnit(owner: TestUser, propertyId: number, unit: { id: number; unit_name: string }) {
    const name = { known: unit.unit_name, possible: [] as string[] }
    acknowledged.names.set(unit.id, name)
    for (let change = 0; change < CHANGES; change++) {
      const unit_name = `V-${crypto.randomUUID()}`
      name.possible.push(unit_name)
      const path = `/properties/${propertyId}/units/${unit.id}`
      const { status } = await send(owner, 'PATCH', path, { unit_name })
      if (status === 200) Object.assign(name, { known: unit_name, possible: [] })
    }
  }

  async function work(index: number) {
    const owner = owners[index % owners.length]!
    const parties = [tenants[index % tenants.length]!, tenants[(index + 1) % tenants.length]!]
    const partyIds = parties.map(({ id }) => id)
    while (isBusy) {
      const property = await create(owner, '/properties', toPropertyInput())
      if (!property) continue
      acknowledged.properties.push(property.id)
      const [unit] = property.property_units
      await renameUnit(owner, property.id, unit)

      const agreement = await create(owner, '/agreements', agreementTerms(unit.id, partyIds))
      if (agreement) acknowledged.agreements.push(agreement.id)
      const tenant = await create(owner, '/tenants', { phone_number: freshPhone(), first_name: 'Tara' })
      if (tenant) acknowledged.tenants.push(tenant.id)
    }
  }

  const working = Promise.all(Array.from({ length: clients }, (_, index) => work(index)))
  return {
    acknowledged,
    statuses,
    stop: () => {
      isBusy = false
      return working
    },
  }
}

const toPropertyInput = () => ({
  pin_code: 560048,
  property_type: 'pg',
  alias_name: crypto.randomUUID(),
  property_units: Array.from({ length: UNITS }, (_, index) => ({ unit_name: `U-${index}` })),
})

const isUnavailable = ({ status }: { status: number }) => status === 0 || status === 503

/** A response, or status 0 when there was none. */
async function exchange(url: string, token: string, method: string, body: unknown, key?: string) {
  try {
    const response = await fetch(url, {
      method,
      signal: AbortSignal.timeout(TIMEOUT_MS),
      headers: {
        authorization: `Bearer ${token}`,
        'content-type': 'application/json',
        ...(key && { 'idempotency-key': key }),
      },
      body: JSON.stringify(body),
    })
    return { status: response.status, body: (await response.json()) as any }
  } catch {
    return { status: 0, body: undefined }
  }
}
