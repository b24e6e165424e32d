import { createHttp, type ClientOptions } from './http'
import { agreements } from './agreements'
import { auth } from './auth'
import { dashboard } from './dashboard'
import { profile } from './profile'
import { properties } from './properties'
import { tenants } from './tenants'
import { units } from './units'

export type Kiraya = ReturnType<typeof createClient>

/** A client of one server for one user; every failure is thrown as a `KirayaError`. */
export function createClient(options: ClientOptions) {
  const http = createHttp(options)
  return {
    auth: auth(http),
    profile: profile(http),
    dashboard: dashboard(http),
    properties: properties(http),
    units: units(http),
    tenants: tenants(http),
    agreements: agreements(http),
    /** The access token that the client sends; a sign-in sets it. */
    get token() {
      return http.token
    },
    set token(token: string | undefined) {
      http.token = token
    },
  }
}
