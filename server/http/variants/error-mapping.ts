import type { ValueError } from '@sinclair/typebox/errors'
import { NotFoundError, ParseError, ValidationError } from 'elysia'
import { getSqlState, getViolatedIndex, isDatabaseUnavailable } from '../../../db/database-errors'
import { Fault, refuse, refuseFields } from '../../faults'
import { invalidInput } from '../body/violations'

const DATA_EXCEPTION_CLASS = '22'

/** What the loser of a race is told, by the unique index that decides it: both had found no other record. */
const faultByIndex: Record<string, () => Fault> = {
  payments_reference_once: () =>
    refuseFields('reference_used', 'reference', { payment_id: null, is_reported: false }),
}

/** Maps anything thrown to the fault that clients see. */
export function toFault(error: unknown): Fault {
  if (error instanceof Fault) return error
  if (error instanceof ValidationError && error.type !== 'response')
    return invalidInput(error.all as unknown as ValueError[])
  if (error instanceof NotFoundError) return refuse('path_not_found')
  if (error instanceof ParseError)
    return error.cause instanceof Fault ? error.cause : refuse('body_not_readable')
  if (getSqlState(error)?.startsWith(DATA_EXCEPTION_CLASS)) return refuse('value_not_storable')
  const lostRace = faultByIndex[getViolatedIndex(error) ?? '']
  if (lostRace) return lostRace()
  if (isDatabaseUnavailable(error)) return refuse('database_unreachable', {}, { cause: error })
  return refuse('internal_error', {}, { cause: error })
}
