import { createAgreements } from './agreements'
import { createAuth } from './auth'
import { createDashboard } from './dashboard'
import { createHttpClient, type ClientOptions } from './http-client'
import { createProfile } from './profile'
import { createProperties } from './properties'
import { createTenants } from './tenants'
import { createUnits } from './units'

export type Kiraya = ReturnType<typeof createClient>

/** Creates a client for one server and one user. Every method throws a `KirayaError` when it fails. */
export function createClient(options: ClientOptions) {
  const http = createHttpClient(options)
  return {
    auth: createAuth(http),
    profile: createProfile(http),
    dashboard: createDashboard(http),
    properties: createProperties(http),
    units: createUnits(http),
    tenants: createTenants(http),
    agreements: createAgreements(http),
    /** The access token that the client sends; signing in sets it, signing out removes it. */
    get token() {
      return http.token
    },
    set token(token: string | undefined) {
      http.token = token
    },
  }
}
