import type { EntityManager } from '../../db/database'
import { AgreementTenant, MaintenanceEntry, type MaintenanceRequest } from '../../db/entities'
import type { MaintenanceStatus } from '@kiraya/sdk/contract'
import type { Tx } from '../deps'
import { isFeedName, recordActivities } from '../domain/activities'
import type { LockedMaintenanceRequest } from './access'

/** What the dashboards say that a request was or is, after the name of its unit. */
const PREDICATES: Record<MaintenanceStatus, string> = {
  open: 'was raised',
  acknowledged: 'was acknowledged',
  in_progress: 'is in progress',
  on_hold: 'is on hold',
  resolved: 'was resolved',
  closed: 'was closed',
  cancelled: 'was cancelled',
}

type NewEntry = Pick<MaintenanceEntry, 'status' | 'text' | 'is_internal'>

/** Adds an entry to a request that has its id; the caller flushes. */
export function addEntry({ em, actor }: Tx, request: MaintenanceRequest, entry: NewEntry) {
  return em.create(MaintenanceEntry, {
    ...entry,
    comment_id: crypto.randomUUID(),
    maintenance_request_id: request.id,
    created_by_id: actor.id,
  })
}

/** Records the status of a request that is flushed, with what was said with it, for the other side. */
export async function recordStatus(
  tx: Tx,
  { request, premises }: LockedMaintenanceRequest,
  comment: string | null,
) {
  const { em, actor, now } = tx
  const { id, agreement_id, status } = request
  addEntry(tx, request, { status, text: comment, is_internal: false })
  await em.flush()

  const { landlord_id, managed_by_id, unit_name } = premises
  const unit = isFeedName(unit_name) ? `the unit ${unit_name}` : 'a unit'
  await recordActivities(em, now(), {
    to: premises.isLandlordSide ? await findTenants(em, agreement_id ?? null) : [landlord_id, managed_by_id],
    type: `maintenance_${status}`,
    message: `A maintenance request for ${unit} ${PREDICATES[status]}`,
    entity_type: 'maintenance_request',
    entity_id: id,
    actor_id: actor.id,
    landlord_id,
  })
}

async function findTenants(em: EntityManager, agreementId: number | null) {
  const tenants = await em.find(AgreementTenant, { agreement_id: agreementId })
  return tenants.map(({ tenant_id }) => tenant_id)
}
