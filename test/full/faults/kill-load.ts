import { createRandom, type Random } from '../../support/random'
import { agreementTerms, freshPhone, type TestUser } from '../../support/users'

export const UNITS = 8
const CHANGES = 3
const RETRY_MS = 200
const TIMEOUT_MS = 10_000

/** What the server has acknowledged; a unit may have the name of a change without a response too. */
export type Acknowledged = {
  properties: number[]
  agreements: number[]
  tenants: number[]
  names: Map<number, { known: string; possible: string[] }>
}
type Load = {
  url: string
  seed: number
  owners: TestUser[]
  tenants: TestUser[]
  clients: number
  /** Whether the provider has noted that the signature was signed or declined. */
  hasEnded: (signatureId: string) => Promise<boolean>
}
type Response = { status: number; body?: any }

const isUnavailable = ({ status }: Response) => status === 0 || status >= 500

/** Clients that create, change and sign until they are stopped, while the server comes and goes and its provider fails. */
export function startLoad({ url, seed, owners, tenants, clients, hasEnded }: Load) {
  const random = createRandom(seed)
  const acknowledged: Acknowledged = { properties: [], agreements: [], tenants: [], names: new Map() }
  const sender = createSender(url, random)
  const { send, create } = sender
  let isBusy = true

  async function renameUnit(owner: TestUser, propertyId: number, unit: { id: number; unit_name: string }) {
    const name = { known: unit.unit_name, possible: [] as string[] }
    acknowledged.names.set(unit.id, name)
    for (let change = 0; change < CHANGES; change++) {
      const unit_name = `V-${crypto.randomUUID()}`
      name.possible.push(unit_name)
      const { status } = await send(owner, 'PATCH', `/properties/${propertyId}/units/${unit.id}`, {
        unit_name,
      })
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
      const tenant = await create(owner, '/tenants', { phone_number: freshPhone(), first_name: 'Tara' })
      if (tenant) acknowledged.tenants.push(tenant.id)
      const agreement = await create(owner, '/agreements', agreementTerms(unit.id, partyIds))
      if (!agreement) continue
      acknowledged.agreements.push(agreement.id)
      await sign({ ...sender, random, hasEnded }, owner, parties, agreement.id)
    }
  }

  const working = Promise.all(Array.from({ length: clients }, (_, index) => work(index)))
  const stop = () => {
    isBusy = false
    return working
  }
  return { acknowledged, statuses: sender.statuses, stop }
}

/** Sends requests of users, and counts the statuses of their responses. */
function createSender(url: string, random: Random) {
  const statuses: Record<string, number> = {}

  async function send(user: TestUser, method: string, path: string, body: unknown, key?: string) {
    const response = await exchange(url + path, user.token, method, body, key)
    const name = response.status || 'lost'
    statuses[name] = (statuses[name] ?? 0) + 1
    return response
  }

  async function sendUntilAnswered(user: TestUser, path: string, body: unknown, key?: string) {
    let response = await send(user, 'POST', path, body, key)
    while (isUnavailable(response)) {
      await Bun.sleep(RETRY_MS)
      response = await send(user, 'POST', path, body, key)
    }
    return response
  }

  /** Sends once without a key; with an idempotency key again until there is a response. */
  async function create(user: TestUser, path: string, body: unknown) {
    const response = random.chance(0.5)
      ? await sendUntilAnswered(user, path, body, crypto.randomUUID())
      : await send(user, 'POST', path, body)
    if (isUnavailable(response)) return undefined
    if (response.status >= 300) throw new Error(`${path}: ${JSON.stringify(response)}`)
    return response.body.data
  }

  return { statuses, send, sendUntilAnswered, create }
}

type Signing = ReturnType<typeof createSender> & Pick<Load, 'hasEnded'> & { random: Random }

/** Goes to the provider's page until the provider has noted what the party wants. */
async function endSignature(
  { random, sendUntilAnswered, hasEnded }: Signing,
  starter: TestUser,
  path: string,
  signer_id: number,
) {
  const button = random.chance(0.06) ? 'decline' : 'sign'
  for (let isDone = false; !isDone;) {
    const started = await sendUntilAnswered(starter, `${path}/sign`, { signer_id })
    // It was signed already, or the agreement is active.
    if (started.status >= 300) return
    const { signing_url, signature_id } = started.body.data
    await exchange(`${signing_url}/${button}`, '', 'POST', undefined)
    isDone = await hasEnded(signature_id)
  }
}

/** Has most of the parties sign or, rarely, decline. */
async function sign(signing: Signing, owner: TestUser, parties: TestUser[], agreementId: number) {
  for (const party of signing.random.shuffle([owner, ...parties])) {
    if (signing.random.chance(0.05)) continue // this party never signs
    await endSignature(
      signing,
      signing.random.chance(0.5) ? party : owner,
      `/agreements/${agreementId}`,
      party.id,
    )
  }
}

const toPropertyInput = () => ({
  pin_code: 560048,
  property_type: 'pg',
  alias_name: crypto.randomUUID(),
  property_units: Array.from({ length: UNITS }, (_, index) => ({ unit_name: `U-${index}` })),
})

/** A response, or status 0 when there was none. */
async function exchange(
  url: string,
  token: string,
  method: string,
  body: unknown,
  key?: string,
): Promise<Response> {
  const headers = {
    authorization: `Bearer ${token}`,
    'content-type': 'application/json',
    ...(key && { 'idempotency-key': key }),
  }
  const signal = AbortSignal.timeout(TIMEOUT_MS)
  try {
    const init = { method, signal, headers, body: body === undefined ? undefined : JSON.stringify(body) }
    const response = await fetch(url, { ...init, redirect: 'manual' })
    const text = await response.text()
    return { status: response.status, body: text.startsWith('{') ? JSON.parse(text) : text }
  } catch {
    return { status: 0 }
  }
}

const FAULTS: Record<string, string[]> = {
  create: ['timeout', 'error', 'garbage', 'lost'],
  status: ['timeout', 'error', 'garbage', 'lost'],
  cancel: ['error', 'lost'],
  pdf: ['timeout', 'error', 'garbage', 'lost', 'link'],
  webhook: ['twice', 'forged', 'never'],
}

/** Keeps three faults of the e-sign provider at a time and changes them, so that a third of the calls fail and none for ever. */
export function startProviderFaults(url: string, seed: number) {
  const random = createRandom(seed)
  const path = `${url}/sandbox/control/faults`
  let faults = 0
  let isRunning = true

  async function replaceRules() {
    await exchange(path, '', 'DELETE', undefined)
    for (let rule = 0; rule < 3; rule++) {
      const on = random.pick(Object.keys(FAULTS))
      const behaviour = random.pick(FAULTS[on]!)
      const { status } = await exchange(path, '', 'POST', { provider: 'esign', on, behaviour })
      if (status === 201) faults++
    }
  }
  const running = (async () => {
    for (; isRunning; await Bun.sleep(random.integer(200, 600))) await replaceRules()
  })()
  const stop = async () => {
    isRunning = false
    await running
    await exchange(path, '', 'DELETE', undefined)
    return faults
  }
  return { stop }
}
