import type { Dashboard as Shown } from './contract'
import type { Http } from './http'

export const dashboard = (http: Http) => ({
  /**
   * Counts and the newest 20 activities.
   * @throws {ForbiddenError} The onboarding is not finished; `details.status` names the next step.
   */
  get: () => http.get<Shown>('dashboard'),
})
