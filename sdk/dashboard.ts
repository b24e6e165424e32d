import type { HttpClient } from './http-client.ts'
import type { CallOptions } from './options.ts'
import type { Dashboard } from '#types'

/** The first page after the onboarding. */
export interface DashboardCalls extends ReturnType<typeof createDashboard> {}

export const createDashboard = (http: HttpClient) => ({
  /**
   * Returns the user, the counts and the 20 newest activities.
   * @throws {ForbiddenError} The onboarding is not finished; `details.status` names the next step.
   * @example
   * const { stats, recent_activity } = await kiraya.dashboard.get()
   */
  get: (options?: CallOptions) => http.get<Dashboard>('dashboard', options),
})
