import type { ValueError } from '@sinclair/typebox/errors'
import { NotFoundError, ParseError, ValidationError } from 'elysia'
import { getSqlState, isDatabaseUnavailable } from '../../db/database-errors'
import { badRequest, Fault, notFound, unavailable } from '../faults'
import { invalidInput } from './violations'

const DATA_EXCEPTION_CLASS = '22'

/** Maps anything thrown to the fault that clients see. */
export function toFault(error: unknown): Fault {
  if (error instanceof Fault) return error
  if (error instanceof ValidationError && error.type !== 'response')
    return invalidInput(error.all as unknown as ValueError[])
  if (error instanceof NotFoundError) return notFound('Path')
  if (error instanceof ParseError)
    return error.cause instanceof Fault ? error.cause : badRequest('The body cannot be read')
  if (getSqlState(error)?.startsWith(DATA_EXCEPTION_CLASS)) return badRequest('A value cannot be stored')
  if (isDatabaseUnavailable(error)) return unavailable('The database cannot be reached', error)
  return new Fault('INTERNAL_SERVER_ERROR', 'Something went wrong on our side', { cause: error })
}
