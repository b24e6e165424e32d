import type { Dashboard } from './contract/index.ts'
import type { HttpClient } from './http-client.ts'

export const createDashboard = (http: HttpClient) => ({
  /**
   * Returns the user, the counts and the 20 newest activities.
   * @throws {ForbiddenError} The onboarding is not finished; `details.status` names the next step.
   */
  get: () => http.get<Dashboard>('dashboard'),
})
