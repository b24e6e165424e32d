import { createAgreements, type AgreementCalls } from './agreements.ts'
import { createAuth, type AuthCalls } from './auth.ts'
import { createDashboard, type DashboardCalls } from './dashboard.ts'
import { createHttpClient } from './http-client.ts'
import type { ClientOptions, Language } from './options.ts'
import { createProfile, type ProfileCalls } from './profile.ts'
import { createProperties, type PropertyCalls } from './properties.ts'
import { createTenants, type TenantCalls } from './tenants.ts'
import { createUnits, type UnitCalls } from './units.ts'

/** A client for one server and one user. Every method throws a `KirayaError` when it fails. */
export interface Kiraya {
  /** Sign-in and sign-out. */
  readonly auth: AuthCalls
  /** The profile and the identity check (eKYC), which follow the first sign-in. */
  readonly profile: ProfileCalls
  /** The first page after the onboarding. */
  readonly dashboard: DashboardCalls
  /** Buildings, societies and plots. */
  readonly properties: PropertyCalls
  /** The rentable units of a property. */
  readonly units: UnitCalls
  /** The people named in agreements. */
  readonly tenants: TenantCalls
  /** Lease agreements and their signing. */
  readonly agreements: AgreementCalls
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
    properties: createProperties(http),
    units: createUnits(http),
    tenants: createTenants(http),
    agreements: createAgreements(http),
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
