import type { Dashboard as Shown } from './contract'
import type { HttpClient } from './http-client'

export const createDashboard = (http: HttpClient) => ({
  /**
   * Counts and the newest 20 activities.
   * @throws {ForbiddenError} The onboarding is not finished; `details.status` names the next step.
   */
  get: () => http.get<Shown>('dashboard'),
})
