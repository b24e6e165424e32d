import type { AgreementFixture, State } from '../support/agreement-fixture'
import type { BooksFixture, PaymentState } from '../support/books/books-fixture'
import type { DepositState } from '../support/books/deposit-fixture'
import type { RequestFixture, RequestState } from '../support/maintenance-fixture'
import type { TestUser } from '../support/users'

const related = [
  'an anonymous client',
  'a stranger',
  'the landlord',
  'the manager',
  'the tenant',
  'another tenant',
] as const
/** Their statuses follow from those of the related callers: neither a role nor a former relation grants access. */
const derived = [
  'another landlord in the building',
  'a former manager',
  'a former landlord in the building',
  'a user with the role ADMIN',
  'a user with the role MANAGER',
  'an inactive user',
  'a signed-out user',
] as const

export const callers = [...related, ...derived]
export type Caller = (typeof callers)[number]
export type UserCaller = Exclude<Caller, 'an anonymous client'>
export const userCallers = callers.filter(caller => caller !== 'an anonymous client')
export type Users = Record<UserCaller, TestUser>

/**
 * `statuses` are those of the related callers. `coLandlord` is the status of another landlord in the building,
 * if it is not the stranger's. `inactive` is the status of an inactive user, if it is not the anonymous client's.
 */
export type Row = {
  statuses: number[]
  coLandlord?: number
  inactive?: number
  query?: string
  body?: (users: Users, fixture: AgreementFixture & BooksFixture & RequestFixture) => unknown
  state?: State
  /** The books are open, with a payment in this state. */
  payment?: PaymentState
  /** The lease has ended, with its deposit in this state. */
  deposit?: DepositState
  /** The tenant has raised a maintenance request, whose lease is ACTIVE or has ended. */
  request?: RequestState
  byUuid?: true
  endsSession?: true
  /** Who succeeds changes nothing for the others who do, so they share a fixture. */
  isRepeatable?: true
}
export const row = (statuses: number[], more: Partial<Row> = {}): Row => ({ statuses, ...more })
export const everyone = (status: number, more?: Partial<Row>) => row(Array(6).fill(status), more)
export const signedIn = (status: number, more?: Partial<Row>) => row([401, ...Array(5).fill(status)], more)

export function getStatus(caller: Caller, { statuses, coLandlord, inactive, endsSession }: Row) {
  const [anonymous, stranger] = statuses as [number, number]
  switch (caller) {
    case 'another landlord in the building':
      return coLandlord ?? stranger
    case 'a former manager':
    case 'a former landlord in the building':
    case 'a user with the role ADMIN':
    case 'a user with the role MANAGER':
      return stranger
    case 'an inactive user':
      return endsSession ? stranger : (inactive ?? anonymous)
    case 'a signed-out user':
      return endsSession ? stranger : anonymous
    default:
      return statuses[related.indexOf(caller)]!
  }
}
