import { codeByReason, type ErrorReason } from '@kiraya/sdk/contract'
import { httpStatusByCode } from '../../../faults'
import { accountReasons } from './accounts'
import { bookReasons } from './books'
import { leaseReasons } from './leases'
import { platformReasons } from './platform'
import { SHARED_REASONS } from './shared'

/** The reasons that an operation has beside the shared ones. */
export const OWN_REASONS: Record<string, ErrorReason[]> = {
  ...accountReasons,
  ...leaseReasons,
  ...bookReasons,
  ...platformReasons,
}

/** Lists the reasons of an operation's errors with a status; `operation` is like `GET /properties/{id}`. */
export function getReasons(operation: string, status: number): ErrorReason[] {
  const shared = SHARED_REASONS.filter(([operations]) => operations.test(operation))
  const reasons = [...(OWN_REASONS[operation] ?? []), ...shared.flatMap(([, reasons]) => reasons)]
  return [...new Set(reasons)].filter(reason => httpStatusByCode[codeByReason[reason]] === status)
}
