import type { ValueError } from '@sinclair/typebox/errors'
import { NotFoundError, ParseError, ValidationError } from 'elysia'
import { getSqlState, getViolatedIndex, isDatabaseUnavailable } from '../../../db/database-errors'
import { ApiError, refuse, refuseFields } from '../../errors'
import { invalidInput } from '../body/violations'

const DATA_EXCEPTION_CLASS = '22'

/** The error for the loser of a race, by the unique index that decides it: both had found no other record. */
const errorByIndex: Record<string, () => ApiError> = {
  payments_reference_once: () =>
    refuseFields('reference_used', 'reference', { payment_id: null, is_reported: false }),
}

/** Maps anything thrown to the error that clients see. */
export function toApiError(error: unknown): ApiError {
  if (error instanceof ApiError) return error
  if (error instanceof ValidationError && error.type !== 'response')
    return invalidInput(error.all as unknown as ValueError[])
  if (error instanceof NotFoundError) return refuse('path_not_found')
  if (error instanceof ParseError)
    return error.cause instanceof ApiError ? error.cause : refuse('body_not_readable')
  if (getSqlState(error)?.startsWith(DATA_EXCEPTION_CLASS)) return refuse('value_not_storable')
  const lostRace = errorByIndex[getViolatedIndex(error) ?? '']
  if (lostRace) return lostRace()
  if (isDatabaseUnavailable(error)) return refuse('database_unreachable', {}, { cause: error })
  return refuse('internal_error', {}, { cause: error })
}
