import { expectEqual, type Flow } from './flow'
import type { Step } from './run-flow'

/** A PNG of one pixel. */
export const PICTURE = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR42mNgAAAAAgAB4iG8MwAAAABJRU5ErkJggg==',
  'base64',
)
const COST = 850

/** The tenant reports what is broken, and the landlord repairs it at the tenant's cost. */
export const maintenanceSteps: Step[] = [
  { title: 'raise a maintenance request', run: raiseRequest },
  { title: 'resolve it at the cost of the tenant', run: resolveRequest },
]

async function raiseRequest(flow: Flow) {
  const { maintenance } = flow.tenant.client
  const { property_unit_id } = flow.agreement
  flow.request = await maintenance.create({ property_unit_id, category: 'plumbing', title: 'Smoke test' })
  expectEqual(flow.request.status, 'open', 'status of the request')
  const { content_type } = await maintenance.attach(flow.request.id, PICTURE)
  expectEqual(content_type, 'image/webp', 'media type of the picture')
}

async function resolveRequest({ landlord, request }: Flow) {
  const { maintenance, charges } = landlord.client
  await maintenance.update(request.id, { cost: COST, borne_by: 'tenant' })
  const { status, charge_id } = await maintenance.status(request.id, { status: 'resolved' })
  expectEqual(status, 'resolved', 'status of the request')
  const { type, amount } = await charges.get(charge_id!)
  expectEqual(type, 'maintenance', 'type of the charge')
  expectEqual(amount, COST, 'amount of the charge')
}
