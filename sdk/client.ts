import { createHttpClient, type ClientOptions } from './http-client'
import { createAgreements } from './agreements'
import { createAuth } from './auth'
import { createDashboard } from './dashboard'
import { createProfile } from './profile'
import { createProperties } from './properties'
import { createTenants } from './tenants'
import { createUnits } from './units'

export type Kiraya = ReturnType<typeof createClient>

/** A client of one server for one user; every failure is thrown as a `KirayaError`. */
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
    /** The access token that the client sends; a sign-in sets it. */
    get token() {
      return http.token
    },
    set token(token: string | undefined) {
      http.token = token
    },
  }
}
