import { createAgreements } from './agreements.ts'
import { createAuth } from './auth.ts'
import { createDashboard } from './dashboard.ts'
import { createHttpClient, type ClientOptions } from './http-client.ts'
import { createProfile } from './profile.ts'
import { createProperties } from './properties.ts'
import { createTenants } from './tenants.ts'
import { createUnits } from './units.ts'

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
