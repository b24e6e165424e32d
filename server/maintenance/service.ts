import {
  MaintenanceFields,
  NewMaintenanceRequest,
  type MaintenanceChange,
  type MaintenanceStatusInput,
  type NewMaintenanceComment,
} from '@kiraya/sdk/contract'
import { MaintenanceRequest } from '../../db/entities'
import { shareActor } from '../accounts/auth/queries'
import type { Tx } from '../deps'
import { applyChange, withDefaults } from '../domain/fields'
import { HOUR_MS } from '../domain/durations'
import { MODEL_TENANCY } from '../domain/rent-law'
import { refuse, refuseFields } from '../errors'
import { loadView } from '../http/changes'
import { results } from '../messages/results'
import { toWarning } from '../messages/warnings'
import { lockPremises, lockMaintenanceRequestForChange, type LockedMaintenanceRequest } from './access'
import { chargeCost, lockLease } from './cost'
import { addEntry, recordStatus } from './entries'
import { requireMove } from './moves'
import { ENDED, selectComment, selectMaintenanceRequest, type MaintenancePath } from './queries'

/** Raises a request for a unit that the actor lets, manages or rents. */
export async function createMaintenanceRequest(tx: Tx, input: NewMaintenanceRequest) {
  const { em, actor } = tx
  const premises = await lockPremises(tx, input.property_unit_id)
  const request = em.create(MaintenanceRequest, {
    ...withDefaults(NewMaintenanceRequest, input),
    request_id: crypto.randomUUID(),
    agreement_id: premises.agreement_id,
    raised_by_id: actor.id,
    status: 'open',
    borne_by: 'landlord',
  })
  await em.flush()
  // Last, since the insert locks the agreement, which comes before a user in `LOCK_ORDER`.
  await shareActor(em, actor)
  await recordStatus(tx, { request, premises }, null)
  return loadView(tx, selectMaintenanceRequest, { id: { id: request.id } })
}

/** Changes the given fields: the raiser's, which describe the matter, and the landlord side's, which describe the work. */
export async function updateMaintenanceRequest(tx: Tx, path: MaintenancePath, change: MaintenanceChange) {
  const locked = await lockMaintenanceRequestForChange(tx, path)
  const { title, description, ...work } = change
  if (title !== undefined || description !== undefined) requireRaiser(tx, locked)
  if (Object.keys(work).length > 0 && !locked.premises.isLandlordSide) throw refuse('not_unit_side')
  requireFreeCost(locked, work)

  const { request } = locked
  const { scheduled_at, ...fields } = change
  applyChange(request, MaintenanceFields, fields)
  if (scheduled_at !== undefined) request.scheduled_at = scheduled_at === null ? null : new Date(scheduled_at)
  await tx.em.flush()
  const data = await loadView(tx, selectMaintenanceRequest, path)
  return { message: results.maintenance_changed, data, ...findWarnings(tx, scheduled_at) }
}

function requireRaiser({ actor }: Tx, { request }: LockedMaintenanceRequest) {
  const { raised_by_id, status } = request
  if (raised_by_id !== actor.id) throw refuse('not_request_raiser')
  if (status !== 'open') throw refuse('maintenance_request_wrong_status', { status })
}

/**
 * @throws VALIDATION_ERROR The cost is charged, so that it is fixed.
 * @throws BAD_REQUEST The request is resolved, so that its cost will not be charged.
 */
function requireFreeCost({ request }: LockedMaintenanceRequest, change: MaintenanceChange) {
  const changed = (['cost', 'borne_by'] as const).find(
    name => change[name] !== undefined && change[name] !== request[name],
  )
  if (!changed) return
  if (request.charge_id !== null) throw refuseFields('cost_charged', changed)
  const { cost, borne_by, status } = { ...request, ...change }
  if (ENDED.includes(status) && borne_by === 'tenant' && cost)
    throw refuse('cost_not_chargeable', { because: 'ended' })
}

/** A visit that is not past needs its notice. */
function findWarnings({ now }: Tx, scheduledAt: string | null | undefined) {
  const waitMs = Date.parse(scheduledAt ?? '') - now().getTime()
  const isShort = waitMs >= 0 && waitMs < MODEL_TENANCY.entry_notice_hours * HOUR_MS
  return isShort ? { warnings: [toWarning('visit_notice_short')] } : {}
}

/** Moves a request to another state. One that is resolved at the cost of its tenants charges them. */
export async function changeStatus(
  tx: Tx,
  path: MaintenancePath,
  { status, comment = null }: MaintenanceStatusInput,
) {
  // Before the request, as `LOCK_ORDER` says.
  const lease = status === 'resolved' ? await lockLease(tx, path) : undefined
  const locked = await lockMaintenanceRequestForChange(tx, path)
  requireMove(tx, locked, status)
  const { request } = locked
  if (status === 'resolved') await chargeCost(tx, request, lease)
  request.status = status
  if (status === 'resolved') request.resolved_at = tx.now()
  if (status === 'in_progress') request.resolved_at = null
  await recordStatus(tx, locked, comment)
  return loadView(tx, selectMaintenanceRequest, path)
}

/** Comments on a request, in any state of it. */
export async function createComment(
  tx: Tx,
  path: MaintenancePath,
  { text, is_internal }: NewMaintenanceComment,
) {
  const { request, premises } = await lockMaintenanceRequestForChange(tx, path)
  if (is_internal && !premises.isLandlordSide) throw refuse('not_unit_side')
  const comment = addEntry(tx, request, { status: null, text, is_internal: is_internal ?? false })
  await tx.em.flush()
  return loadView(tx, selectComment, { ...path, commentId: comment.id })
}
