import { createAgreements, type AgreementCalls } from './agreements.ts'
import { createAuth, type AuthCalls } from './auth.ts'
import { createBooks, type BookCalls } from './books.ts'
import { createCharges, type ChargeCalls } from './charges.ts'
import { createDashboard, type DashboardCalls } from './dashboard.ts'
import { createDeposits, type DepositCalls } from './deposits.ts'
import { createHttpClient } from './http-client.ts'
import { createMaintenance, type MaintenanceCalls } from './maintenance.ts'
import type { ClientOptions } from './options.ts'
import { createPayments, type PaymentCalls } from './payments.ts'
import { createProfile, type ProfileCalls } from './profile.ts'
import { Properties } from './properties.ts'
import { createRentRevisions, type RentRevisionCalls } from './rent-revisions.ts'
import { createStatements, type StatementCalls } from './statements.ts'
import { createTenants, type TenantCalls } from './tenants.ts'
import type { Language } from '#types'
import { Units } from './units.ts'

/** A client for one server and one user. Every method throws a `KirayaError` when it fails. */
export interface Kiraya {
  /** Sign-in and sign-out. */
  readonly auth: AuthCalls
  /** The profile and the identity check (eKYC), which follow the first sign-in. */
  readonly profile: ProfileCalls
  /** The first page after the onboarding. */
  readonly dashboard: DashboardCalls
  /** Buildings, societies and plots. */
  readonly properties: Properties
  /** The rentable units of a property. */
  readonly units: Units
  /** The people named in agreements. */
  readonly tenants: TenantCalls
  /** Lease agreements and their signing. */
  readonly agreements: AgreementCalls
  /** What is owed under agreements. */
  readonly charges: ChargeCalls
  /** What was paid under agreements. */
  readonly payments: PaymentCalls
  /** Accounts of agreements, and their documents. */
  readonly statements: StatementCalls
  /** The deposits of agreements, and their settlement. */
  readonly deposits: DepositCalls
  /** Rents that change during a lease. */
  readonly rentRevisions: RentRevisionCalls
  /** What is to be repaired in units. */
  readonly maintenance: MaintenanceCalls
  /** Sums, rent roll and arrears of all leases of the landlord's side. */
  readonly books: BookCalls
  /**
   * The access token that the client sends; signing in sets it, signing out removes it. With a `tokenStore` it
   * is the token that the client last read or stored.
   */
  token: string | undefined
  /** The language of the server's messages in later calls; undefined leaves it to the browser or `fetch`. */
  language: Language | undefined
}

/**
 * Creates a client for one server and one user.
 * @throws {ValidationError} An option is not valid, such as a missing `baseUrl`.
 * @example
 * const kiraya = createClient({ baseUrl: 'https://api.example.com' })
 */
export function createClient(options: ClientOptions): Kiraya {
  const http = createHttpClient(options)
  return {
    auth: createAuth(http),
    profile: createProfile(http),
    dashboard: createDashboard(http),
    properties: new Properties(http),
    units: new Units(http),
    tenants: createTenants(http),
    agreements: createAgreements(http),
    charges: createCharges(http),
    payments: createPayments(http),
    statements: createStatements(http),
    deposits: createDeposits(http),
    rentRevisions: createRentRevisions(http),
    maintenance: createMaintenance(http),
    books: createBooks(http),
    get token() {
      return http.session.token
    },
    set token(token: string | undefined) {
      http.session.token = token
    },
    get language() {
      return http.settings.language
    },
    set language(language: Language | undefined) {
      http.settings.language = language
    },
  }
}
