import type { TestUser } from '../support/users'
import type { Access } from './row'

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

export function getStatus(caller: Caller, { statuses, coLandlord, inactive, endsSession }: Access) {
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
