import { createAgreements, type AgreementCalls } from './agreements.ts'
import { createAuth, type AuthCalls } from './auth.ts'
import { createBooks, type BookCalls } from './books.ts'
import { createCharges, type ChargeCalls } from './charges.ts'
import { createDashboard, type DashboardCalls } from './dashboard.ts'
import { createDeposits, type DepositCalls } from './deposits.ts'
import { createHttpClient, type HttpClient } from './http-client.ts'
import { createImports, type ImportCalls } from './imports.ts'
import { createMaintenance, type MaintenanceCalls } from './maintenance.ts'
import type { ClientOptions } from './options.ts'
import { createPayments, type PaymentCalls } from './payments.ts'
import { createProfile, type ProfileCalls } from './profile.ts'
import { createProperties, type PropertyCalls } from './properties.ts'
import { createRentRevisions, type RentRevisionCalls } from './rent-revisions.ts'
import { createStatements, type StatementCalls } from './statements.ts'
import { createTenants, type TenantCalls } from './tenants.ts'
import type { Language } from '#types'
import { createUnits, type UnitCalls } from './units.ts'

export type {
  AgreementCalls,
  AuthCalls,
  BookCalls,
  ChargeCalls,
  DashboardCalls,
  DepositCalls,
  ImportCalls,
  MaintenanceCalls,
  PaymentCalls,
  ProfileCalls,
  PropertyCalls,
  RentRevisionCalls,
  StatementCalls,
  TenantCalls,
  UnitCalls,
}

/** The nouns of a client, with their calls under names of their own, which editors show. */
const createNouns = (http: HttpClient) => ({
  /** Sign-in and sign-out. */
  auth: createAuth(http) as AuthCalls,
  /** The profile and the identity check (eKYC), which follow the first sign-in. */
  profile: createProfile(http) as ProfileCalls,
  /** The first page after the onboarding. */
  dashboard: createDashboard(http) as DashboardCalls,
  /** Buildings, societies and plots. */
  properties: createProperties(http) as PropertyCalls,
  /** The rentable units of a property. */
  units: createUnits(http) as UnitCalls,
  /** The people named in agreements. */
  tenants: createTenants(http) as TenantCalls,
  /** Lease agreements and their signing. */
  agreements: createAgreements(http) as AgreementCalls,
  /** What is owed under agreements. */
  charges: createCharges(http) as ChargeCalls,
  /** What was paid under agreements. */
  payments: createPayments(http) as PaymentCalls,
  /** Accounts of agreements, and their documents. */
  statements: createStatements(http) as StatementCalls,
  /** The deposits of agreements, and their settlement. */
  deposits: createDeposits(http) as DepositCalls,
  /** Rents that change during a lease. */
  rentRevisions: createRentRevisions(http) as RentRevisionCalls,
  /** What is to be repaired in units. */
  maintenance: createMaintenance(http) as MaintenanceCalls,
  /** Leases and payments that a landlord has elsewhere. */
  imports: createImports(http) as ImportCalls,
  /** Sums, rent roll and arrears of all leases of the landlord's side. */
  books: createBooks(http) as BookCalls,
})

/** A client for one server and one user. Every method throws a `KirayaError` when it fails. */
export interface Kiraya extends Readonly<ReturnType<typeof createNouns>> {
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
    ...createNouns(http),
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
