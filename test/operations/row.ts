import type { State } from '../support/agreement-fixture'
import type { PaymentState } from '../support/books/books-fixture'
import type { DepositState } from '../support/books/deposit-fixture'
import type { UserCaller } from './callers'
import type { Fixture } from './fixture'

/** What there is before a request. */
export type Needs = {
  /** That of the agreement, which is a DRAFT unless this says otherwise. */
  state?: State
  /** The books of the agreement are open, with a payment in this state. */
  payment?: PaymentState
  /** The agreement has ended, with its deposit in this state. */
  deposit?: DepositState
  /** Creates what the noun has of its own, such as the `reading` that `:readingId` and `$reading` name. */
  prepare?: (fixture: Fixture) => Promise<Record<string, unknown>>
}

/** Who may send a request, and what differs in it from that of the operation. */
export type Access = Needs & {
  /** Of an anonymous client, a stranger, the landlord, the manager, the tenant and another tenant. */
  statuses: number[]
  /** That of another landlord in the building, if it is not the stranger's. */
  coLandlord?: number
  /** That of an inactive user, if it is not the anonymous client's. */
  inactive?: number
  body?: unknown
  byUuid?: true
  endsSession?: true
}

/** What differs from the body and the records of the operation. */
export type Example = {
  /** The record of `:id`. */
  id?: string
  params?: Record<string, string>
  query?: Record<string, unknown>
  headers?: Record<string, string>
  body?: unknown
}

/** In bodies and examples `$name` is the id of a record, a date or a phone. */
type More = Needs & {
  /** What the SDK's method takes after the ids, if that is not what it sends. */
  takes?: unknown[]
  /** A query without which it fails. */
  query?: Record<string, unknown>
  /** A body that succeeds. */
  body?: unknown
  /** The landlord sends it, unless this says so. */
  sender?: 'tenant'
  /** The request that the description shows. */
  example?: Example
  /** Who succeeds changes nothing for the others who do, so they share a fixture. */
  isRepeatable?: true
  /** A text by which a list shows the fixture's record. */
  shows?: (fixture: Fixture) => string | Promise<string>
  /** Who sees it: the parties of the agreement, unless this says so. */
  visibleTo?: UserCaller[]
  /** Its numbers that are counts, references or durations which no column holds. */
  whole?: string[]
  /** Queries that find a record until it is deleted; a GET without a record in its path has an empty one. */
  reads?: string[]
}

export type OperationRow = More & { access: Access[]; sdk: string[] }
export type OperationRows = Record<string, OperationRow>

/**
 * What all tests know of an operation. `access` are the statuses of the callers, or rows of them. A method of `sdk`
 * sends a `query` or a `body`; `once` is a body with an idempotency key, `bare` a key alone, `none` neither; `key` and
 * `other` have a body of their own.
 */
export const operation = (
  access: number[] | Access[],
  sdk: string | string[] = [],
  more: More = {},
): OperationRow => ({ access: toRows(access), sdk: [sdk].flat(), ...more })

const isRows = (access: number[] | Access[]): access is Access[] => typeof access[0] === 'object'
const toRows = (access: number[] | Access[]) => (isRows(access) ? access : [{ statuses: access }])

export const row = (statuses: number[], more: Omit<Access, 'statuses'> = {}): Access => ({
  statuses,
  ...more,
})
/** A body without the fields that it requires. */
export const withoutFields = (statuses: number[]) => [row(statuses, { body: {} })]
export const byUuid = { byUuid: true } as const

const everyone = (status: number): number[] => Array(6).fill(status)
/** The statuses that many operations have. */
export const to = {
  everyone,
  signedIn: (status: number) => [401, ...everyone(status).slice(1)],
  landlordSide: [401, 404, 200, 200, 403, 404],
  landlordSideCreates: [401, 404, 201, 201, 403, 404],
  tenantOnly: [401, 404, 403, 403, 200, 404],
  parties: [401, 404, 200, 200, 200, 404],
  partiesCreate: [401, 404, 201, 201, 201, 404],
  nobody: [401, 404, 404, 404, 404, 404],
}

export const page = { page: 1, limit: 20 }
