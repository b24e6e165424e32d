import type { MaintenanceStatus } from '@kiraya/sdk/contract'
import type { Tx } from '../deps'
import { DAY_MS } from '../domain/durations'
import { refuse } from '../errors'
import type { LockedMaintenanceRequest } from './access'

const REOPENING_DAYS = 14

type Mover = 'landlord side' | 'raiser'

/** Who moves a request from a state to another one. */
const moves: Record<MaintenanceStatus, Partial<Record<MaintenanceStatus, Mover>>> = {
  open: {
    acknowledged: 'landlord side',
    in_progress: 'landlord side',
    resolved: 'landlord side',
    cancelled: 'raiser',
  },
  acknowledged: {
    in_progress: 'landlord side',
    on_hold: 'landlord side',
    resolved: 'landlord side',
    cancelled: 'raiser',
  },
  in_progress: { on_hold: 'landlord side', resolved: 'landlord side' },
  on_hold: { in_progress: 'landlord side', resolved: 'landlord side', cancelled: 'raiser' },
  resolved: { closed: 'raiser', in_progress: 'raiser' },
  closed: {},
  cancelled: {},
}

/** @throws FORBIDDEN The state does not allow the move, it is the other side's, or it comes too late. */
export function requireMove(
  { actor, now }: Tx,
  { request, premises }: LockedMaintenanceRequest,
  to: MaintenanceStatus,
) {
  const { status, resolved_at, raised_by_id } = request
  const mover = moves[status][to]
  if (!mover) throw refuse('maintenance_request_wrong_status', { status, to })
  if (mover === 'landlord side' && !premises.isLandlordSide) throw refuse('not_unit_side')
  if (mover === 'raiser' && raised_by_id !== actor.id) throw refuse('not_request_raiser')
  const isLate = resolved_at && now().getTime() > resolved_at.getTime() + REOPENING_DAYS * DAY_MS
  if (to === 'in_progress' && isLate) throw refuse('reopening_late', { days: REOPENING_DAYS })
}

/** @throws FORBIDDEN The request is closed or cancelled. */
export function requireNotClosed({ request: { status } }: LockedMaintenanceRequest) {
  if (status === 'closed' || status === 'cancelled')
    throw refuse('maintenance_request_wrong_status', { status })
}
