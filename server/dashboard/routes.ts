import { Elysia } from 'elysia'
import { Dashboard } from '@kiraya/sdk/contract'
import { toSignInStatus } from '../auth/queries'
import { getMonth, toIndianDate } from '../domain/dates'
import type { Deps } from '../deps'
import { forbidden } from '../faults'
import { withReader, type SessionReader } from '../http/authentication'
import { selectDashboard, type DashboardDates } from './queries'

export const dashboardRoutes = (deps: Deps) =>
  new Elysia({ tags: ['Dashboard'] })
    .use(withReader(deps))
    .get('/dashboard', ({ asker }) => getDashboard(asker, deps.now()), {
      response: { 200: Dashboard },
      detail: { summary: 'Counts and recent activity' },
    })

async function getDashboard(asker: SessionReader, now: Date) {
  const found = await asker.row('User', selectDashboard, getDashboardDates(now))
  const status = toSignInStatus(found.user)
  if (status !== 'LOGIN_SUCCESSFUL') throw forbidden(`Finish your onboarding first: ${status}`, { status })
  return found
}

function getDashboardDates(now: Date): DashboardDates {
  const today = toIndianDate(now)
  const month = getMonth(today)
  return { today, monthStart: month.firstDay, daysInMonth: month.days }
}
