import { Elysia } from 'elysia'
import { Dashboard } from '@kiraya/sdk/contract'
import { toSignInStatus } from '../auth/queries'
import type { Deps } from '../deps'
import { toIndianDate } from '../domain/dates'
import { refuse } from '../faults'
import { withReader, type SessionReader } from '../http/authentication'
import { selectDashboard } from './queries'

export const dashboardRoutes = (deps: Deps) =>
  new Elysia({ tags: ['Dashboard'] })
    .use(withReader(deps))
    .get(
      '/dashboard',
      ({ reader }) => deps.runDashboard(reader.userId, () => loadDashboard(reader, deps.now())),
      {
        response: { 200: Dashboard },
        detail: { summary: 'Counts and recent activity' },
      },
    )

/** @throws FORBIDDEN The user has not finished the onboarding; `details` has the next step. */
async function loadDashboard(reader: SessionReader, now: Date) {
  const dashboard = await reader.row('user_not_found', selectDashboard, { today: toIndianDate(now) })
  const status = toSignInStatus(dashboard.user)
  if (status !== 'LOGIN_SUCCESSFUL')
    throw refuse('onboarding_unfinished', { status }, { details: { status } })
  return dashboard
}
