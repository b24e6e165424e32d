import { Agreements } from './agreements'
import { Auth } from './auth'
import { Dashboard } from './dashboard'
import { Http, type ClientOptions } from './http'
import { Profile } from './profile'
import { Properties } from './properties'
import { Tenants } from './tenants'
import { Units } from './units'

export type Kiraya = ReturnType<typeof createClient>

/** A client of one server for one user; every failure is thrown as a `KirayaError`. */
export function createClient(options: ClientOptions) {
  const http = new Http(options)
  return {
    auth: new Auth(http),
    profile: new Profile(http),
    dashboard: new Dashboard(http),
    properties: new Properties(http),
    units: new Units(http),
    tenants: new Tenants(http),
    agreements: new Agreements(http),
    /** The access token that the client sends; a sign-in sets it. */
    get token() {
      return http.token
    },
    set token(token: string | undefined) {
      http.token = token
    },
  }
}
